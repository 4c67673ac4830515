// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The BLAS for run tests: the library's own in the program under test; in the reference the loops
 * of models/, over dual numbers, under the same names. */
#ifndef NB_RUN_BLAS_H
#define NB_RUN_BLAS_H

#define NB_LETTER_double d
#define NB_LETTER_float s
#define NB_COMPLEX_LETTER_double z
#define NB_COMPLEX_LETTER_float c
#define NB_WITH_REALS_double zd
#define NB_WITH_REALS_float cs
#define NB_TO_REAL_double dz
#define NB_TO_REAL_float sc
#define NB_COMPLEX_LETTER_OF(type) NB_COMPLEX_LETTER_##type
#define NB_COMPLEX_LETTER(type) NB_COMPLEX_LETTER_OF(type)
#define NB_WITH_REALS_OF(type) NB_WITH_REALS_##type
#define NB_WITH_REALS(type) NB_WITH_REALS_OF(type)
#define NB_TO_REAL_OF(type) NB_TO_REAL_##type
#define NB_TO_REAL(type) NB_TO_REAL_OF(type)
#define NB_LETTER_OF(type) NB_LETTER_##type
#define NB_LETTER(type) NB_LETTER_OF(type)
#define NB_JOIN_OF(before, letter, name, after) before##letter##name##after
#define NB_JOIN(before, letter, name, after) NB_JOIN_OF(before, letter, name, after)

#ifdef __cplusplus

#include "../../models/letters.h"

#define REAL real
#define VALUE_OF(x) (x)
#define LETTER NB_LETTER(NB_REAL)
#define MODEL_FUNCTION __attribute__((unused)) static
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

#include "../../models/blas_cblas.inc"

#include "../../models/blas_cblas_stored.inc"

#undef LIBRARY
#define LIBRARY(name) __attribute__((unused)) fortran_library_##name
#include "../../models/blas_fortran.inc"

#include "../../models/blas_fortran_stored.inc"

#include "../../models/lapack_loops.inc"

#include "../../models/lapack_reflections_loops.inc"

#include "../../models/lapack_fortran.inc"

static inline size_t HELPER(size)(bool wanted, int rows, int columns) {
  return wanted && rows > 0 && columns > 0 ? (size_t)rows * (size_t)columns : 0;
}
static inline real *HELPER(new_array)(size_t count) {
  return (real *)calloc(count + 1, sizeof(real));
}
static inline void HELPER(release)(real *array, bool) { free(array); }
#include "../../models/lapack_fortran_more.inc"

#define TYPE(name) Real##name
static inline void __nabla_unmodelled(const char *) { abort(); }
#include "../../models/lapack_spectra_loops.inc"

#define _Noreturn
#include "../../models/lapack_fortran_spectra.inc"
#undef _Noreturn

#include "../../models/lapacke.inc"

#undef TYPE

#undef HELPER

#undef LETTER
#undef MODEL
#undef LIBRARY
#define LETTER NB_COMPLEX_LETTER(NB_REAL)
#define MODEL(name) complex_loops_##name
#define REAL_MODEL(name) loops_##name
#define HELPER(name) complex_##name
#define TYPE(name) Complex##name
#define LETTERS_WITH_REALS NB_WITH_REALS(NB_REAL)
#define LETTERS_TO_REAL NB_TO_REAL(NB_REAL)
#define LIBRARY(name) __attribute__((unused)) complex_library_##name
#include "../../models/blas_complex_loops.inc"

#include "../../models/blas_complex_host.inc"

#include "../../models/blas_complex_more.inc"

#include "../../models/blas_complex_band.inc"

#include "../../models/blas_banded.h"

#include "../../models/blas_complex_stored.inc"

#include "../../models/blas_packed.h"

#include "../../models/blas_complex_stored.inc"

#include "../../models/blas_complex_cblas.inc"

#include "../../models/blas_complex_cblas_more.inc"

#include "../../models/blas_complex_cblas_stored.inc"

#undef LIBRARY
#define LIBRARY(name) __attribute__((unused)) complex_fortran_library_##name
#include "../../models/blas_complex_fortran.inc"

#include "../../models/blas_complex_fortran_more.inc"

#include "../../models/blas_complex_fortran_stored.inc"

#include "../../models/lapack_complex_loops.inc"

#include "../../models/lapack_complex_fortran.inc"

#include "../../models/lapack_complex_more.inc"

#include "../../models/lapack_complex_spectra_loops.inc"

#include "../../models/lapack_complex_fortran_spectra.inc"

#include "../../models/lapacke_complex.inc"

#undef LETTER
#define LETTER NB_LETTER(NB_REAL)

#else

#define ZFORTRAN(name) NB_JOIN(, NB_COMPLEX_LETTER(NB_REAL), name, _)
#define CBLAS(name) NB_JOIN(cblas_, NB_LETTER(NB_REAL), name, )
#define FORTRAN(name) NB_JOIN(, NB_LETTER(NB_REAL), name, _)
#include <cblas.h>

typedef const int *Count;
typedef const char *Letter;
real FORTRAN(dot)(Count n, const real *x, Count incx, const real *y, Count incy);
real FORTRAN(nrm2)(Count n, const real *x, Count incx);
real FORTRAN(asum)(Count n, const real *x, Count incx);
void FORTRAN(axpy)(Count n, const real *alpha, const real *x, Count incx, real *y, Count incy);
void FORTRAN(scal)(Count n, const real *alpha, real *x, Count incx);
void FORTRAN(copy)(Count n, const real *x, Count incx, real *y, Count incy);
void FORTRAN(swap)(Count n, real *x, Count incx, real *y, Count incy);
void FORTRAN(rot)(Count n, real *x, Count incx, real *y, Count incy, const real *c, const real *s);
void FORTRAN(gemv)(Letter trans, Count m, Count n, const real *alpha, const real *a, Count lda,
                   const real *x, Count incx, const real *beta, real *y, Count incy);
void FORTRAN(ger)(Count m, Count n, const real *alpha, const real *x, Count incx, const real *y,
                  Count incy, real *a, Count lda);
void FORTRAN(trsv)(Letter uplo, Letter trans, Letter diag, Count n, const real *a, Count lda,
                   real *x, Count incx);
void FORTRAN(gemm)(Letter transa, Letter transb, Count m, Count n, Count k, const real *alpha,
                   const real *a, Count lda, const real *b, Count ldb, const real *beta, real *c,
                   Count ldc);
void FORTRAN(syrk)(Letter uplo, Letter trans, Count n, Count k, const real *alpha, const real *a,
                   Count lda, const real *beta, real *c, Count ldc);
void FORTRAN(rotg)(real *a, real *b, real *c, real *s);
void FORTRAN(gbmv)(Letter trans, Count m, Count n, Count below, Count above, const real *alpha,
                   const real *a, Count lda, const real *x, Count incx, const real *beta, real *y,
                   Count incy);
void FORTRAN(sbmv)(Letter uplo, Count n, Count k, const real *alpha, const real *a, Count lda,
                   const real *x, Count incx, const real *beta, real *y, Count incy);
void FORTRAN(spmv)(Letter uplo, Count n, const real *alpha, const real *a, const real *x,
                   Count incx, const real *beta, real *y, Count incy);
void FORTRAN(tbmv)(Letter uplo, Letter trans, Letter diag, Count n, Count k, const real *a,
                   Count lda, real *x, Count incx);
void FORTRAN(tbsv)(Letter uplo, Letter trans, Letter diag, Count n, Count k, const real *a,
                   Count lda, real *x, Count incx);
void FORTRAN(tpmv)(Letter uplo, Letter trans, Letter diag, Count n, const real *a, real *x,
                   Count incx);
void FORTRAN(tpsv)(Letter uplo, Letter trans, Letter diag, Count n, const real *a, real *x,
                   Count incx);
void FORTRAN(potrf)(Letter uplo, Count n, real *a, Count lda, int *info);
void FORTRAN(potrs)(Letter uplo, Count n, Count columns, const real *a, Count lda, real *b,
                    Count ldb, int *info);
void FORTRAN(posv)(Letter uplo, Count n, Count columns, real *a, Count lda, real *b, Count ldb,
                   int *info);
void FORTRAN(trtrs)(Letter uplo, Letter trans, Letter diag, Count n, Count columns, const real *a,
                    Count lda, real *b, Count ldb, int *info);
void FORTRAN(getrf)(Count m, Count n, real *a, Count lda, int *pivots, int *info);
void FORTRAN(getrs)(Letter trans, Count n, Count columns, const real *a, Count lda,
                    const int *pivots, real *b, Count ldb, int *info);
void FORTRAN(trtri)(Letter uplo, Letter diag, Count n, real *a, Count lda, int *info);
void FORTRAN(potri)(Letter uplo, Count n, real *a, Count lda, int *info);
void FORTRAN(getri)(Count n, real *a, Count lda, const int *pivots, real *work, Count lwork,
                    int *info);
void FORTRAN(geqrf)(Count m, Count n, real *a, Count lda, real *tau, real *work, Count lwork,
                    int *info);
void FORTRAN(ormqr)(Letter side, Letter trans, Count m, Count n, Count k, const real *a, Count lda,
                    const real *tau, real *c, Count ldc, real *work, Count lwork, int *info);
void FORTRAN(orgqr)(Count m, Count n, Count k, real *a, Count lda, const real *tau, real *work,
                    Count lwork, int *info);
void FORTRAN(gels)(Letter trans, Count m, Count n, Count columns, real *a, Count lda, real *b,
                   Count ldb, real *work, Count lwork, int *info);
void FORTRAN(syev)(Letter job, Letter uplo, Count n, real *a, Count lda, real *w, real *work,
                   Count lwork, int *info);
void FORTRAN(syevd)(Letter job, Letter uplo, Count n, real *a, Count lda, real *w, real *work,
                    Count lwork, int *iwork, Count liwork, int *info);
void FORTRAN(gesvd)(Letter job_u, Letter job_vt, Count m, Count n, real *a, Count lda, real *s,
                    real *u, Count ldu, real *vt, Count ldvt, real *work, Count lwork, int *info);
void FORTRAN(gesdd)(Letter job, Count m, Count n, real *a, Count lda, real *s, real *u, Count ldu,
                    real *vt, Count ldvt, real *work, Count lwork, int *iwork, int *info);
void FORTRAN(lacpy)(Letter uplo, Count m, Count n, const real *a, Count lda, real *b, Count ldb);
void FORTRAN(laswp)(Count n, real *a, Count lda, Count first, Count last, const int *pivots,
                    Count increment);
real FORTRAN(lange)(Letter norm, Count m, Count n, const real *a, Count lda, real *work);
void FORTRAN(gesv)(Count n, Count columns, real *a, Count lda, int *pivots, real *b, Count ldb,
                   int *info);
void FORTRAN(trsm)(Letter side, Letter uplo, Letter trans, Letter diag, Count m, Count n,
                   const real *alpha, const real *a, Count lda, real *b, Count ldb);
void ZFORTRAN(axpy)(Count n, const real *alpha, const real *x, Count incx, real *y, Count incy);
void ZFORTRAN(scal)(Count n, const real *alpha, real *x, Count incx);
void ZFORTRAN(copy)(Count n, const real *x, Count incx, real *y, Count incy);
void ZFORTRAN(swap)(Count n, real *x, Count incx, real *y, Count incy);
real NB_JOIN(, NB_TO_REAL(NB_REAL), nrm2, _)(Count n, const real *x, Count incx);
real NB_JOIN(, NB_TO_REAL(NB_REAL), asum, _)(Count n, const real *x, Count incx);
void NB_JOIN(, NB_WITH_REALS(NB_REAL), scal, _)(Count n, const real *alpha, real *x, Count incx);
void NB_JOIN(, NB_WITH_REALS(NB_REAL), rot, _)(Count n, real *x, Count incx, real *y, Count incy,
                                               const real *c, const real *s);
NB_REAL _Complex ZFORTRAN(dotu)(Count n, const real *x, Count incx, const real *y, Count incy);
NB_REAL _Complex ZFORTRAN(dotc)(Count n, const real *x, Count incx, const real *y, Count incy);
void ZFORTRAN(gemv)(Letter trans, Count m, Count n, const real *alpha, const real *a, Count lda,
                    const real *x, Count incx, const real *beta, real *y, Count incy);
void ZFORTRAN(geru)(Count m, Count n, const real *alpha, const real *x, Count incx, const real *y,
                    Count incy, real *a, Count lda);
void ZFORTRAN(gerc)(Count m, Count n, const real *alpha, const real *x, Count incx, const real *y,
                    Count incy, real *a, Count lda);
void ZFORTRAN(gemm)(Letter transa, Letter transb, Count m, Count n, Count k, const real *alpha,
                    const real *a, Count lda, const real *b, Count ldb, const real *beta, real *c,
                    Count ldc);
void ZFORTRAN(symm)(Letter side, Letter uplo, Count m, Count n, const real *alpha, const real *a,
                    Count lda, const real *b, Count ldb, const real *beta, real *c, Count ldc);
void ZFORTRAN(hemm)(Letter side, Letter uplo, Count m, Count n, const real *alpha, const real *a,
                    Count lda, const real *b, Count ldb, const real *beta, real *c, Count ldc);
void ZFORTRAN(herk)(Letter uplo, Letter trans, Count n, Count k, const real *alpha, const real *a,
                    Count lda, const real *beta, real *c, Count ldc);
void ZFORTRAN(syrk)(Letter uplo, Letter trans, Count n, Count k, const real *alpha, const real *a,
                    Count lda, const real *beta, real *c, Count ldc);
void ZFORTRAN(trmm)(Letter side, Letter uplo, Letter trans, Letter diag, Count m, Count n,
                    const real *alpha, const real *a, Count lda, real *b, Count ldb);
void ZFORTRAN(trsm)(Letter side, Letter uplo, Letter trans, Letter diag, Count m, Count n,
                    const real *alpha, const real *a, Count lda, real *b, Count ldb);
void ZFORTRAN(potrf)(Letter uplo, Count n, real *a, Count lda, int *info);
void ZFORTRAN(potrs)(Letter uplo, Count n, Count columns, const real *a, Count lda, real *b,
                     Count ldb, int *info);
void ZFORTRAN(posv)(Letter uplo, Count n, Count columns, real *a, Count lda, real *b, Count ldb,
                    int *info);
void ZFORTRAN(trtrs)(Letter uplo, Letter trans, Letter diag, Count n, Count columns, const real *a,
                     Count lda, real *b, Count ldb, int *info);
void ZFORTRAN(getrf)(Count m, Count n, real *a, Count lda, int *pivots, int *info);
void ZFORTRAN(getrs)(Letter trans, Count n, Count columns, const real *a, Count lda,
                     const int *pivots, real *b, Count ldb, int *info);
void ZFORTRAN(gesv)(Count n, Count columns, real *a, Count lda, int *pivots, real *b, Count ldb,
                    int *info);
void ZFORTRAN(getri)(Count n, real *a, Count lda, const int *pivots, real *work, Count lwork,
                     int *info);
void FORTRAN(spr)(Letter uplo, Count n, const real *alpha, const real *x, Count incx, real *a);
void FORTRAN(spr2)(Letter uplo, Count n, const real *alpha, const real *x, Count incx,
                   const real *y, Count incy, real *a);
void ZFORTRAN(trmv)(Letter uplo, Letter trans, Letter diag, Count n, const real *a, Count lda,
                    real *x, Count incx);
void ZFORTRAN(trsv)(Letter uplo, Letter trans, Letter diag, Count n, const real *a, Count lda,
                    real *x, Count incx);
void ZFORTRAN(hemv)(Letter uplo, Count n, const real *alpha, const real *a, Count lda,
                    const real *x, Count incx, const real *beta, real *y, Count incy);
void ZFORTRAN(her)(Letter uplo, Count n, const real *alpha, const real *x, Count incx, real *a,
                   Count lda);
void ZFORTRAN(her2)(Letter uplo, Count n, const real *alpha, const real *x, Count incx,
                    const real *y, Count incy, real *a, Count lda);
void ZFORTRAN(her2k)(Letter uplo, Letter trans, Count n, Count k, const real *alpha, const real *a,
                     Count lda, const real *b, Count ldb, const real *beta, real *c, Count ldc);
void ZFORTRAN(syr2k)(Letter uplo, Letter trans, Count n, Count k, const real *alpha, const real *a,
                     Count lda, const real *b, Count ldb, const real *beta, real *c, Count ldc);
void ZFORTRAN(gbmv)(Letter trans, Count m, Count n, Count below, Count above, const real *alpha,
                    const real *a, Count lda, const real *x, Count incx, const real *beta, real *y,
                    Count incy);
void ZFORTRAN(hbmv)(Letter uplo, Count n, Count k, const real *alpha, const real *a, Count lda,
                    const real *x, Count incx, const real *beta, real *y, Count incy);
void ZFORTRAN(hpmv)(Letter uplo, Count n, const real *alpha, const real *a, const real *x,
                    Count incx, const real *beta, real *y, Count incy);
void ZFORTRAN(tbmv)(Letter uplo, Letter trans, Letter diag, Count n, Count k, const real *a,
                    Count lda, real *x, Count incx);
void ZFORTRAN(tbsv)(Letter uplo, Letter trans, Letter diag, Count n, Count k, const real *a,
                    Count lda, real *x, Count incx);
void ZFORTRAN(tpmv)(Letter uplo, Letter trans, Letter diag, Count n, const real *a, real *x,
                    Count incx);
void ZFORTRAN(tpsv)(Letter uplo, Letter trans, Letter diag, Count n, const real *a, real *x,
                    Count incx);
void ZFORTRAN(hpr)(Letter uplo, Count n, const real *alpha, const real *x, Count incx, real *a);
void ZFORTRAN(hpr2)(Letter uplo, Count n, const real *alpha, const real *x, Count incx,
                    const real *y, Count incy, real *a);
void ZFORTRAN(trtri)(Letter uplo, Letter diag, Count n, real *a, Count lda, int *info);
void ZFORTRAN(potri)(Letter uplo, Count n, real *a, Count lda, int *info);
void ZFORTRAN(geqrf)(Count m, Count n, real *a, Count lda, real *tau, real *work, Count lwork,
                     int *info);
void ZFORTRAN(unmqr)(Letter side, Letter trans, Count m, Count n, Count k, const real *a, Count lda,
                     const real *tau, real *c, Count ldc, real *work, Count lwork, int *info);
void ZFORTRAN(ungqr)(Count m, Count n, Count k, real *a, Count lda, const real *tau, real *work,
                     Count lwork, int *info);
void ZFORTRAN(gels)(Letter trans, Count m, Count n, Count columns, real *a, Count lda, real *b,
                    Count ldb, real *work, Count lwork, int *info);
void ZFORTRAN(lacpy)(Letter uplo, Count m, Count n, const real *a, Count lda, real *b, Count ldb);
void ZFORTRAN(laswp)(Count n, real *a, Count lda, Count first, Count last, const int *pivots,
                     Count increment);
real ZFORTRAN(lange)(Letter norm, Count m, Count n, const real *a, Count lda, real *work);
void ZFORTRAN(rotg)(real *a, const real *b, real *c, real *s);
void ZFORTRAN(heev)(Letter job, Letter uplo, Count n, real *a, Count lda, real *w, real *work,
                    Count lwork, real *rwork, int *info);
void ZFORTRAN(heevd)(Letter job, Letter uplo, Count n, real *a, Count lda, real *w, real *work,
                     Count lwork, real *rwork, Count lrwork, int *iwork, Count liwork, int *info);

#endif

#ifdef __cplusplus
#define ZFORTRAN(name) NB_JOIN(, NB_COMPLEX_LETTER(NB_REAL), name, _)
/* The sum of x y, or of conj(x) y, by the function that returns it. */
#define DOT_BY_FORTRAN(name, n, x, incx, y, incy, to)                                              \
  NB_JOIN(cblas_, NB_COMPLEX_LETTER(NB_REAL), name, _sub)(n, x, incx, y, incy, to)
#define DOT_BY_C DOT_BY_FORTRAN
#else
#define DOT_BY_FORTRAN(name, n, x, incx, y, incy, to)                                              \
  *(NB_REAL _Complex *)(to) = ZFORTRAN(name)((int[]){n}, x, (int[]){incx}, y, (int[]){incy})
#define DOT_BY_C(name, n, x, incx, y, incy, to)                                                    \
  *(NB_REAL _Complex *)(to) = ZBLAS(name)(n, x, incx, y, incy)
#endif

/* The complex functions, those that take reals besides, and those that return one. */
#define ZBLAS(name) NB_JOIN(cblas_, NB_COMPLEX_LETTER(NB_REAL), name, )
#define ZBLAS_WITH_REALS(name) NB_JOIN(cblas_, NB_WITH_REALS(NB_REAL), name, )
#define ZBLAS_TO_REAL(name) NB_JOIN(cblas_, NB_TO_REAL(NB_REAL), name, )
#define ZFORTRAN_WITH_REALS(name) NB_JOIN(, NB_WITH_REALS(NB_REAL), name, _)
#define ZFORTRAN_TO_REAL(name) NB_JOIN(, NB_TO_REAL(NB_REAL), name, _)

#define CLAPACK(name) NB_JOIN(LAPACKE_, NB_LETTER(NB_REAL), name, )

/* The C interface's numbers. */
#define COLUMNS 102
#define ROWS 101
#define PLAIN 111
#define TRANSPOSE 112
#define ADJOINT 113
#define UPPER_PART 121
#define LOWER_PART 122
#define FULL_DIAGONAL 131
#define UNIT_DIAGONAL 132
#define FROM_LEFT 141
#define FROM_RIGHT 142

#endif
