// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Symmetric matrices and triangles stored column behind column, without what is not stored; as
 * blas_banded.h. Here k is n - 1, and lda has no meaning. */
#undef SYMMETRIC_TIMES
#undef TRIANGLE_TIMES
#undef TRIANGLE_SOLVE
#undef STORED_PLACE
#undef STORED_ROWS
#undef STORED_COLUMNS
#undef STORED_STEP
#undef STORED_HELPER
#undef HAS_DIAGONALS
#define SYMMETRIC_TIMES spmv
#define TRIANGLE_TIMES tpmv
#define TRIANGLE_SOLVE tpsv
#define STORED_PLACE(uplo, n, k, lda, i, j)                                                        \
  ((void)(k), (void)(lda),                                                                         \
   (i) + ((uplo) == 'U' ? (long)(j) * ((j) + 1) / 2 : (long)(j) * (2 * (long)(n) - (j) - 1) / 2))
/* n (n + 1) / 2 numbers, as a rectangle. */
#define STORED_ROWS(n, k) ((void)(k), (n) | 1)
#define STORED_COLUMNS(n) ((n) / 2 + (n) % 2)
#define STORED_STEP(n, lda) ((void)(lda), (n) | 1)
#define STORED_HELPER(name) HELPER(name##_packed)
#define HAS_DIAGONALS false
