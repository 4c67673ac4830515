// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls without derivative whose arguments the function's parameters cannot take. */
// flags: -g
extern double __enzyme_fwddiff(void *, ...);
extern double __enzyme_call_inactive(void *, ...);

static double take(double x, const double *p) { return p ? x : 2; }

static double one(double x) {
  return x * __enzyme_call_inactive((void *)take, 1, &x); // error: that its parameters can take
}
static double two(double x) {
  return x * __enzyme_call_inactive((void *)take, x); // error: that its parameters can take
}
double d(double x) {
  return __enzyme_fwddiff((void *)one, x, 1.0) + __enzyme_fwddiff((void *)two, x, 1.0);
}
