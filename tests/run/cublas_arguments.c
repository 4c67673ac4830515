// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// with: device.c
/* cuBLAS on memory of a device that the caller passes with shadows on the device: gradients in one
 * call and in two, forward mode, several directions, second derivatives. Nothing is left there. */
#include "cases.h"

#include "device_complex.h"

#ifndef __cplusplus

enum { N = 3, ALL = N * N };
extern int enzyme_nofree, enzyme_width, enzyme_runtime_activity;
extern real __enzyme_autodiff_on_device(void *, ...);
extern real __enzyme_fwddiff_on_device(void *, ...);
typedef struct {
  real first, second;
} Two;
extern Two __enzyme_fwddiff_twice(void *, ...);
extern void *__enzyme_augmentfwd_on_device(void *, ...);
extern real __enzyme_reverse_on_device(void *, ...);

static real *to_device(const real *from, int n) {
  real *to;
  cudaMalloc((void **)&to, (size_t)n * sizeof(real));
  cudaMemcpy(to, from, (size_t)n * sizeof(real), TO_DEVICE);
  return to;
}

static real at(const real *there, int i) {
  real here;
  cudaMemcpy(&here, there + i, sizeof(real), FROM_DEVICE);
  return here;
}

static const real numbers[ALL] = {1, 2, -1, 3, 0.5, 2, -2, 1, 4};
static const real others[ALL] = {0.5, -1, 2, 1, 3, -0.5, 2, 1, 1};
static const real zeros[ALL];

/* The sum of the squares of s A B, which takes the place of B. */
NOINLINE static real squares(Handle handle, const real *a, real *b, real s) {
  real *product, zero = 0, sum;
  if (cudaMalloc((void **)&product, ALL * sizeof(real)))
    return 0;
  CUBLAS(gemm)(handle, OP_N, OP_N, N, N, N, &s, a, N, b, N, &zero, product, N);
  CUBLAS(copy)(handle, ALL, product, 1, b, 1);
  CUBLAS(dot)(handle, ALL, b, 1, product, 1, &sum);
  cudaFree(product);
  return sum;
}

/* By formulas: 2 s^2 (A B) B^T at A, 2 s^2 A^T (A B) at B, and 2 s |A B|^2. */
static real by_formula(int which, int k, real s) {
  real product[ALL] = {0}, sum = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      for (int l = 0; l < N; l++)
        product[i + j * N] += numbers[i + l * N] * others[l + j * N];
  int i = k % N, j = k / N;
  for (int l = 0; l < ALL; l++)
    sum += which == 2 ? product[l] * product[l] / N / s : 0;
  for (int l = 0; l < N; l++)
    sum += which == 0   ? product[i + l * N] * others[j + l * N]
           : which == 1 ? numbers[l + i * N] * product[l + j * N]
                        : 0;
  return 2 * s * s * sum * (which == 2 ? N : 1);
}

CHECK(gradient) {
  Handle handle;
  cublasCreate_v2(&handle);
  real *a = to_device(numbers, ALL), *b = to_device(others, ALL);
  real *da = to_device(zeros, ALL), *db = to_device(zeros, ALL);
  real ds = __enzyme_autodiff_on_device((void *)squares, enzyme_const, handle, enzyme_dup, a, da,
                                        enzyme_dup, b, db, enzyme_out, (real)0.5);
  EXPECT(ds, by_formula(2, 0, 0.5));
  for (int i = 0; i < ALL; i++) {
    EXPECT(at(da, i), by_formula(0, i, 0.5));
    EXPECT(at(db, i), by_formula(1, i, 0.5));
  }
  EXPECT(nb_device_live(), 4);
}

CHECK(gradient_by_a_constant) {
  Handle handle;
  cublasCreate_v2(&handle);
  real *a = to_device(numbers, ALL), *b = to_device(others, ALL), *da = to_device(zeros, ALL);
  real *room = to_device(zeros, ALL);
  __enzyme_autodiff_on_device((void *)squares, enzyme_const, handle, enzyme_dup, a, da, enzyme_dup,
                              b, room, enzyme_const, (real)2);
  for (int i = 0; i < ALL; i++)
    EXPECT(at(da, i), by_formula(0, i, 2));
  EXPECT(nb_device_live(), 4);
}

CHECK(tangent_in_two_directions) {
  Handle handle;
  cublasCreate_v2(&handle);
  real *a = to_device(numbers, ALL), *b = to_device(others, ALL), one[ALL] = {0}, last[ALL] = {0};
  one[0] = 1;
  last[ALL - 1] = 1;
  real *first = to_device(one, ALL), *second = to_device(last, ALL);
  real *none = to_device(zeros, ALL), *no = to_device(zeros, ALL);
  Two slopes =
      __enzyme_fwddiff_twice((void *)squares, enzyme_width, 2, enzyme_const, handle, enzyme_dup, a,
                             first, second, enzyme_dup, b, none, no, enzyme_const, (real)2);
  EXPECT(slopes.first, by_formula(0, 0, 2));
  EXPECT(slopes.second, by_formula(0, ALL - 1, 2));
  EXPECT(nb_device_live(), 6);
}

CHECK(in_two_calls) {
  Handle handle;
  cublasCreate_v2(&handle);
  real *a = to_device(numbers, ALL), *b = to_device(others, ALL);
  real *da = to_device(zeros, ALL), *db = to_device(zeros, ALL);
  void *tape = __enzyme_augmentfwd_on_device((void *)squares, enzyme_const, handle, enzyme_dup, a,
                                             da, enzyme_dup, b, db, enzyme_out, (real)0.5);
  cublasDestroy_v2(handle);
  cudaMemcpy(b, zeros, sizeof zeros, TO_DEVICE);
  real ds = __enzyme_reverse_on_device((void *)squares, enzyme_const, handle, enzyme_dup, a, da,
                                       enzyme_dup, b, db, enzyme_out, (real)0.5, (real)1, tape);
  EXPECT(ds, by_formula(2, 0, 0.5));
  for (int i = 0; i < ALL; i++) {
    EXPECT(at(da, i), by_formula(0, i, 0.5));
    EXPECT(at(db, i), by_formula(1, i, 0.5));
  }
  EXPECT(nb_device_live(), 4);
}

static real slope(Handle handle, const real *a, real *da, real *b, real *db, real s) {
  return __enzyme_autodiff_on_device((void *)squares, enzyme_const, handle, enzyme_dup, a, da,
                                     enzyme_dup, b, db, enzyme_out, s);
}

/* The slope by s is proportional to s; so is that of the gradient, of which it is twice. */
CHECK(second_derivatives) {
  Handle handle;
  cublasCreate_v2(&handle);
  real *a = to_device(numbers, ALL), *b = to_device(others, ALL);
  real *da = to_device(zeros, ALL), *db = to_device(zeros, ALL);
  real *ta = to_device(zeros, ALL), *tb = to_device(zeros, ALL);
  real *tda = to_device(zeros, ALL), *tdb = to_device(zeros, ALL);
  real second = __enzyme_fwddiff_on_device((void *)slope, enzyme_const, handle, enzyme_dup, a, ta,
                                           enzyme_dup, da, tda, enzyme_dup, b, tb, enzyme_dup, db,
                                           tdb, enzyme_dup, (real)0.5, (real)1);
  EXPECT(second, by_formula(2, 0, 0.5) / 0.5);
  for (int i = 0; i < ALL; i++)
    EXPECT(at(tda, i), by_formula(0, i, 0.5) * 4);
  EXPECT(nb_device_live(), 8);
}

/* The square of (s + 2 s i) A B, of complex numbers, whose factor is kept on the device. */
NOINLINE static real complex_square(Handle handle, const real *a, real *b, real s) {
  real *product, zero[2] = {0, 0}, factor[2] = {s, 2 * s}, square[2];
  if (cudaMalloc((void **)&product, 8 * sizeof(real)))
    return 0;
  ZCUBLAS(gemm)(handle, OP_C, OP_N, 2, 2, 2, factor, a, 2, b, 2, zero, product, 2);
  factor[0] = factor[1] = 1;
  ZCUBLAS(copy)(handle, 4, product, 1, b, 1);
  ZCUBLAS(dotc)(handle, 4, b, 1, product, 1, square);
  cudaFree(product);
  return square[0];
}

static real complex_slope(Handle handle, const real *a, real *da, real *b, real *db, real s) {
  return __enzyme_autodiff_on_device((void *)complex_square, enzyme_const, handle, enzyme_dup, a,
                                     da, enzyme_dup, b, db, enzyme_out, s);
}

/* All is proportional to the square of s. */
CHECK(complex_second_derivatives) {
  Handle handle;
  cublasCreate_v2(&handle);
  real *a = to_device(numbers, 8), *b = to_device(others, 8);
  real *da = to_device(zeros, 8), *db = to_device(zeros, 8);
  real *ta = to_device(zeros, 8), *tb = to_device(zeros, 8);
  real *tda = to_device(zeros, 8), *tdb = to_device(zeros, 8), *c = to_device(others, 8);
  real square = complex_square(handle, a, c, 0.5);
  real second = __enzyme_fwddiff_on_device((void *)complex_slope, enzyme_const, handle, enzyme_dup,
                                           a, ta, enzyme_dup, da, tda, enzyme_dup, b, tb,
                                           enzyme_dup, db, tdb, enzyme_dup, (real)0.5, (real)1);
  EXPECT(second, 8 * square);
  for (int i = 0; i < 8; i++) {
    EXPECT(at(tda, i), 4 * at(da, i));
    EXPECT(at(tdb, i), 4 * at(db, i));
  }
  EXPECT(nb_device_live(), 9);
}

#endif
