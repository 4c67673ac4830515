// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory goes back to a pool in the reverse sweep: the pool ends behind it, or the call that would
// end it before is refused.
// RUN: %clang -O0 -DPOOLS -c %s -o %t.o
// RUN: %clang -O0 -mllvm -nabla-rules=%S/Inputs/pools.rules %s %t.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -mllvm -nabla-rules=%S/Inputs/pools.rules %s %t.o -o %t && %t | FileCheck %s
// RUN: not %clang -O0 -g1 -mllvm -nabla-rules=%S/Inputs/pools.rules -DREFUSED -c %s -o /dev/null \
// RUN:   2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not %clang -O2 -g1 -mllvm -nabla-rules=%S/Inputs/pools.rules -DREFUSED -c %s -o /dev/null \
// RUN:   2>&1 | FileCheck --check-prefix=ERROR %s
#include <stdio.h>
#include <stdlib.h>

typedef struct Pool Pool;
Pool *pool_new(void);
double *pool_get(Pool *pool, unsigned long n);
void pool_put(Pool *pool, double *p);
void pool_end(Pool *pool);

#ifdef POOLS
struct Pool {
  long live;
};
Pool *pool_new(void) { return calloc(1, sizeof(Pool)); }
double *pool_get(Pool *pool, unsigned long n) {
  pool->live++;
  return malloc(n);
}
void pool_put(Pool *pool, double *p) {
  pool->live--;
  free(p);
}
void pool_end(Pool *pool) {
  printf("ends with %ld\n", pool->live);
  free(pool);
}
#else
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double scratch(Pool *pool, double x) {
  double *p = pool_get(pool, 2 * sizeof(double));
  p[0] = x;
  p[1] = x * x;
  double result = p[0] * p[1];
  pool_put(pool, p);
  return result;
}

static double pooled(double x) {
  Pool *pool = pool_new();
  double result = scratch(pool, x) + scratch(pool, 2 * x);
  pool_end(pool);
  return result;
}

int main(void) {
  // CHECK: ends with 0
  // CHECK-NEXT: 108
  printf("%g\n", __enzyme_autodiff((void *)pooled, 2.0));
  // CHECK-NEXT: ends with 0
  // CHECK-NEXT: 108
  printf("%g\n", __enzyme_fwddiff((void *)pooled, 2.0, 1.0));
}

#ifdef REFUSED
__attribute__((noinline)) static double in_callee(Pool *pool, double x) {
  return scratch(pool, x) * x;
}

static double ends_in_loop(double x) {
  double result = 0;
  for (double at = 0; at < x; at++) {
    Pool *pool = pool_new();
    result += in_callee(pool, x);
    pool_end(pool); // ERROR: [[@LINE]]:{{.*}}the reverse sweep gives shadows back later
  }
  return result;
}

double refused(void) { return __enzyme_autodiff((void *)ends_in_loop, 2.0); }
#endif
#endif
