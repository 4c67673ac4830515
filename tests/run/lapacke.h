// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* LAPACK's C interface for run tests. It is no part of every LAPACK: so its functions are
 * stand-ins, the models' bodies on Fortran's interface, known by the assembler alone. */
#ifndef NB_RUN_LAPACKE_H
#define NB_RUN_LAPACKE_H

#include "blas.h"

#ifndef __cplusplus

#include "../../models/letters.h"

#include <stdbool.h>

int CLAPACK(potrf)(int layout, char uplo, int n, real *a, int lda);
int CLAPACK(potri)(int layout, char uplo, int n, real *a, int lda);
int CLAPACK(trtri)(int layout, char uplo, char diag, int n, real *a, int lda);
int CLAPACK(potrs)(int layout, char uplo, int n, int columns, const real *a, int lda, real *b,
                   int ldb);
int CLAPACK(posv)(int layout, char uplo, int n, int columns, real *a, int lda, real *b, int ldb);
int CLAPACK(trtrs)(int layout, char uplo, char trans, char diag, int n, int columns, const real *a,
                   int lda, real *b, int ldb);
int CLAPACK(getrf)(int layout, int m, int n, real *a, int lda, int *pivots);
int CLAPACK(getrs)(int layout, char trans, int n, int columns, const real *a, int lda,
                   const int *pivots, real *b, int ldb);
int CLAPACK(gesv)(int layout, int n, int columns, real *a, int lda, int *pivots, real *b, int ldb);
int CLAPACK(getri)(int layout, int n, real *a, int lda, const int *pivots);
int CLAPACK(geqrf)(int layout, int m, int n, real *a, int lda, real *tau);
int CLAPACK(orgqr)(int layout, int m, int n, int k, real *a, int lda, const real *tau);
int CLAPACK(ormqr)(int layout, char side, char trans, int m, int n, int k, const real *a, int lda,
                   const real *tau, real *c, int ldc);
int CLAPACK(gels)(int layout, char trans, int m, int n, int columns, real *a, int lda, real *b,
                  int ldb);
int CLAPACK(syev)(int layout, char job, char uplo, int n, real *a, int lda, real *w);
int CLAPACK(syevd)(int layout, char job, char uplo, int n, real *a, int lda, real *w);
int CLAPACK(gesvd)(int layout, char job_u, char job_vt, int m, int n, real *a, int lda, real *s,
                   real *u, int ldu, real *vt, int ldvt, real *rest);
int CLAPACK(gesdd)(int layout, char job, int m, int n, real *a, int lda, real *s, real *u, int ldu,
                   real *vt, int ldvt);
int CLAPACK(lacpy)(int layout, char uplo, int m, int n, const real *a, int lda, real *b, int ldb);
real CLAPACK(lange)(int layout, char norm, int m, int n, const real *a, int lda);

#define REAL real
#define TYPE(name) Real##name
#define HELPER(name) real_##name
#define MODEL(name) stand_in_##name
#define LAPACKE(name) NB_JOIN(stand_in_, NB_LETTER(NB_REAL), name, _of_c)
#define MODEL_FUNCTION __attribute__((used, noinline))

static inline size_t HELPER(size)(bool wanted, int rows, int columns) {
  return wanted && rows > 0 && columns > 0 ? (size_t)rows * (size_t)columns : 0;
}

static inline real *HELPER(new_room)(size_t count) {
  return (real *)malloc((count + 1) * sizeof(real));
}

static inline void MODEL(copy)(int n, const real *x, int incx, real *y, int incy) {
  for (int i = 0; i < n; i++)
    y[(long)i * incy] = x[(long)i * incx];
}

static inline void MODEL(swap)(int n, real *x, int incx, real *y, int incy) {
  for (int i = 0; i < n; i++) {
    real old = x[(long)i * incx];
    x[(long)i * incx] = y[(long)i * incy];
    y[(long)i * incy] = old;
  }
}

#include "../../models/lapacke.inc"

#define NB_TEXT_OF(text) #text
#define NB_TEXT(text) NB_TEXT_OF(text)
#define KNOWN_AS(name)                                                                             \
  __asm__(".globl " NB_TEXT(CLAPACK(name)) "\n.set " NB_TEXT(CLAPACK(name)) ", " NB_TEXT(          \
      LAPACKE(name)))
KNOWN_AS(potrf);
KNOWN_AS(potri);
KNOWN_AS(trtri);
KNOWN_AS(potrs);
KNOWN_AS(posv);
KNOWN_AS(trtrs);
KNOWN_AS(getrf);
KNOWN_AS(getrs);
KNOWN_AS(gesv);
KNOWN_AS(getri);
KNOWN_AS(geqrf);
KNOWN_AS(orgqr);
KNOWN_AS(ormqr);
KNOWN_AS(gels);
KNOWN_AS(syev);
KNOWN_AS(syevd);
KNOWN_AS(gesvd);
KNOWN_AS(gesdd);
KNOWN_AS(lacpy);
KNOWN_AS(lange);

#undef LAPACKE
#undef MODEL
#undef HELPER
#undef TYPE
#undef REAL
#endif

#endif
