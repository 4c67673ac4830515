// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Masks of inputs in place of tangents. The points are such that derivatives are zero there. */
// shows: __enzyme_sparsity
// reals: double
// differences: none
#include "cases.h"

#include <stdint.h>

extern int enzyme_const, enzyme_dup, enzyme_width, enzyme_dupv, enzyme_primal_return;
extern double __enzyme_sparsity(void *, ...);
extern void __enzyme_sparsity_void(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern struct PrimalAndMask {
  double primal, mask;
} __enzyme_sparsity_both(void *, ...);

enum { MOST = 8 };

static double mask_of(uint64_t bits) {
  double mask;
  memcpy(&mask, &bits, sizeof mask);
  return mask;
}

static uint64_t bits_of(double mask) {
  uint64_t bits;
  memcpy(&bits, &mask, sizeof bits);
  return bits;
}

/* Input j has bit 7 * j. */
static double input(int j) { return mask_of(UINT64_C(1) << 7 * j); }
static void seed(double *mask) {
  for (int j = 0; j < MOST; j++)
    mask[j] = input(j);
}

/* The inputs of a mask as decimal digits. */
static double inputs(double mask) {
  uint64_t bits = bits_of(mask), digits = 0;
  for (int j = 0; j < MOST; j++)
    if (bits >> 7 * j & 1)
      digits = 10 * digits + (uint64_t)j;
  return bits >> 63 ? -1 : (double)digits;
}

static double arithmetic(double x, double y, double z) { return x * y - z * z / 3; }
static double constant(double x, double y, double z) { return x + floor(y) + (z > 1); }
static double powers(double x, double y, double z) { return pow(x, y) + fabs(z); }

CHECK(zero_derivatives_count) {
  EXPECT(inputs(__enzyme_sparsity((void *)arithmetic, 0.0, input(1), 0.0, input(2), 0.0, input(3))),
         123);
  EXPECT(inputs(__enzyme_sparsity((void *)constant, 0.0, input(1), 0.0, input(2), 0.0, input(3))),
         1);
  EXPECT(inputs(__enzyme_sparsity((void *)powers, 0.0, input(1), 0.0, input(2), 0.0, input(3))),
         123);
  struct PrimalAndMask both = __enzyme_sparsity_both((void *)arithmetic, enzyme_primal_return, 2.0,
                                                     input(1), 3.0, input(2), 0.0, input(3));
  EXPECT(both.primal, 6);
  EXPECT(inputs(both.mask), 123);
}

static double largest(double x, double y) { return fmax(x, y); }
static double chosen(double x, double y) { return x > y ? 2 * x : y; }
static double branched(double x, double y) {
  double result = sin(y);
  if (x > y)
    result = exp(x);
  return result;
}

#define EXPECT_CHOICE(f)                                                                           \
  EXPECT(inputs(__enzyme_sparsity((void *)f, 2.0, input(1), 1.0, input(2))), 1);                   \
  EXPECT(inputs(__enzyme_sparsity((void *)f, 1.0, input(1), 2.0, input(2))), 2)

CHECK(choices) {
  EXPECT_CHOICE(largest);
  EXPECT_CHOICE(chosen);
  EXPECT_CHOICE(branched);
}

/* A weight counts, whatever it is here. */
static double weighted(double x, double y, const double *weights, int which) {
  return weights[which] * x + y;
}

CHECK(weights) {
  double weights[] = {0, 1};
  EXPECT(inputs(__enzyme_sparsity((void *)weighted, 1.0, input(1), 2.0, input(2), enzyme_const,
                                  weights, 0)),
         12);
}

#ifdef __FAST_MATH__
enum { WITHOUT_WEIGHT = 2 };
#else
enum { WITHOUT_WEIGHT = 12 };
#endif

/* Where zero times x may not be left out, a weight that the program chooses is one. */
static double switched(double x, double y, int which) { return (which ? 1.0 : 0.0) * x + y; }

CHECK(chosen_weights) {
  EXPECT(inputs(__enzyme_sparsity((void *)switched, 1.0, input(1), 2.0, input(2), 1)), 12);
  double found = inputs(__enzyme_sparsity((void *)switched, 1.0, input(1), 2.0, input(2), 0));
  EXPECT(found == 12 || found == WITHOUT_WEIGHT, 1);
}

NOINLINE static void swap(double *a, double *b) {
  double old = *a;
  *a = *b;
  *b = old;
}

static void through_memory(const double *x, double *y, int n) {
  double *copy = (double *)malloc(sizeof(double) * (size_t)n);
  memcpy(copy, x, sizeof(double) * (size_t)n);
  swap(&copy[0], &copy[n - 1]);
  y[0] = copy[0] * copy[1];
  y[1] = 0;
  for (int i = 2; i < n - 1; i++)
    y[1] += cos(copy[i]);
  copy[2] = 1;
  y[2] = copy[2];
  y[3] = copy[n - 1];
  free(copy);
}

CHECK(memory) {
  double x[MOST] = {0}, mx[MOST], y[4], my[4];
  seed(mx);
  __enzyme_sparsity_void((void *)through_memory, enzyme_dup, x, mx, enzyme_dup, y, my, enzyme_const,
                         MOST);
  EXPECT(inputs(my[0]), 17);
  EXPECT(inputs(my[1]), 23456);
  EXPECT(inputs(my[2]), 0);
  EXPECT(inputs(my[3]), 0);
  EXPECT(bits_of(my[3]) == 1, 1);
}

static double narrowed(double x, double y) { return (double)(float)(x * y); }
static float single_sum(float x, float y) { return x + y; }
extern float __enzyme_sparsity_float(void *, ...);

/* In a format with less room, what does not fit stands for everything. */
CHECK(formats) {
  double low = __enzyme_sparsity((void *)narrowed, 1.0, input(1), 0.0, input(4));
  EXPECT(inputs(low), 14);
  double high = __enzyme_sparsity((void *)narrowed, 1.0, input(1), 0.0, input(5));
  EXPECT(inputs(high), -1);
  EXPECT(bits_of(high) == UINT64_MAX, 1);
  uint32_t one = 1u << 3, other = 1u << 30, found;
  float masks[2], sum;
  memcpy(&masks[0], &one, sizeof one);
  memcpy(&masks[1], &other, sizeof other);
  sum = __enzyme_sparsity_float((void *)single_sum, 1.0f, masks[0], 1.0f, masks[1]);
  memcpy(&found, &sum, sizeof found);
  EXPECT(found == (one | other), 1);
}

static double objective(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++)
    sum += x[i] * x[i] * x[i + 1];
  return sum;
}

static void gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff_void((void *)objective, enzyme_dup, x, dx, enzyme_const, n);
}

CHECK(of_a_gradient) {
  double x[MOST] = {0}, mx[MOST], g[MOST] = {0}, mg[MOST] = {0};
  seed(mx);
  __enzyme_sparsity_void((void *)gradient, enzyme_dup, x, mx, enzyme_dup, g, mg, enzyme_const,
                         MOST);
  EXPECT(inputs(mg[0]), 1);
  EXPECT(inputs(mg[1]), 12);
  EXPECT(inputs(mg[4]), 345);
  EXPECT(inputs(mg[7]), 6);
}

NOINLINE static double registered(double x, double y) { return x < y ? 1 : 2; }
static double registered_forward(double x, double dx, double y, double dy) {
  return y * dx + x * dy;
}
void *__enzyme_register_derivative_registered[] = {(void *)registered, (void *)registered_forward};
static double with_registered(const double *x) { return registered(x[0], x[1]) * x[2]; }

/* Of a derivative of the user's: all numbers that it may use. */
CHECK(registered_derivatives) {
  double x[MOST] = {0}, mx[MOST];
  seed(mx);
  EXPECT(inputs(__enzyme_sparsity((void *)with_registered, enzyme_dup, x, mx)), 12);
}

static void pairs(const double *x, double *y) {
  for (int i = 0; i < 4; i++)
    y[i] = x[2 * i] * x[2 * i + 1];
}

CHECK(several_directions) {
  double x[MOST] = {0}, mx[2][MOST] = {{0}}, y[4], my[2][4];
  for (int j = 0; j < MOST; j++)
    mx[j / 4][j] = mask_of(UINT64_C(1) << 40 * (j % 2));
  __enzyme_sparsity_void((void *)pairs, enzyme_width, 2, enzyme_dupv, sizeof mx[0], x, mx,
                         enzyme_dupv, sizeof my[0], y, my);
  for (int i = 0; i < 8; i++) {
    uint64_t expected = i / 4 == i % 4 / 2 ? 1 | UINT64_C(1) << 40 : 0;
    EXPECT(bits_of(my[i / 4][i % 4]) == expected, 1);
  }
}
