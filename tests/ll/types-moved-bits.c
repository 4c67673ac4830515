// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of numbers, cut in halves or with their bytes in another order, are integers of which no
// cut and no byte swap says that they are numbers: refused, here or by the run, unless the
// optimiser has put them together again.
// RUN: %clang -O0 -DSWAPPED %s -o %t && not --crash %t 2>&1 | FileCheck --check-prefix=ENDS %s
// RUN: not %clang -O1 -DSWAPPED %s -o %t 2>&1 | FileCheck %s
// RUN: %clang -O2 -DSWAPPED %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: not %clang -O0 -DCUT %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O1 -DCUT %s -o %t 2>&1 | FileCheck %s
// RUN: %clang -O2 -DCUT %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: not %clang -O0 %s -o %t 2>&1 | FileCheck %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: not %clang -O1 -DGREATEST %s -o %t 2>&1 | FileCheck %s
// RUN: %clang -O0 -DPAIRS %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: not %clang -O1 -DPAIRS %s -o %t 2>&1 | FileCheck --check-prefix=STORED %s
// RUN: %clang -O2 -DPAIRS -DCOUNTED %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// STORED: types-moved-bits.c:[[#]]:{{.*}}an integer is stored over active memory
// ENDS: computes with the bits of a number
// CHECK: types-moved-bits.c:[[#]]:{{.*}}an integer carries the bits of a number
// RIGHT: 2 8 18
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 3 };
#ifdef COUNTED
volatile int size = SIZE;
#else
enum { size = SIZE };
#endif
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

typedef struct Halves {
  int low, high;
} Halves;

#if defined(SWAPPED)
static double moved(const double *x) {
  uint64_t words[SIZE];
  double sum = 0, number;
  for (int i = 0; i < SIZE; i++) {
    memcpy(&words[i], &x[i], 8);
    words[i] = __builtin_bswap64(words[i]);
  }
  for (int i = 0; i < SIZE; i++) {
    uint64_t word = __builtin_bswap64(words[i]);
    memcpy(&number, &word, 8);
    sum += (i + 1) * number * number;
  }
  return sum;
}
#elif defined(CUT)
static double moved(const double *x) {
  uint32_t low[SIZE], high[SIZE];
  double sum = 0, number;
  for (int i = 0; i < SIZE; i++) {
    uint64_t word;
    memcpy(&word, &x[i], 8);
    low[i] = (uint32_t)word;
    high[i] = (uint32_t)(word >> 32);
  }
  for (int i = SIZE; i-- > 0;) {
    uint64_t word = (uint64_t)high[i] << 32 | low[i];
    memcpy(&number, &word, 8);
    sum += (i + 1) * number * number;
  }
  return sum;
}
#elif defined(GREATEST)
static double moved(const double *x) {
  int64_t greatest = 0;
  double number;
  for (int i = 0; i < SIZE; i++) {
    int64_t word;
    memcpy(&word, &x[i], 8);
    if (word > greatest)
      greatest = word;
  }
  memcpy(&number, &greatest, 8);
  return number * number;
}
#elif defined(PAIRS)
typedef struct Pair {
  int64_t first, second;
} Pair;

static double moved(const double *x) {
  Pair pairs[2];
  double y[4] = {0}, sum = 0;
  size_t bytes = (size_t)size * sizeof *x;
  memcpy(pairs, x, bytes);
  if (pairs[0].first > pairs[1].first) {
    Pair pair = pairs[0];
    pairs[0] = pairs[1];
    pairs[1] = pair;
  }
  memcpy(y, pairs, bytes);
  for (int i = 0; i < SIZE; i++)
    sum += (i + 1) * y[i] * y[i];
  return sum;
}
#else
static double moved(const double *x) {
  double sum = 0, number;
  for (int i = 0; i < SIZE; i++) {
    Halves cut, put;
    memcpy(&cut, &x[i], 8);
    put.low = cut.low;
    put.high = cut.high;
    memcpy(&number, &put, 8);
    sum += (i + 1) * number * number;
  }
  return sum;
}
#endif

int main(void) {
  double x[SIZE] = {1, 2, 3}, dx[SIZE] = {0};
  __enzyme_autodiff((void *)moved, enzyme_dup, x, dx);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
