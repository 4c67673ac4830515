// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The letters of Fortran's interface to the BLAS, and the numbers that the C interface has for
 * them. */
#ifndef NABLA_MODELS_LETTERS_H
#define NABLA_MODELS_LETTERS_H

/* An argument that is a character, for which callers may pass a length, too
 * (src/models/lengths.c). */
#ifdef __cplusplus
#define CHARACTER(name) const char *name
#else
#define CHARACTER(name) const char name[static 1]
#endif

enum {
  BY_ROWS = 101,
  BY_COLUMNS = 102,
  NOT_TRANSPOSED = 111,
  TRANSPOSED = 112,
  CONJUGATED = 113,
  UPPER_STORED = 121,
  LOWER_STORED = 122,
  NOT_ONES = 131,
  ONES = 132,
  LEFT = 141,
  RIGHT = 142
};

#define UPPER(letter) ((letter) >= 'a' ? (letter) - ('a' - 'A') : (letter))
#define TRANS_LETTER(number) ((number) == NOT_TRANSPOSED ? 'N' : 'T')
#define TURNED_LETTER(number) ((number) == NOT_TRANSPOSED ? 'T' : 'N')
#define TRANS_NUMBER(letter) ((letter) == 'N' ? NOT_TRANSPOSED : TRANSPOSED)
#define COMPLEX_LETTER(number)                                                                     \
  ((number) == NOT_TRANSPOSED ? 'N' : (number) == TRANSPOSED ? 'T' : 'C')
#define COMPLEX_NUMBER(letter)                                                                     \
  ((letter) == 'N' ? NOT_TRANSPOSED : (letter) == 'T' ? TRANSPOSED : CONJUGATED)
#define UPLO_LETTER(number) ((number) == UPPER_STORED ? 'U' : 'L')
#define OTHER_UPLO_LETTER(number) ((number) == UPPER_STORED ? 'L' : 'U')
#define UPLO_NUMBER(letter) ((letter) == 'U' ? UPPER_STORED : LOWER_STORED)
#define DIAG_LETTER(number) ((number) == ONES ? 'U' : 'N')
#define DIAG_NUMBER(letter) ((letter) == 'U' ? ONES : NOT_ONES)
#define SIDE_LETTER(number) ((number) == LEFT ? 'L' : 'R')
#define OTHER_SIDE_LETTER(number) ((number) == LEFT ? 'R' : 'L')
#define SIDE_NUMBER(letter) ((letter) == 'L' ? LEFT : RIGHT)

/* The numbers of cuBLAS. */
#define DEVICE_TRANS_LETTER(number) ((number) == 0 ? 'N' : 'T')
#define DEVICE_TRANS_NUMBER(letter) ((letter) != 'N')
#define DEVICE_COMPLEX_LETTER(number) ((number) == 0 ? 'N' : (number) == 1 ? 'T' : 'C')
#define DEVICE_COMPLEX_NUMBER(letter) ((letter) == 'N' ? 0 : (letter) == 'T' ? 1 : 2)
#define DEVICE_UPLO_LETTER(number) ((number) == 0 ? 'L' : 'U')
#define DEVICE_UPLO_NUMBER(letter) ((letter) == 'U')
#define DEVICE_DIAG_LETTER(number) ((number) == 0 ? 'N' : 'U')
#define DEVICE_DIAG_NUMBER(letter) ((letter) == 'U')
#define DEVICE_SIDE_LETTER(number) ((number) == 0 ? 'L' : 'R')
#define DEVICE_SIDE_NUMBER(letter) ((letter) != 'L')

/* Which vector of a complex outer product is conjugated. */
enum { NEITHER_ONE, FIRST_ONE, SECOND_ONE };

#endif
