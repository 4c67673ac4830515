// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The bits of a number lie in memory of integers, and what adds to them sees integers alone. */
#include <stdint.h>
#include <string.h>

extern double __enzyme_fwddiff(void *, ...);

static __attribute__((noinline)) void change(uint64_t *bits) { *bits = *bits * 3 + 1; }

static double in_a_variable(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  change(&bits);
  memcpy(&x, &bits, sizeof bits);
  return x;
}

double first(double x) { return __enzyme_fwddiff((void *)in_a_variable, x, 1.0); }

static uint64_t kept;
static __attribute__((noinline)) void keep(double x) { memcpy(&kept, &x, sizeof kept); }
static __attribute__((noinline)) void change_kept(void) { kept = kept * 3 + 1; }

static double in_a_global(double x) {
  keep(x);
  change_kept();
  memcpy(&x, &kept, sizeof kept);
  return x;
}

double second(double x) { return __enzyme_fwddiff((void *)in_a_global, x, 1.0); }
// error-anywhere: [nabla: integer-carrier]
// error-anywhere: [nabla: integer-carrier]
