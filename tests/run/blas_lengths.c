// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-10
/* The BLAS and LAPACK by Fortran's interface with the lengths of their character arguments, as
 * Fortran's compilers pass them, and in the same program without. */
#include "cases.h"

#ifdef __cplusplus

#include "blas.h"

#define WITH(...)
#define GEMV_WITHOUT FORTRAN(gemv)

#else

#include <stddef.h>

#define WITH(...) , __VA_ARGS__
#define LETTER_double d
#define LETTER_float s
#define LETTER_OF(type) LETTER_##type
#define LETTER(type) LETTER_OF(type)
#define JOIN_OF(letter, name) letter##name##_
#define JOIN(letter, name) JOIN_OF(letter, name)
#define FORTRAN(name) JOIN(LETTER(NB_REAL), name)

typedef const int *Count;
typedef const char *Letter;
void FORTRAN(gemm)(Letter transa, Letter transb, Count m, Count n, Count k, const real *alpha,
                   const real *a, Count lda, const real *b, Count ldb, const real *beta, real *c,
                   Count ldc, size_t length_a, size_t length_b);
void FORTRAN(gemv)(Letter trans, Count m, Count n, const real *alpha, const real *a, Count lda,
                   const real *x, Count incx, const real *beta, real *y, Count incy, size_t length);
int FORTRAN(trsv)(Letter uplo, Letter trans, Letter diag, Count n, const real *a, Count lda,
                  real *x, Count incx, int length_uplo, int length_trans, int length_diag);
void FORTRAN(potrf)(Letter uplo, Count n, real *a, Count lda, int *info, size_t length);
void FORTRAN(potrs)(Letter uplo, Count n, Count columns, const real *a, Count lda, real *b,
                    Count ldb, int *info, size_t length);
void FORTRAN(posv)(Letter uplo, Count n, Count columns, real *a, Count lda, real *b, Count ldb,
                   int *info, size_t length);
real FORTRAN(lange)(Letter norm, Count m, Count n, const real *a, Count lda, real *work,
                    size_t length);
void FORTRAN(syev)();

typedef void Gemv(Letter trans, Count m, Count n, const real *alpha, const real *a, Count lda,
                  const real *x, Count incx, const real *beta, real *y, Count incy);
#define GEMV_WITHOUT ((Gemv *)FORTRAN(gemv))

#endif

MAP(products, 12, 4, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35) {
  int m = 2, one = 1;
  real unit = 1, zero = 0, c[4], v[2] = {x[1], x[2]};
  FORTRAN(gemm)("N", "t", &m, &m, &m, &x[0], x, &m, x + 4, &m, &zero, c, &m WITH(1, 1));
  FORTRAN(gemv)("N", &m, &m, &unit, c, &m, v, &one, &zero, y, &one WITH(1));
  GEMV_WITHOUT("T", &m, &m, &unit, c, &m, y, &one, &x[8], v, &one);
  y[2] = v[0] * y[0];
  y[3] = v[1];
}

MAP(triangle, 4, 2, 0.7, -1.3, 0.4, 2.1) {
  int m = 2, one = 1;
  y[0] = x[1];
  y[1] = x[0];
  FORTRAN(trsv)("L", "N", "N", &m, x, &m, y, &one WITH(1, 1, 1));
}

MAP(definite, 6, 3, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9) {
  int m = 2, one = 1, info;
  real a[4] = {3 + x[0] * x[0], x[1], 0, 4 + x[2] * x[2]}, b[4] = {a[0], a[1], 0, a[3]};
  real work[2];
  y[0] = x[4];
  y[1] = x[5];
  FORTRAN(potrf)("L", &m, a, &m, &info WITH(1));
  FORTRAN(potrs)("L", &m, &one, a, &m, y, &m, &info WITH(1));
  FORTRAN(posv)("L", &m, &one, b, &m, y, &m, &info WITH(1));
  y[2] = FORTRAN(lange)("F", &m, &m, a, &m, work WITH(1));
}

MAP(values, 3, 2, 0.7, -1.3, 0.4) {
  int m = 2, room = 16, info;
  real a[4] = {x[0], 0, x[1], x[2]}, work[16];
  FORTRAN(syev)("N", "U", &m, a, &m, y, work, &room, &info WITH((size_t)1, (size_t)1));
}
