// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Compares the derivatives of a woven program, in reverse mode, in forward mode and in forward mode
 * in three directions, with differences in long double. Where two steps differ, or rounding makes
 * the value another, the program is not smooth there, and nothing is said. The adjoints of what it
 * is given have values before. */
#include "memory.h"

#include <stdio.h>

enum { POINTS = 2, WIDTH = 3 };

typedef struct {
  real v[WIDTH];
} Three;

extern int enzyme_dup, enzyme_width;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
Three __enzyme_fwddiff_wide(void *, ...);
long double reference(long double *numbers);

static double number_at(int point, int i) {
  const double some[POINTS][6] = {{0.31, -0.72, 1.13, 0.54, -0.27, 0.85},
                                  {-1.1, 0.63, 0.22, -0.41, 1.37, -0.58}};
  return some[point][i % 6] * (1 - 0.07 * (i / 6));
}

static double adjoint_before(int i) { return 0.75 * (i % 6) - 1; }

/* The derivative of the result, and of that and what is in the memory then, times the adjoints
 * before. */
typedef struct {
  long double result, all;
} Slope;

static Slope difference(int point, int count, int i, long double step) {
  long double up[MOST], down[MOST];
  for (int k = 0; k < count; k++)
    up[k] = down[k] = number_at(point, k);
  up[i] += step;
  down[i] -= step;
  long double apart = reference(up) - reference(down);
  Slope slope = {apart / (2 * step), apart / (2 * step)};
  for (int k = 0; k < count; k++)
    slope.all += adjoint_before(k) * (up[k] - down[k]) / (2 * step);
  return slope;
}

static int is_smooth(long double one, long double other) {
  return fabsl(one - other) < 1e-7L * (1 + fabsl(one));
}

static int differs(const char *mode, int point, int i, double value, long double wanted) {
  if (fabsl(value - wanted) < 1e-5L * (1 + fabsl(wanted)))
    return 0;
  fprintf(stderr, "wrong: %s, point %d, number %d: %.12g, wanted %.12Lg\n", mode, point, i, value,
          wanted);
  return 1;
}

/* A shadow of the memory in which the number at i is one. */
static void direct(Memory *shadow, int i) {
  double seed[MOST] = {0};
  seed[i] = 1;
  fill(shadow, seed);
}

static void forward(const double *numbers, int count, double *one, double *wide) {
  Memory memory, shadow[WIDTH];
  for (int i = 0; i < count; i++) {
    fill(&memory, numbers);
    direct(shadow, i);
    one[i] = __enzyme_fwddiff((void *)f, enzyme_dup, ARGUMENT(&memory), ARGUMENT(shadow));
  }
  for (int i = 0; i < count; i += WIDTH) {
    fill(&memory, numbers);
    for (int k = 0; k < WIDTH; k++)
      direct(shadow + k, i + k < count ? i + k : 0);
    Three all = __enzyme_fwddiff_wide((void *)f, enzyme_width, 3, enzyme_dup, ARGUMENT(&memory),
                                      ARGUMENT(shadow), ARGUMENT(shadow + 1), ARGUMENT(shadow + 2));
    for (int k = 0; k < WIDTH && i + k < count; k++)
      wide[i + k] = all.v[k];
  }
}

/* The adjoints of the numbers; false where the gradient leaves other numbers than the program. */
static int reverse(const double *numbers, const double *after, int count, double *adjoints) {
  Memory memory, shadow;
  double left[MOST];
  fill(&memory, numbers);
  for (int i = 0; i < count; i++)
    adjoints[i] = adjoint_before(i);
  fill(&shadow, adjoints);
  __enzyme_autodiff((void *)f, enzyme_dup, ARGUMENT(&memory), ARGUMENT(&shadow));
  take(&shadow, adjoints);
  take(&memory, left);
  return memcmp(left, after, (size_t)count * sizeof *left) == 0;
}

static int check(int point, int *rough) {
  double numbers[MOST], after[MOST], adjoints[MOST], one[MOST], wide[MOST];
  long double exact[MOST];
  Memory memory;
  for (int i = 0; i < MOST; i++)
    exact[i] = numbers[i] = number_at(point, i);
  int count = fill(&memory, numbers);
  double value = f(ARGUMENT(&memory));
  take(&memory, after);
  long double wanted = reference(exact);
  if (!(fabsl(value - wanted) < 1e-9L * (1 + fabsl(wanted)))) {
    (*rough)++;
    return 0;
  }
  int failed = !reverse(numbers, after, count, adjoints);
  if (failed)
    fprintf(stderr, "wrong: other numbers after the gradient\n");
  forward(numbers, count, one, wide);
  for (int i = 0; i < count; i++) {
    Slope slope = difference(point, count, i, 1e-7L), other = difference(point, count, i, 3e-7L);
    if (!is_smooth(slope.result, other.result) || !is_smooth(slope.all, other.all)) {
      (*rough)++;
      continue;
    }
    failed += differs("forward", point, i, one[i], slope.result);
    failed += differs("three directions", point, i, wide[i], slope.result);
    failed += differs("reverse", point, i, adjoints[i], slope.all);
  }
  return failed;
}

int main(void) {
  int failed = 0, rough = 0;
  for (int point = 0; point < POINTS; point++)
    failed += check(point, &rough);
  if (!failed)
    fputs(rough ? "rough\n" : "right\n", stderr);
  return failed != 0;
}
