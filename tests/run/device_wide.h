// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The names of cuBLAS with sizes of 64 bits for run tests: by stand-ins, the models' bodies on the
 * names with 32, known by the assembler alone. */
#ifndef NB_RUN_DEVICE_WIDE_H
#define NB_RUN_DEVICE_WIDE_H

#include "device_complex.h"

#include <stdint.h>

#define WIDE_JOIN(capital, name) cublas##capital##name##_v2_64
#define WIDE_NAME(capital, name) WIDE_JOIN(capital, name)
#define WIDE(name) WIDE_NAME(NB_CAPITAL(NB_REAL), name)
#define ZWIDE(name) WIDE_NAME(NB_COMPLEX_CAPITAL(NB_REAL), name)
#define ZWIDE_TO_REAL(name) WIDE_NAME(NB_CAPITALS_TO_REAL(NB_REAL), name)

static inline int narrowed(int64_t size) { return (int)size; }

#ifdef __cplusplus

#include "../../models/blas_cublas_wide.inc"
#undef CAPITAL
#define CAPITAL NB_COMPLEX_CAPITAL(NB_REAL)
#include "../../models/blas_complex_cublas_wide.inc"
#undef CAPITAL
#define CAPITAL NB_CAPITAL(NB_REAL)

#else

int WIDE(dot)(Handle handle, int64_t n, const real *x, int64_t incx, const real *y, int64_t incy,
              real *result);
int WIDE(axpy)(Handle handle, int64_t n, const real *alpha, const real *x, int64_t incx, real *y,
               int64_t incy);
int WIDE(gemv)(Handle handle, int trans, int64_t m, int64_t n, const real *alpha, const real *a,
               int64_t lda, const real *x, int64_t incx, const real *beta, real *y, int64_t incy);
int WIDE(gbmv)(Handle handle, int trans, int64_t m, int64_t n, int64_t below, int64_t above,
               const real *alpha, const real *a, int64_t lda, const real *x, int64_t incx,
               const real *beta, real *y, int64_t incy);
int WIDE(gemm)(Handle handle, int transa, int transb, int64_t m, int64_t n, int64_t k,
               const real *alpha, const real *a, int64_t lda, const real *b, int64_t ldb,
               const real *beta, real *c, int64_t ldc);
int ZWIDE(dotc)(Handle handle, int64_t n, const real *x, int64_t incx, const real *y, int64_t incy,
                real *result);
int ZWIDE_TO_REAL(nrm2)(Handle handle, int64_t n, const real *x, int64_t incx, real *result);
int ZWIDE(gemm)(Handle handle, int transa, int transb, int64_t m, int64_t n, int64_t k,
                const real *alpha, const real *a, int64_t lda, const real *b, int64_t ldb,
                const real *beta, real *c, int64_t ldc);

#define REAL real
#define DEVICE_FUNCTION __attribute__((used, noinline)) static
#define CUBLAS_WIDE(name) NB_WIDE_JOIN(NB_CAPITAL(NB_REAL), name)
#define CUBLAS_WIDE_WITH_REALS(name) NB_WIDE_JOIN(NB_CAPITALS_WITH_REALS(NB_REAL), name)
#define CUBLAS_WIDE_TO_REAL(name) NB_WIDE_JOIN(NB_CAPITALS_TO_REAL(NB_REAL), name)
#define NB_WIDE_JOIN(capital, name) NB_WIDE_JOIN_OF(capital, name)
#define NB_WIDE_JOIN_OF(capital, name) stand_in_##capital##name##_wide
#include "../../models/blas_cublas_wide.inc"

#undef CUBLAS_WIDE
#define CUBLAS_WIDE(name) NB_WIDE_JOIN(NB_COMPLEX_CAPITAL(NB_REAL), name)
#define CUBLAS_WITH_REALS(name) ZCUBLAS_WITH_REALS(name)
#define CUBLAS_TO_REAL(name) ZCUBLAS_TO_REAL(name)
#pragma push_macro("CUBLAS")
#undef CUBLAS
#define CUBLAS(name) ZCUBLAS(name)
#include "../../models/blas_complex_cublas_wide.inc"
#pragma pop_macro("CUBLAS")

#define NB_TEXT_OF(text) #text
#define NB_TEXT(text) NB_TEXT_OF(text)
#define KNOWN_AS(name, stand_in)                                                                   \
  __asm__(".globl " NB_TEXT(name) "\n.set " NB_TEXT(name) ", " NB_TEXT(stand_in))
KNOWN_AS(ZWIDE(dotc), CUBLAS_WIDE(dotc));
KNOWN_AS(ZWIDE(gemm), CUBLAS_WIDE(gemm));
KNOWN_AS(ZWIDE_TO_REAL(nrm2), CUBLAS_WIDE_TO_REAL(nrm2));
#undef CUBLAS_WIDE
#define CUBLAS_WIDE(name) NB_WIDE_JOIN(NB_CAPITAL(NB_REAL), name)
KNOWN_AS(WIDE(dot), CUBLAS_WIDE(dot));
KNOWN_AS(WIDE(axpy), CUBLAS_WIDE(axpy));
KNOWN_AS(WIDE(gemv), CUBLAS_WIDE(gemv));
KNOWN_AS(WIDE(gbmv), CUBLAS_WIDE(gbmv));
KNOWN_AS(WIDE(gemm), CUBLAS_WIDE(gemm));
#endif

#endif
