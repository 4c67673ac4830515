// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
/* Second derivatives through the BLAS where a factor is 0 or 1, or its tangent is zero at run time:
 * those by the factor are not. In every mixture of modes, and in two directions at once, against
 * differences, which are exact for polynomials of this degree. */
// reals: double
// differences: none
#include "cases.h"

#include "blas.h"

enum { COUNT = 12 };

extern int enzyme_width;
extern double __enzyme_fwddiff_inner(void *, ...);
extern void __enzyme_autodiff_inner(void *, ...);
extern void __enzyme_fwddiff_outer(void *, ...);
extern void __enzyme_autodiff_outer(void *, ...);

typedef double Objective(const double *x);

static const double point[COUNT] = {0, 0, 0, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1};
/* Of no factor, of factors alone, of both. */
static const double directions[3][COUNT] = {{0, 0, 0, 1, -0.5, 2, 0.3, 0.8, -1, 0.6, 1.2, -0.4},
                                            {1, -2, 0.5},
                                            {0.3, 1, -1, 0.2, 0.9, -0.7, 1, 0.1, -0.2, 1, 2, 0.4}};
static const double weights[9] = {1, -2, 0.5, 3, 0.75, -1, 2, 1.5, -0.25};

__attribute__((unused)) static double sum_of(int count, const double *y) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += weights[i] * y[i];
  return sum;
}

/* The second derivative along u, by differences that are exact to the fifth degree. */
__attribute__((unused)) static double along(Objective *f, const double *u) {
  static const double factors[5] = {-1, 16, -30, 16, -1};
  double sum = 0, h = 0.5, x[COUNT];
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < COUNT; i++)
      x[i] = point[i] + (k - 2) * h * u[i];
    sum += factors[k] * f(x);
  }
  return sum / (12 * h * h);
}

__attribute__((unused)) static double between(Objective *f, const double *u, const double *v) {
  double both[COUNT];
  for (int i = 0; i < COUNT; i++)
    both[i] = u[i] + v[i];
  return (along(f, both) - along(f, u) - along(f, v)) / 2;
}

__attribute__((unused)) static double product(const double *u, const double *v) {
  double sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += u[i] * v[i];
  return sum;
}

/* An objective, and its second derivatives: forward mode of forward and of reverse mode, and
 * reverse mode of both. */
__attribute__((unused)) static void double_of(const double *v, double *to) {
  for (int i = 0; i < COUNT; i++)
    to[i] = 2 * v[i];
}

typedef struct {
  Objective *f;
  void (*slope)(const double *u, const double *v, double *to);
  void (*gradient)(const double *v, double *to);
  void (*slopes_gradient)(const double *u, double *to);
  void (*slopes_gradients)(const double *u, double *to, double *twice);
  void (*gradients_gradient)(const double *u, double *to);
} Again;

__attribute__((unused)) static void check_again(const Again *again) {
  for (int k = 0; k < 9; k++) {
    const double *u = directions[k / 3], *v = directions[k % 3];
    double expected = between(again->f, u, v), found = 0, by[5][COUNT] = {{0}};
    again->slope(u, v, &found);
    again->gradient(v, by[0]);
    again->slopes_gradient(u, by[1]);
    again->slopes_gradients(u, by[3], by[4]);
    again->gradients_gradient(u, by[2]);
    EXPECT(found, expected);
    EXPECT(product(by[0], u), expected);
    EXPECT(product(by[1], v), expected);
    EXPECT(product(by[2], v), expected);
    EXPECT(product(by[3], v), expected);
    EXPECT(product(by[4], v), 2 * expected);
  }
}

#define AGAIN(name)                                                                                \
  static double name(const double *x);                                                             \
  static void name##_slope(const double *x, const double *u, double *to) {                         \
    *to = __enzyme_fwddiff_inner((void *)name, enzyme_dup, x, u);                                  \
  }                                                                                                \
  static void name##_gradient(const double *x, double *g) {                                        \
    memset(g, 0, COUNT * sizeof(double));                                                          \
    __enzyme_autodiff_inner((void *)name, enzyme_dup, x, g);                                       \
  }                                                                                                \
  static void name##_projected(const double *x, const double *u, double *to) {                     \
    double g[COUNT];                                                                               \
    name##_gradient(x, g);                                                                         \
    *to = product(g, u);                                                                           \
  }                                                                                                \
  static void name##_forward_forward(const double *u, const double *v, double *to) {               \
    double value;                                                                                  \
    __enzyme_fwddiff_outer((void *)name##_slope, enzyme_dup, point, v, enzyme_const, u,            \
                           enzyme_dup, &value, to);                                                \
  }                                                                                                \
  static void name##_forward_reverse(const double *v, double *to) {                                \
    double g[COUNT];                                                                               \
    __enzyme_fwddiff_outer((void *)name##_gradient, enzyme_dup, point, v, enzyme_dup, g, to);      \
  }                                                                                                \
  static void name##_forward_reverse_wide(const double *v, double *to, double *twice) {            \
    double g[COUNT], w[COUNT];                                                                     \
    double_of(v, w);                                                                               \
    __enzyme_fwddiff_outer((void *)name##_gradient, enzyme_width, 2, enzyme_dup, point, v, w,      \
                           enzyme_dup, g, to, twice);                                              \
  }                                                                                                \
  static void name##_reverse_forward(const double *u, double *to) {                                \
    double value, seed = 1;                                                                        \
    __enzyme_autodiff_outer((void *)name##_slope, enzyme_dup, point, to, enzyme_const, u,          \
                            enzyme_dup, &value, &seed);                                            \
  }                                                                                                \
  static void name##_reverse_reverse(const double *u, double *to) {                                \
    double value, seed = 1;                                                                        \
    __enzyme_autodiff_outer((void *)name##_projected, enzyme_dup, point, to, enzyme_const, u,      \
                            enzyme_dup, &value, &seed);                                            \
  }                                                                                                \
  static const Again name##_again = {.f = name,                                                    \
                                     .slope = name##_forward_forward,                              \
                                     .gradient = name##_forward_reverse,                           \
                                     .slopes_gradients = name##_forward_reverse_wide,              \
                                     .slopes_gradient = name##_reverse_forward,                    \
                                     .gradients_gradient = name##_reverse_reverse};                \
  static double name(const double *x)

/* Factors: one whose tangent is zero with it, one that is zero and changes, one that is one. */
#define SQUARE(x) ((x)[0] * (x)[0])
#define CHANGING(x) ((x)[1])
#define NEAR_ONE(x) (1 + (x)[2])
#define COPY_OF(y, x, first, count)                                                                \
  double y[9];                                                                                     \
  memcpy(y, x + first, count * sizeof(double))

AGAIN(axpy) {
  COPY_OF(y, x, 3, 3);
  cblas_daxpy(3, SQUARE(x), x + 6, 1, y, 1);
  cblas_daxpy(3, CHANGING(x), x + 7, 1, y, 1);
  return sum_of(3, y);
}

AGAIN(scal) {
  COPY_OF(y, x, 3, 6);
  cblas_dscal(3, NEAR_ONE(x), y, 1);
  cblas_dscal(3, CHANGING(x), y + 3, 1);
  return sum_of(6, y);
}

AGAIN(rot) {
  COPY_OF(y, x, 3, 6);
  cblas_drot(3, y, 1, y + 3, 1, NEAR_ONE(x), SQUARE(x));
  return sum_of(6, y);
}

AGAIN(gemv) {
  COPY_OF(y, x, 3, 4);
  cblas_dgemv(COLUMNS, PLAIN, 2, 2, SQUARE(x), x + 6, 2, x + 10, 1, NEAR_ONE(x), y, 1);
  cblas_dgemv(COLUMNS, TRANSPOSE, 2, 2, NEAR_ONE(x), x + 6, 2, x + 10, 1, CHANGING(x), y + 2, 1);
  return sum_of(4, y);
}

AGAIN(ger) {
  COPY_OF(y, x, 3, 4);
  cblas_dger(COLUMNS, 2, 2, SQUARE(x), x + 7, 1, x + 9, 1, y, 2);
  cblas_dger(COLUMNS, 2, 2, CHANGING(x), x + 8, 1, x + 10, 1, y, 2);
  return sum_of(4, y);
}

AGAIN(symv) {
  COPY_OF(y, x, 3, 4);
  cblas_dsymv(COLUMNS, UPPER_PART, 2, SQUARE(x), x + 6, 2, x + 10, 1, NEAR_ONE(x), y, 1);
  cblas_dspmv(COLUMNS, LOWER_PART, 2, NEAR_ONE(x), x + 6, x + 10, 1, CHANGING(x), y + 2, 1);
  return sum_of(4, y);
}

AGAIN(symmetric_updates) {
  COPY_OF(y, x, 3, 4);
  cblas_dsyr(COLUMNS, UPPER_PART, 2, SQUARE(x), x + 7, 1, y, 2);
  cblas_dsyr2(COLUMNS, UPPER_PART, 2, CHANGING(x), x + 8, 1, x + 10, 1, y, 2);
  return sum_of(4, y);
}

AGAIN(bands) {
  COPY_OF(y, x, 3, 4);
  cblas_dgbmv(COLUMNS, PLAIN, 2, 2, 1, 0, SQUARE(x), x + 6, 2, x + 10, 1, NEAR_ONE(x), y, 1);
  cblas_dsbmv(COLUMNS, UPPER_PART, 2, 1, CHANGING(x), x + 6, 2, x + 10, 1, SQUARE(x), y + 2, 1);
  return sum_of(4, y);
}

AGAIN(gemm) {
  COPY_OF(c, x, 3, 4);
  cblas_dgemm(COLUMNS, PLAIN, TRANSPOSE, 2, 2, 2, SQUARE(x), x + 4, 2, x + 8, 2, NEAR_ONE(x), c, 2);
  cblas_dgemm(COLUMNS, PLAIN, PLAIN, 2, 2, 2, 1, x + 5, 2, x + 7, 2, CHANGING(x), c, 2);
  return sum_of(4, c);
}

AGAIN(symm) {
  COPY_OF(c, x, 3, 4);
  cblas_dsymm(COLUMNS, FROM_LEFT, UPPER_PART, 2, 2, SQUARE(x), x + 4, 2, x + 8, 2, NEAR_ONE(x), c,
              2);
  cblas_dsymm(COLUMNS, FROM_RIGHT, LOWER_PART, 2, 2, 1, x + 5, 2, x + 7, 2, CHANGING(x), c, 2);
  return sum_of(4, c);
}

AGAIN(syrk) {
  COPY_OF(c, x, 3, 4);
  cblas_dsyrk(COLUMNS, UPPER_PART, PLAIN, 2, 2, SQUARE(x), x + 8, 2, NEAR_ONE(x), c, 2);
  cblas_dsyrk(COLUMNS, UPPER_PART, TRANSPOSE, 2, 1, 1, x + 5, 1, CHANGING(x), c, 2);
  return sum_of(4, c);
}

AGAIN(syr2k) {
  COPY_OF(c, x, 3, 4);
  cblas_dsyr2k(COLUMNS, UPPER_PART, PLAIN, 2, 2, SQUARE(x), x + 4, 2, x + 8, 2, NEAR_ONE(x), c, 2);
  cblas_dsyr2k(COLUMNS, UPPER_PART, PLAIN, 2, 1, 1, x + 5, 2, x + 7, 2, CHANGING(x), c, 2);
  return sum_of(4, c);
}

AGAIN(triangles) {
  COPY_OF(b, x, 3, 4);
  cblas_dtrmm(COLUMNS, FROM_LEFT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, NEAR_ONE(x), x + 8, 2, b,
              2);
  cblas_dtrsm(COLUMNS, FROM_LEFT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 1, SQUARE(x), x + 7, 2, b,
              2);
  cblas_dtrsm(COLUMNS, FROM_LEFT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 1, CHANGING(x), x + 4, 2,
              b + 2, 2);
  return sum_of(4, b);
}

AGAIN(complex_axpy) {
  COPY_OF(y, x, 3, 4);
  double alpha[2] = {SQUARE(x), CHANGING(x)}, beta[2] = {NEAR_ONE(x), SQUARE(x)};
  cblas_zaxpy(2, alpha, x + 6, 1, y, 1);
  cblas_zscal(2, beta, y, 1);
  return sum_of(4, y);
}

AGAIN(complex_gemv) {
  COPY_OF(y, x, 3, 4);
  double alpha[2] = {SQUARE(x), CHANGING(x)}, beta[2] = {NEAR_ONE(x), 0}, zero[2] = {SQUARE(x), 0};
  cblas_zgemv(COLUMNS, PLAIN, 1, 2, alpha, x + 8, 1, x + 5, 1, beta, y, 1);
  cblas_zgemv(COLUMNS, ADJOINT, 1, 1, beta, x + 8, 1, x + 6, 1, zero, y + 2, 1);
  return sum_of(4, y);
}

AGAIN(complex_gemm) {
  COPY_OF(c, x, 3, 4);
  double alpha[2] = {SQUARE(x), 0}, beta[2] = {NEAR_ONE(x), CHANGING(x)};
  cblas_zgemm(COLUMNS, PLAIN, ADJOINT, 1, 2, 1, alpha, x + 5, 1, x + 7, 2, beta, c, 1);
  return sum_of(4, c);
}

AGAIN(complex_herk) {
  COPY_OF(c, x, 3, 8);
  cblas_zherk(COLUMNS, LOWER_PART, PLAIN, 2, 1, SQUARE(x), x + 8, 2, NEAR_ONE(x), c, 2);
  cblas_zherk(COLUMNS, LOWER_PART, PLAIN, 2, 1, 1, x + 7, 2, CHANGING(x), c, 2);
  return sum_of(8, c);
}

CHECK(vectors) {
  check_again(&axpy_again);
  check_again(&scal_again);
  check_again(&rot_again);
  check_again(&gemv_again);
  check_again(&ger_again);
  check_again(&symv_again);
  check_again(&symmetric_updates_again);
  check_again(&bands_again);
}

CHECK(matrices) {
  check_again(&gemm_again);
  check_again(&symm_again);
  check_again(&syrk_again);
  check_again(&syr2k_again);
  check_again(&triangles_again);
}

CHECK(complex_numbers) {
  check_again(&complex_axpy_again);
  check_again(&complex_gemv_again);
  check_again(&complex_gemm_again);
  check_again(&complex_herk_again);
}
