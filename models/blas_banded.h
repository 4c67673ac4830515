// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Symmetric matrices and triangles stored by diagonals: of column j what lies at most k from the
 * diagonal, columns `lda` numbers apart. Included before what is written for any storage; another
 * storage's header takes its place. */
#undef SYMMETRIC_TIMES
#undef TRIANGLE_TIMES
#undef TRIANGLE_SOLVE
#undef STORED_PLACE
#undef STORED_ROWS
#undef STORED_COLUMNS
#undef STORED_STEP
#undef STORED_HELPER
#undef HAS_DIAGONALS
#define SYMMETRIC_TIMES sbmv
#define TRIANGLE_TIMES tbmv
#define TRIANGLE_SOLVE tbsv
/* Where element (i, j) of the stored triangle is. */
#define STORED_PLACE(uplo, n, k, lda, i, j)                                                        \
  ((long)(j) * (lda) + ((uplo) == 'U' ? (k) : 0) + (i) - (j))
/* All that is stored, as a matrix of rows and columns, the latter `step` apart. */
#define STORED_ROWS(n, k) ((k) + 1)
#define STORED_COLUMNS(n) (n)
#define STORED_STEP(n, lda) (lda)
#define STORED_HELPER(name) HELPER(name##_banded)
/* Are the elements of a diagonal equally far apart? */
#define HAS_DIAGONALS true
