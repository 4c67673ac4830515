// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions of other files that work on memory, and have derivatives of the program's. These are
 * here under names that the compiler sees no body for. Some derivatives are wrong on purpose, so
 * that they can be told from others. */
// reals: double
// differences: none
#include "cases.h"

#define OUTSIDE(name, inside) __asm__(".globl " #name "\n.set " #name ", " #inside "\n")
#define INSIDE __attribute__((used, noinline)) extern

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

typedef struct {
  double result, tangent;
} Both;

/* --- What is read --- */

INSIDE double nb_inside_dot(const double *a, const double *b, int n);
double nb_inside_dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}
OUTSIDE(nb_outside_dot, nb_inside_dot);
extern double nb_outside_dot(const double *a, const double *b, int n);

static Both dot_forward(const double *a, const double *da, const double *b, const double *db,
                        int n) {
  Both both = {nb_outside_dot(a, b, n), nb_outside_dot(da, b, n) + nb_outside_dot(a, db, n)};
  return both;
}
static double dot_augmented(const double *a, double *da, const double *b, double *db, int n) {
  (void)da;
  (void)db;
  return nb_outside_dot(a, b, n);
}
static void dot_reverse(const double *a, double *da, const double *b, double *db, int n,
                        double seed) {
  for (int i = 0; i < n; i++) {
    da[i] += 10 * seed * b[i];
    db[i] += 10 * seed * a[i];
  }
}
void *__enzyme_register_derivative_dot[] = {(void *)nb_outside_dot, (void *)dot_forward};
void *__enzyme_register_gradient_dot[] = {(void *)nb_outside_dot, (void *)dot_augmented,
                                          (void *)dot_reverse};

static double of_dot(const double *a, const double *b, int n) {
  return nb_outside_dot(a, b, n) * a[0];
}

CHECK(read) {
  double a[2] = {2, 3}, b[2] = {4, 5}, da[2] = {0, 0}, db[2] = {0, 0};
  __enzyme_autodiff((void *)of_dot, a, da, b, db, 2);
  EXPECT(da[0], 2 * 10 * 4 + 23);
  EXPECT(da[1], 2 * 10 * 5);
  EXPECT(db[1], 2 * 10 * 3);
  double ta[2] = {1, 0}, tb[2] = {0, 1};
  EXPECT(__enzyme_fwddiff((void *)of_dot, a, ta, b, tb, 2), 2 * (4 + 3) + 23);
}

typedef struct {
  double *x;
  double y[3];
} Inputs;

static double of_members(const Inputs *in, int n) {
  double scaled[3];
  for (int i = 0; i < n; i++)
    scaled[i] = 2 * in->y[i];
  return nb_outside_dot(in->x, scaled, n) + in->y[1];
}

CHECK(members_and_local_arrays) {
  double x[3] = {2, 3, 4}, dx[3] = {0, 0, 0};
  Inputs in = {x, {5, 6, 7}}, din = {dx, {0, 0, 0}};
  __enzyme_autodiff((void *)of_members, &in, &din, 3);
  EXPECT(dx[1], 10 * 12);
  EXPECT(din.y[1], 20 * 3 + 1);
}

CHECK(one_constant) {
  double a[2] = {2, 3}, da[2] = {0, 0};
  __enzyme_autodiff((void *)of_dot, a, da, a, da, 2);
  EXPECT(da[1], 2 * 10 * 3 * 2);
}

/* --- What is changed in place, and a number beside it --- */

INSIDE void nb_inside_scale(double *x, int n, double k);
void nb_inside_scale(double *x, int n, double k) {
  for (int i = 0; i < n; i++)
    x[i] *= k;
}
OUTSIDE(nb_outside_scale, nb_inside_scale);
extern void nb_outside_scale(double *x, int n, double k);

static double *scale_augmented(double *x, double *dx, int n, double k) {
  (void)dx;
  double *kept = malloc((size_t)n * sizeof *kept);
  memcpy(kept, x, (size_t)n * sizeof *kept);
  nb_outside_scale(x, n, k);
  return kept;
}
static double scale_reverse(double *x, double *dx, int n, double k, double *kept) {
  (void)x;
  double dk = 0;
  for (int i = 0; i < n; i++) {
    dk += dx[i] * kept[i];
    dx[i] *= k;
  }
  free(kept);
  return dk;
}
void *__enzyme_register_gradient_scale[] = {(void *)nb_outside_scale, (void *)scale_augmented,
                                            (void *)scale_reverse};

static double of_scale(double *x, double k) {
  double before = x[0] * x[0];
  nb_outside_scale(x, 2, k * k);
  nb_outside_scale(x, 2, k);
  return before + x[0] * x[1];
}

CHECK(changed) {
  double x[2] = {2, 3}, dx[2] = {0, 0};
  EXPECT(__enzyme_autodiff((void *)of_scale, x, dx, 2.0), 6 * 6 * 32);
  EXPECT(dx[0], 4 + 3 * 64);
  EXPECT(dx[1], 2 * 64);
}

CHECK(in_two_halves) {
  double x[2] = {2, 3}, dx[2] = {0, 0};
  void *tape = __enzyme_augmentfwd((void *)of_scale, enzyme_dup, x, dx, enzyme_const, 2.0);
  x[0] = x[1] = 0;
  __enzyme_reverse((void *)of_scale, enzyme_dup, x, dx, enzyme_const, 2.0, 1.0, tape);
  EXPECT(dx[0], 4 + 3 * 64);
}

/* --- Floats, integers, something opaque, and a report --- */

INSIDE void nb_inside_spmv(void *handle, int n, const int *row, const int *column,
                           const float *value, const float *x, float *y, int *report);
void nb_inside_spmv(void *handle, int n, const int *row, const int *column, const float *value,
                    const float *x, float *y, int *report) {
  ++*(int *)handle;
  *report = 0;
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += value[k] * x[column[k]];
  }
}
OUTSIDE(nb_outside_spmv, nb_inside_spmv);
extern void nb_outside_spmv(void *handle, int n, const int *row, const int *column,
                            const float *value, const float *x, float *y, int *report);

static void spmv_augmented(void *handle, void *handle2, int n, const int *row, const int *row2,
                           const int *column, const int *column2, const float *value,
                           const float *dvalue, const float *x, const float *dx, float *y,
                           float *dy, int *report, int *report2) {
  (void)handle2, (void)row2, (void)column2, (void)dvalue, (void)dx, (void)dy, (void)report2;
  nb_outside_spmv(handle, n, row, column, value, x, y, report);
}
static void spmv_reverse(void *handle, void *handle2, int n, const int *row, const int *row2,
                         const int *column, const int *column2, const float *value, float *dvalue,
                         const float *x, float *dx, float *y, float *dy, int *report,
                         int *report2) {
  (void)handle, (void)handle2, (void)row2, (void)column2, (void)y, (void)report, (void)report2;
  for (int i = 0; i < n; i++) {
    for (int k = row[i]; k < row[i + 1]; k++) {
      dx[column[k]] += dy[i] * value[k];
      dvalue[k] += dy[i] * x[column[k]];
    }
    dy[i] = 0;
  }
}
void *__enzyme_register_gradient_spmv[] = {(void *)nb_outside_spmv, (void *)spmv_augmented,
                                           (void *)spmv_reverse};

static float of_spmv(void *handle, int n, const int *row, const int *column, const float *value,
                     const float *x) {
  float y[2], sum = 0;
  int report = 1;
  nb_outside_spmv(handle, n, row, column, value, x, y, &report);
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return report ? 0 : sum;
}

CHECK(sparse_product) {
  int row[3] = {0, 2, 3}, column[3] = {0, 1, 1}, handle = 0;
  float value[3] = {1, 2, 3}, dvalue[3] = {0, 0, 0}, x[2] = {4, 5}, dx[2] = {0, 0};
  __enzyme_autodiff((void *)of_spmv, enzyme_const, (void *)&handle, enzyme_const, 2, enzyme_const,
                    row, enzyme_const, column, enzyme_dup, value, dvalue, enzyme_dup, x, dx);
  EXPECT(handle, 1);
  EXPECT(dx[0], 2 * 14);
  EXPECT(dx[1], 2 * 14 * 2 + 2 * 15 * 3);
  EXPECT(dvalue[2], 2 * 15 * 5);
}
