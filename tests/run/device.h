// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* cuBLAS and CUDA's runtime for run tests: in the program under test a stand-in (with/device.c)
 * whose memory nobody but it can reach; in the reference the loops of models/, over dual numbers.
 */
#ifndef NB_RUN_DEVICE_H
#define NB_RUN_DEVICE_H

#define NB_LETTER_double d
#define NB_LETTER_float s
#define NB_CAPITAL_double D
#define NB_CAPITAL_float S
#define NB_LETTER_OF(type) NB_LETTER_##type
#define NB_LETTER(type) NB_LETTER_OF(type)
#define NB_CAPITAL_OF(type) NB_CAPITAL_##type
#define NB_CAPITAL(type) NB_CAPITAL_OF(type)

enum { OP_N, OP_T, OP_C };
enum { LOWER_PART, UPPER_PART };
enum { FULL_DIAGONAL, UNIT_DIAGONAL };
enum { FROM_LEFT, FROM_RIGHT };
enum { TO_DEVICE = 1, FROM_DEVICE = 2, ON_DEVICE = 3, ANY_DIRECTION = 4 };

#ifdef __cplusplus

#include <stdint.h>

#include "../../models/letters.h"

#define REAL real
#define VALUE_OF(x) (x)
#define LETTER NB_LETTER(NB_REAL)
#define CAPITAL NB_CAPITAL(NB_REAL)
#define MODEL_FUNCTION __attribute__((unused)) static
#define DEVICE_FUNCTION MODEL_FUNCTION
#define NB_LOOPS(name) loops_##name
#define MODEL(name) NB_LOOPS(name)
#define LIBRARY(name) __attribute__((unused)) library_##name
#include "../../models/blas_loops.inc"

#include "../../models/blas_banded.h"

#include "../../models/blas_stored_loops.inc"

#include "../../models/blas_packed.h"

#include "../../models/blas_stored_loops.inc"

#define HELPER(name) real_##name
#include "../../models/blas_packed_updates.inc"

MODEL_FUNCTION int __nabla_cublas_use(void *) { return 0; }
MODEL_FUNCTION void *__nabla_cublas_handle(void) { return NULL; }
MODEL_FUNCTION void __nabla_device_check(int, const char *) {}
MODEL_FUNCTION void __nabla_device_settle(const void *, const void *, const void *) {}
#include "../../models/blas_cublas.inc"

#include "../../models/blas_cublas_stored.inc"
#undef HELPER

MODEL_FUNCTION int cublasCreate_v2(void **handle) {
  *handle = NULL;
  return 0;
}
MODEL_FUNCTION int cublasDestroy_v2(void *) { return 0; }
MODEL_FUNCTION int cublasSetStream_v2(void *, void *) { return 0; }
MODEL_FUNCTION int cudaStreamCreate(void **) { return 0; }
MODEL_FUNCTION int cudaStreamSynchronize(void *) { return 0; }
MODEL_FUNCTION int cudaStreamDestroy(void *) { return 0; }
MODEL_FUNCTION int cudaDeviceSynchronize(void) { return 0; }
MODEL_FUNCTION int cudaMalloc(void **place, size_t bytes) {
  *place = calloc(1, bytes);
  return 0;
}
MODEL_FUNCTION int cudaMallocManaged(void **place, size_t bytes, unsigned) {
  return cudaMalloc(place, bytes);
}
MODEL_FUNCTION int cudaMallocHost(void **place, size_t bytes) { return cudaMalloc(place, bytes); }
#define cudaFreeHost cudaFree
MODEL_FUNCTION int cudaFree(void *memory) {
  free(memory);
  return 0;
}
MODEL_FUNCTION int cudaMemcpy(void *to, const void *from, size_t bytes, int) {
  for (size_t i = 0; i < bytes / sizeof(real); i++)
    ((real *)to)[i] = ((const real *)from)[i];
  return 0;
}
MODEL_FUNCTION int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int direction,
                                   void *) {
  return cudaMemcpy(to, from, bytes, direction);
}
MODEL_FUNCTION int cudaMemset(void *to, int, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof(real); i++)
    ((real *)to)[i] = 0;
  return 0;
}
MODEL_FUNCTION int cublasSetMatrix(int m, int n, int, const void *a, int lda, void *b, int ldb) {
  for (int j = 0; j < n; j++)
    cudaMemcpy((real *)b + j * ldb, (const real *)a + j * lda, (size_t)m * sizeof(real), 0);
  return 0;
}
#define cublasGetMatrix cublasSetMatrix
MODEL_FUNCTION int cublasSetVector(int n, int, const void *x, int incx, void *y, int incy) {
  return cublasSetMatrix(1, n, 0, x, incx, y, incy);
}
#define cublasGetVector cublasSetVector

#else

#include <stddef.h>

#define CUBLAS_JOIN(letter, name) cublas##letter##name##_v2
#define CUBLAS_NAME(letter, name) CUBLAS_JOIN(letter, name)
#define CUBLAS(name) CUBLAS_NAME(NB_CAPITAL(NB_REAL), name)

typedef struct cublasContext *Handle;
int CUBLAS(dot)(Handle handle, int n, const real *x, int incx, const real *y, int incy,
                real *result);
int CUBLAS(nrm2)(Handle handle, int n, const real *x, int incx, real *result);
int CUBLAS(asum)(Handle handle, int n, const real *x, int incx, real *result);
int CUBLAS(axpy)(Handle handle, int n, const real *alpha, const real *x, int incx, real *y,
                 int incy);
int CUBLAS(scal)(Handle handle, int n, const real *alpha, real *x, int incx);
int CUBLAS(copy)(Handle handle, int n, const real *x, int incx, real *y, int incy);
int CUBLAS(swap)(Handle handle, int n, real *x, int incx, real *y, int incy);
int CUBLAS(rot)(Handle handle, int n, real *x, int incx, real *y, int incy, const real *c,
                const real *s);
int CUBLAS(gemv)(Handle handle, int trans, int m, int n, const real *alpha, const real *a, int lda,
                 const real *x, int incx, const real *beta, real *y, int incy);
int CUBLAS(ger)(Handle handle, int m, int n, const real *alpha, const real *x, int incx,
                const real *y, int incy, real *a, int lda);
int CUBLAS(symv)(Handle handle, int uplo, int n, const real *alpha, const real *a, int lda,
                 const real *x, int incx, const real *beta, real *y, int incy);
int CUBLAS(syr)(Handle handle, int uplo, int n, const real *alpha, const real *x, int incx, real *a,
                int lda);
int CUBLAS(syr2)(Handle handle, int uplo, int n, const real *alpha, const real *x, int incx,
                 const real *y, int incy, real *a, int lda);
int CUBLAS(trmv)(Handle handle, int uplo, int trans, int diag, int n, const real *a, int lda,
                 real *x, int incx);
int CUBLAS(trsv)(Handle handle, int uplo, int trans, int diag, int n, const real *a, int lda,
                 real *x, int incx);
int CUBLAS(gemm)(Handle handle, int transa, int transb, int m, int n, int k, const real *alpha,
                 const real *a, int lda, const real *b, int ldb, const real *beta, real *c,
                 int ldc);
int CUBLAS(symm)(Handle handle, int side, int uplo, int m, int n, const real *alpha, const real *a,
                 int lda, const real *b, int ldb, const real *beta, real *c, int ldc);
int CUBLAS(syrk)(Handle handle, int uplo, int trans, int n, int k, const real *alpha, const real *a,
                 int lda, const real *beta, real *c, int ldc);
int CUBLAS(syr2k)(Handle handle, int uplo, int trans, int n, int k, const real *alpha,
                  const real *a, int lda, const real *b, int ldb, const real *beta, real *c,
                  int ldc);
int CUBLAS(trsm)(Handle handle, int side, int uplo, int trans, int diag, int m, int n,
                 const real *alpha, const real *a, int lda, real *b, int ldb);
int CUBLAS(trmm)(Handle handle, int side, int uplo, int trans, int diag, int m, int n,
                 const real *alpha, const real *a, int lda, const real *b, int ldb, real *c,
                 int ldc);
int CUBLAS(rotg)(Handle handle, real *a, real *b, real *c, real *s);
int CUBLAS(sbmv)(Handle handle, int uplo, int n, int k, const real *alpha, const real *a, int lda,
                 const real *x, int incx, const real *beta, real *y, int incy);
int CUBLAS(gbmv)(Handle handle, int trans, int m, int n, int below, int above, const real *alpha,
                 const real *a, int lda, const real *x, int incx, const real *beta, real *y,
                 int incy);
int CUBLAS(spmv)(Handle handle, int uplo, int n, const real *alpha, const real *a, const real *x,
                 int incx, const real *beta, real *y, int incy);
int CUBLAS(tbmv)(Handle handle, int uplo, int trans, int diag, int n, int k, const real *a, int lda,
                 real *x, int incx);
int CUBLAS(tbsv)(Handle handle, int uplo, int trans, int diag, int n, int k, const real *a, int lda,
                 real *x, int incx);
int CUBLAS(tpmv)(Handle handle, int uplo, int trans, int diag, int n, const real *a, real *x,
                 int incx);
int CUBLAS(tpsv)(Handle handle, int uplo, int trans, int diag, int n, const real *a, real *x,
                 int incx);
int CUBLAS(spr)(Handle handle, int uplo, int n, const real *alpha, const real *x, int incx,
                real *a);
int CUBLAS(spr2)(Handle handle, int uplo, int n, const real *alpha, const real *x, int incx,
                 const real *y, int incy, real *a);
int cublasCreate_v2(Handle *handle);
int cublasDestroy_v2(Handle handle);
int cublasSetPointerMode_v2(Handle handle, int mode);
int cublasSetStream_v2(Handle handle, void *stream);
int cublasSetMatrix(int m, int n, int size, const void *a, int lda, void *b, int ldb);
int cublasGetMatrix(int m, int n, int size, const void *a, int lda, void *b, int ldb);
int cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy);
int cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
int cudaMalloc(void **place, size_t bytes);
int cudaMallocManaged(void **place, size_t bytes, unsigned flags);
int cudaMallocHost(void **place, size_t bytes);
int cudaFreeHost(void *memory);
int cudaFree(void *memory);
int cudaMemcpy(void *to, const void *from, size_t bytes, int direction);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int direction, void *stream);
int cudaMemset(void *to, int byte, size_t bytes);
int cudaStreamCreate(void **stream);
int cudaStreamSynchronize(void *stream);
int cudaStreamDestroy(void *stream);
int cudaDeviceSynchronize(void);
int nb_device_live(void);

#endif

/* In a case: `a` and `b` are on the device what x and y are in the program, where
 * they end up. */
#define BEGIN(inputs, outputs)                                                                     \
  Handle handle;                                                                                   \
  real *a, *b;                                                                                     \
  cublasCreate_v2(&handle);                                                                        \
  cudaMalloc((void **)&a, (inputs) * sizeof(real));                                                \
  cudaMalloc((void **)&b, (outputs) * sizeof(real));                                               \
  cudaMemcpy(a, x, (inputs) * sizeof(real), TO_DEVICE);                                            \
  cudaMemcpy(b, y, (outputs) * sizeof(real), TO_DEVICE);                                           \
  (void)n
#define END(inputs, outputs)                                                                       \
  cudaMemcpy(x, a, (inputs) * sizeof(real), FROM_DEVICE);                                          \
  cudaMemcpy(y, b, (outputs) * sizeof(real), FROM_DEVICE);                                         \
  cudaFree(a);                                                                                     \
  cudaFree(b);                                                                                     \
  cublasDestroy_v2(handle)

#ifdef __cplusplus
typedef void *Handle;
#endif

#endif
