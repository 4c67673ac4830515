// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Walks over the elements of shadows. */
#ifndef NABLA_RUNTIME_WALK_H
#define NABLA_RUNTIME_WALK_H

#include <stdbool.h>
#include <stdint.h>

/* The elements of a shadow in the order of a loop: `left` of them, from offset `next` in strides of
 * `step`, which wraps around to go backwards. */
struct walk {
  uint64_t left, next, step;
};

static inline uint64_t element_count(uint64_t bytes, uint64_t first, uint64_t period,
                                     uint64_t size) {
  if (bytes < size || first > bytes - size)
    return 0;
  return period ? (bytes - size - first) / period + 1 : 1;
}

static inline struct walk walk_up(uint64_t count, uint64_t first, uint64_t period) {
  return (struct walk){count, first, period};
}

static inline struct walk walk_down(uint64_t count, uint64_t first, uint64_t period) {
  return (struct walk){count, first + (count - 1) * period, -period};
}

static inline bool is_above(const char *one, const char *other) {
  return (uintptr_t)one > (uintptr_t)other;
}

static inline bool are_apart(const char *one, const char *other, uint64_t bytes) {
  uint64_t distance = (uintptr_t)one - (uintptr_t)other;
  return distance >= bytes && -distance >= bytes;
}

/* The order in which memmove is safe. */
static inline struct walk copy_walk(const char *to, const char *from, uint64_t count,
                                    uint64_t first, uint64_t period) {
  return is_above(to, from) ? walk_down(count, first, period) : walk_up(count, first, period);
}

/* Adjoints are moved in the order opposite to the one in which memmove is safe: what is added to a
 * place must find that place already read and zeroed. */
static inline struct walk adjoint_walk(const char *to, const char *from, uint64_t count,
                                       uint64_t first, uint64_t period) {
  return is_above(to, from) ? walk_up(count, first, period) : walk_down(count, first, period);
}

#endif
