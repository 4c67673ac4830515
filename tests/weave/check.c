// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Compares the derivatives of a woven program, in reverse mode, in forward mode and in forward mode
 * in three directions, with differences in long double. Where two steps differ, or rounding makes
 * the value another, the program is not smooth there, and nothing is said. The adjoint of the
 * arguments has a value before. */
#include "case.c"

#include <stdio.h>

enum { COUNT = 6, POINTS = 2 };

typedef struct {
  real v[3];
} Three;

extern int enzyme_dup, enzyme_width;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
Three __enzyme_fwddiff_wide(void *, ...);
long double reference(long double *x);

static const double points[POINTS][COUNT] = {{0.31, -0.72, 1.13, 0.54, -0.27, 0.85},
                                             {-1.1, 0.63, 0.22, -0.41, 1.37, -0.58}};

static double before(int i) { return 0.75 * i - 1; }

/* The derivative of the result, and of that and what is in x then, times the adjoint before. */
typedef struct {
  long double result, all;
} Slope;

static Slope difference(const double *x, int i, long double step) {
  long double up[COUNT], down[COUNT];
  for (int k = 0; k < COUNT; k++)
    up[k] = down[k] = x[k];
  up[i] += step;
  down[i] -= step;
  long double apart = reference(up) - reference(down);
  Slope slope = {apart / (2 * step), apart / (2 * step)};
  for (int k = 0; k < COUNT; k++)
    slope.all += before(k) * (up[k] - down[k]) / (2 * step);
  return slope;
}

static int is_smooth(long double one, long double other) {
  return fabsl(one - other) < 1e-7L * (1 + fabsl(one));
}

static int differs(const char *mode, int point, int i, double value, long double wanted) {
  if (fabsl(value - wanted) < 1e-5L * (1 + fabsl(wanted)))
    return 0;
  fprintf(stderr, "wrong: %s, point %d, x[%d]: %.12g, wanted %.12Lg\n", mode, point, i, value,
          wanted);
  return 1;
}

static void forward(const double *point, double *one, double *wide) {
  for (int i = 0; i < COUNT; i++) {
    double x[COUNT], tangent[COUNT] = {0};
    memcpy(x, point, sizeof x);
    tangent[i] = 1;
    one[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, tangent);
  }
  for (int i = 0; i < COUNT; i += 3) {
    double x[COUNT], a[COUNT] = {0}, b[COUNT] = {0}, c[COUNT] = {0};
    memcpy(x, point, sizeof x);
    a[i] = b[i + 1] = c[i + 2] = 1;
    Three all = __enzyme_fwddiff_wide((void *)f, enzyme_width, 3, enzyme_dup, x, a, b, c);
    memcpy(wide + i, all.v, sizeof all.v);
  }
}

static int check(int at, int *rough) {
  double x[COUNT], primal[COUNT], adjoint[COUNT], one[COUNT], wide[COUNT];
  long double exact[COUNT];
  memcpy(primal, points[at], sizeof primal);
  for (int i = 0; i < COUNT; i++)
    exact[i] = points[at][i];
  double value = f(primal);
  long double wanted = reference(exact);
  if (!(fabsl(value - wanted) < 1e-9L * (1 + fabsl(wanted)))) {
    (*rough)++;
    return 0;
  }
  memcpy(x, points[at], sizeof x);
  for (int i = 0; i < COUNT; i++)
    adjoint[i] = before(i);
  __enzyme_autodiff((void *)f, enzyme_dup, x, adjoint);
  forward(points[at], one, wide);
  int failed = memcmp(x, primal, sizeof x) != 0;
  if (failed)
    fprintf(stderr, "wrong: x is another after the gradient\n");
  for (int i = 0; i < COUNT; i++) {
    Slope slope = difference(points[at], i, 1e-7L), other = difference(points[at], i, 3e-7L);
    if (!is_smooth(slope.result, other.result) || !is_smooth(slope.all, other.all)) {
      (*rough)++;
      continue;
    }
    failed += differs("forward", at, i, one[i], slope.result);
    failed += differs("three directions", at, i, wide[i], slope.result);
    failed += differs("reverse", at, i, adjoint[i], slope.all);
  }
  return failed;
}

int main(void) {
  int failed = 0, rough = 0;
  for (int at = 0; at < POINTS; at++)
    failed += check(at, &rough);
  if (!failed)
    fputs(rough ? "rough\n" : "right\n", stderr);
  return failed != 0;
}
