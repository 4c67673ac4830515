// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of functions that are called by their address: where the optimiser finds out what a pointer
// leads to, it calls no body.
// RUN: %each-level '%clang LEVEL -w %s -lm -o %t && %t | FileCheck %s'
// CHECK: local 100 100, table 100 100, parameter 100 100, alias 100 100, quiet 4 4, like 3 3
#include <stdio.h>
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
static double act(double x) { return 3 * x; }
static double act_forward(double x, double dx) {
  (void)x;
  return 100 * dx;
}
typedef struct {
  void *tape;
  double result;
} Taped;
static Taped act_augmented(double x) { return (Taped){NULL, act(x)}; }
static double act_reverse(double x, double seed, void *tape) {
  (void)x, (void)tape;
  return 100 * seed;
}
void *__enzyme_register_derivative_act[] = {(void *)act, (void *)act_forward};
void *__enzyme_register_gradient_act[] = {(void *)act, (void *)act_augmented, (void *)act_reverse};
static double quiet(double x) { return x * x; }
void *__enzyme_inactivefn_quiet = (void *)quiet;
static double like(double x) { return x; }
void *__enzyme_function_like_like[] = {(void *)like, (void *)"expm1"};

typedef double Function(double);
static double local(double x) {
  Function *p = act;
  return p(x);
}
static Function *const table[] = {quiet, act};
static double of_table(double x) { return table[1](x); }
static double apply(Function *f, double x) { return f(x); }
static double by_parameter(double x) { return apply(act, x); }
extern double other(double) __attribute__((alias("exported")));
double exported(double x) { return 3 * x; }
void *__enzyme_register_derivative_exported[] = {(void *)exported, (void *)act_forward};
void *__enzyme_register_gradient_exported[] = {(void *)exported, (void *)act_augmented,
                                               (void *)act_reverse};
static double by_alias(double x) { return other(x); }
static double of_quiet(double x) { return apply(quiet, x) * x; }
static double of_like(double x) { return apply(like, x) * 3; }

int main(void) {
  printf("local %g %g, ", __enzyme_fwddiff((void *)local, 1.0, 1.0),
         __enzyme_autodiff((void *)local, 1.0));
  printf("table %g %g, ", __enzyme_fwddiff((void *)of_table, 1.0, 1.0),
         __enzyme_autodiff((void *)of_table, 1.0));
  printf("parameter %g %g, ", __enzyme_fwddiff((void *)by_parameter, 1.0, 1.0),
         __enzyme_autodiff((void *)by_parameter, 1.0));
  printf("alias %g %g, ", __enzyme_fwddiff((void *)by_alias, 1.0, 1.0),
         __enzyme_autodiff((void *)by_alias, 1.0));
  printf("quiet %g %g, ", __enzyme_fwddiff((void *)of_quiet, 2.0, 1.0),
         __enzyme_autodiff((void *)of_quiet, 2.0));
  printf("like %g %g\n", __enzyme_fwddiff((void *)of_like, 0.0, 1.0),
         __enzyme_autodiff((void *)of_like, 0.0));
  return 0;
}
