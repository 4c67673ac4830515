// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Random numbers that are the same everywhere: Steele, Lea and Flood's splitmix64. */
#ifndef EXAMPLES_RANDOM_H
#define EXAMPLES_RANDOM_H

#include <stdint.h>

typedef struct Random {
  uint64_t state;
} Random;

static inline Random random_start(int seed) { return (Random){(uint64_t)seed}; }

static inline uint64_t random_bits(Random *random) {
  uint64_t bits = random->state += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

static inline double random_between(Random *random, double low, double high) {
  return low + (high - low) * (double)(random_bits(random) >> 11) * 0x1p-53;
}

static inline int random_below(Random *random, int bound) {
  return (int)(random_bits(random) % (uint64_t)bound);
}

#endif
