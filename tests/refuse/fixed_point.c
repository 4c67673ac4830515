// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls that do not say what a loop to a fixed point is, and loops that are none as they stand. */
#include <enzyme/fixed_point.h>
#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup, enzyme_out;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static int halve(int64_t i, double *z, double a) {
  *z = 0.5 * *z + a;
  return i < 60;
}

void no_state(double *z) {
  __enzyme_fixed_point((void *)halve, z, 1.0); // error: enzyme_fp_state ... [nabla: checkpoint]
}
void no_bytes(double *z) {
  __enzyme_fixed_point((void *)halve, enzyme_fp_state, z, enzyme_fp_reduction, // error: bytes
                       1e-3, z, 1.0);
}
void no_reduction(double *z, struct nowhere *other) {
  __enzyme_fixed_point((void *)halve, enzyme_fp_state, z, (int64_t)8, // error: has no argument
                       enzyme_fp_reduction, 1e-3, z);
}
void no_function(double *z) {
  __enzyme_fixed_point((void *)halve, enzyme_fp_state, z, (int64_t)8, // error: enzyme_fp_control
                       enzyme_fp_control, 1.0, z, 1.0);
}
void of_another_loop(double *z) {
  __enzyme_fixed_point((void *)halve, enzyme_fp_state, z, (int64_t)8, // error: wrong-marker
                       enzyme_dup, z, 1.0);
}
double of_no_loop(double *z, double *d) {
  return __enzyme_autodiff((void *)halve, enzyme_const, 0, z, d, // error: [nabla: wrong-marker]
                           enzyme_fp_max_iters, 1.0);
}

static void tells(double *z);
static int speak(int64_t i, double *z, double a) {
  *z = 0.5 * *z + a;
  printf("%f\n", *z); // error-near: which acts on the world ... [nabla: checkpoint]
  return i < 60;
}
static double spoken(double a) {
  double z = 0;
  __enzyme_fixed_point((void *)speak, enzyme_fp_state, &z, (int64_t)8, &z, a);
  return z;
}
double use_spoken(double a) { return __enzyme_autodiff((void *)spoken, a); }

/* The integer beside it is named, the number is not. */
static double another(double a) {
  double z = 0;
  int64_t n = 0;
  __enzyme_fixed_point((void *)halve, enzyme_fp_state, &n, (int64_t)8, // error: [nabla: checkpoint]
                       &z, a);
  return z + (double)n;
}
double use_another(double a) { return __enzyme_autodiff((void *)another, a); }

/* --- As they stand --- */

double in_no_loop(double x) {
  __enzyme_set_fixed_point(-1, -1, (void *)0, &x, (int64_t)8); // error: it stands in no loop
  return x * x;
}
double no_state_here(double x) {
  do {
    __enzyme_set_fixed_point(-1, -1, (void *)0); // error: and then states
    x = cos(x);
  } while (x > 1);
  return x;
}
double left_in_the_middle(double x) {
  double z = 0, w = 0;
  for (int i = 0; i < 99; i++) {
    __enzyme_set_fixed_point(-1, -1, (void *)0, &z, (int64_t)8); // error: left from its middle
    double next = 0.5 * z + x;
    if (fabs(next - z) < 1e-12)
      break;
    z = next;
    w = z * z;
  }
  return z + w;
}
double said_inside(double x, double **all) {
  double sum = 0;
  do {
    __enzyme_set_fixed_point(-1, -1, (void *)0, all[1], (int64_t)8); // error: computed in the loop
    sum = *all[1];
    *all[1] = 0.5 * sum + x;
  } while (sum > 1);
  return sum;
}
