// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* LAPACK's C interface on complex numbers for run tests, by stand-ins as in lapacke.h. */
#ifndef NB_RUN_LAPACKE_COMPLEX_H
#define NB_RUN_LAPACKE_COMPLEX_H

#include "blas.h"

#define ZCLAPACK(name) NB_JOIN(LAPACKE_, NB_COMPLEX_LETTER(NB_REAL), name, )

#ifndef __cplusplus

#include "../../models/letters.h"

#include <stdbool.h>

int ZCLAPACK(potrf)(int layout, char uplo, int n, real *a, int lda);
int ZCLAPACK(potri)(int layout, char uplo, int n, real *a, int lda);
int ZCLAPACK(trtri)(int layout, char uplo, char diag, int n, real *a, int lda);
int ZCLAPACK(potrs)(int layout, char uplo, int n, int columns, const real *a, int lda, real *b,
                    int ldb);
int ZCLAPACK(posv)(int layout, char uplo, int n, int columns, real *a, int lda, real *b, int ldb);
int ZCLAPACK(trtrs)(int layout, char uplo, char trans, char diag, int n, int columns, const real *a,
                    int lda, real *b, int ldb);
int ZCLAPACK(getrf)(int layout, int m, int n, real *a, int lda, int *pivots);
int ZCLAPACK(getrs)(int layout, char trans, int n, int columns, const real *a, int lda,
                    const int *pivots, real *b, int ldb);
int ZCLAPACK(gesv)(int layout, int n, int columns, real *a, int lda, int *pivots, real *b, int ldb);
int ZCLAPACK(getri)(int layout, int n, real *a, int lda, const int *pivots);
int ZCLAPACK(geqrf)(int layout, int m, int n, real *a, int lda, real *tau);
int ZCLAPACK(ungqr)(int layout, int m, int n, int k, real *a, int lda, const real *tau);
int ZCLAPACK(unmqr)(int layout, char side, char trans, int m, int n, int k, const real *a, int lda,
                    const real *tau, real *c, int ldc);
int ZCLAPACK(gels)(int layout, char trans, int m, int n, int columns, real *a, int lda, real *b,
                   int ldb);
int ZCLAPACK(heev)(int layout, char job, char uplo, int n, real *a, int lda, real *w);
int ZCLAPACK(heevd)(int layout, char job, char uplo, int n, real *a, int lda, real *w);
int ZCLAPACK(lacpy)(int layout, char uplo, int m, int n, const real *a, int lda, real *b, int ldb);
real ZCLAPACK(lange)(int layout, char norm, int m, int n, const real *a, int lda);

#pragma push_macro("FORTRAN")
#undef FORTRAN
#define FORTRAN(name) ZFORTRAN(name)
#define REAL real
#define HELPER(name) complex_##name
#define LAPACKE(name) NB_JOIN(stand_in_, NB_COMPLEX_LETTER(NB_REAL), name, _of_c)
#define MODEL_FUNCTION __attribute__((used, noinline))

static inline real *HELPER(new_room)(int rows, int columns) {
  return (real *)malloc((size_t)rows * (size_t)columns * 2 * sizeof(real));
}

static inline void HELPER(free_room)(real *room) { free(room); }

static inline void HELPER(copy_numbers)(int n, const real *x, int incx, real *y, int incy) {
  for (int i = 0; i < n; i++)
    for (int part = 0; part < 2; part++)
      y[2 * (long)i * incy + part] = x[2 * (long)i * incx + part];
}

#include "../../models/lapacke_complex.inc"

#define NB_TEXT_OF(text) #text
#define NB_TEXT(text) NB_TEXT_OF(text)
#define KNOWN_AS(name)                                                                             \
  __asm__(".globl " NB_TEXT(ZCLAPACK(name)) "\n.set " NB_TEXT(ZCLAPACK(name)) ", " NB_TEXT(        \
      LAPACKE(name)))
KNOWN_AS(lange);
KNOWN_AS(lacpy);
KNOWN_AS(heevd);
KNOWN_AS(heev);
KNOWN_AS(gels);
KNOWN_AS(unmqr);
KNOWN_AS(ungqr);
KNOWN_AS(geqrf);
KNOWN_AS(getri);
KNOWN_AS(gesv);
KNOWN_AS(getrs);
KNOWN_AS(getrf);
KNOWN_AS(trtrs);
KNOWN_AS(posv);
KNOWN_AS(potrs);
KNOWN_AS(trtri);
KNOWN_AS(potri);
KNOWN_AS(potrf);

#undef LAPACKE
#undef HELPER
#undef REAL
#pragma pop_macro("FORTRAN")
#endif

#endif
