// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* cuBLAS on complex numbers for run tests, which are pairs of reals; as device.h. */
#ifndef NB_RUN_DEVICE_COMPLEX_H
#define NB_RUN_DEVICE_COMPLEX_H

#include "device.h"

#define NB_COMPLEX_CAPITAL_double Z
#define NB_COMPLEX_CAPITAL_float C
#define NB_CAPITALS_WITH_REALS_double Zd
#define NB_CAPITALS_WITH_REALS_float Cs
#define NB_CAPITALS_TO_REAL_double Dz
#define NB_CAPITALS_TO_REAL_float Sc
#define NB_COMPLEX_CAPITAL_OF(type) NB_COMPLEX_CAPITAL_##type
#define NB_COMPLEX_CAPITAL(type) NB_COMPLEX_CAPITAL_OF(type)
#define NB_CAPITALS_WITH_REALS_OF(type) NB_CAPITALS_WITH_REALS_##type
#define NB_CAPITALS_WITH_REALS(type) NB_CAPITALS_WITH_REALS_OF(type)
#define NB_CAPITALS_TO_REAL_OF(type) NB_CAPITALS_TO_REAL_##type
#define NB_CAPITALS_TO_REAL(type) NB_CAPITALS_TO_REAL_OF(type)
#define ZCUBLAS(name) CUBLAS_NAME(NB_COMPLEX_CAPITAL(NB_REAL), name)
#define ZCUBLAS_WITH_REALS(name) CUBLAS_NAME(NB_CAPITALS_WITH_REALS(NB_REAL), name)
#define ZCUBLAS_TO_REAL(name) CUBLAS_NAME(NB_CAPITALS_TO_REAL(NB_REAL), name)

#ifdef __cplusplus

#undef CAPITAL
#undef MODEL
#undef LIBRARY
#define CAPITAL NB_COMPLEX_CAPITAL(NB_REAL)
#define CAPITALS_WITH_REALS NB_CAPITALS_WITH_REALS(NB_REAL)
#define CAPITALS_TO_REAL NB_CAPITALS_TO_REAL(NB_REAL)
#define MODEL(name) complex_loops_##name
#define REAL_MODEL(name) loops_##name
#define HELPER(name) complex_##name
#define TYPE(name) Complex##name
#define LIBRARY(name) __attribute__((unused)) complex_library_##name
#include "../../models/blas_complex_loops.inc"

#include "../../models/blas_complex_host.inc"

#include "../../models/blas_complex_more.inc"

#include "../../models/blas_complex_cublas.inc"
#undef CAPITAL
#define CAPITAL NB_CAPITAL(NB_REAL)

#else

int ZCUBLAS(dotu)(Handle handle, int n, const real *x, int incx, const real *y, int incy,
                  real *result);
int ZCUBLAS(dotc)(Handle handle, int n, const real *x, int incx, const real *y, int incy,
                  real *result);
int ZCUBLAS_TO_REAL(nrm2)(Handle handle, int n, const real *x, int incx, real *result);
int ZCUBLAS_TO_REAL(asum)(Handle handle, int n, const real *x, int incx, real *result);
int ZCUBLAS(axpy)(Handle handle, int n, const real *alpha, const real *x, int incx, real *y,
                  int incy);
int ZCUBLAS(scal)(Handle handle, int n, const real *alpha, real *x, int incx);
int ZCUBLAS_WITH_REALS(scal)(Handle handle, int n, const real *alpha, real *x, int incx);
int ZCUBLAS_WITH_REALS(rot)(Handle handle, int n, real *x, int incx, real *y, int incy,
                            const real *c, const real *s);
int ZCUBLAS(copy)(Handle handle, int n, const real *x, int incx, real *y, int incy);
int ZCUBLAS(swap)(Handle handle, int n, real *x, int incx, real *y, int incy);
int ZCUBLAS(gemv)(Handle handle, int trans, int m, int n, const real *alpha, const real *a, int lda,
                  const real *x, int incx, const real *beta, real *y, int incy);
int ZCUBLAS(geru)(Handle handle, int m, int n, const real *alpha, const real *x, int incx,
                  const real *y, int incy, real *a, int lda);
int ZCUBLAS(gerc)(Handle handle, int m, int n, const real *alpha, const real *x, int incx,
                  const real *y, int incy, real *a, int lda);
int ZCUBLAS(hemv)(Handle handle, int uplo, int n, const real *alpha, const real *a, int lda,
                  const real *x, int incx, const real *beta, real *y, int incy);
int ZCUBLAS(her)(Handle handle, int uplo, int n, const real *alpha, const real *x, int incx,
                 real *a, int lda);
int ZCUBLAS(her2)(Handle handle, int uplo, int n, const real *alpha, const real *x, int incx,
                  const real *y, int incy, real *a, int lda);
int ZCUBLAS(trmv)(Handle handle, int uplo, int trans, int diag, int n, const real *a, int lda,
                  real *x, int incx);
int ZCUBLAS(trsv)(Handle handle, int uplo, int trans, int diag, int n, const real *a, int lda,
                  real *x, int incx);
int ZCUBLAS(gemm)(Handle handle, int transa, int transb, int m, int n, int k, const real *alpha,
                  const real *a, int lda, const real *b, int ldb, const real *beta, real *c,
                  int ldc);
int ZCUBLAS(symm)(Handle handle, int side, int uplo, int m, int n, const real *alpha, const real *a,
                  int lda, const real *b, int ldb, const real *beta, real *c, int ldc);
int ZCUBLAS(hemm)(Handle handle, int side, int uplo, int m, int n, const real *alpha, const real *a,
                  int lda, const real *b, int ldb, const real *beta, real *c, int ldc);
int ZCUBLAS(herk)(Handle handle, int uplo, int trans, int n, int k, const real *alpha,
                  const real *a, int lda, const real *beta, real *c, int ldc);
int ZCUBLAS(syrk)(Handle handle, int uplo, int trans, int n, int k, const real *alpha,
                  const real *a, int lda, const real *beta, real *c, int ldc);
int ZCUBLAS(her2k)(Handle handle, int uplo, int trans, int n, int k, const real *alpha,
                   const real *a, int lda, const real *b, int ldb, const real *beta, real *c,
                   int ldc);
int ZCUBLAS(syr2k)(Handle handle, int uplo, int trans, int n, int k, const real *alpha,
                   const real *a, int lda, const real *b, int ldb, const real *beta, real *c,
                   int ldc);
int ZCUBLAS(trsm)(Handle handle, int side, int uplo, int trans, int diag, int m, int n,
                  const real *alpha, const real *a, int lda, real *b, int ldb);
int ZCUBLAS(trmm)(Handle handle, int side, int uplo, int trans, int diag, int m, int n,
                  const real *alpha, const real *a, int lda, const real *b, int ldb, real *c,
                  int ldc);

#endif

#endif
