// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the programs are told on their command line: a file of numbers, or the sizes of a problem.
 */
#ifndef EXAMPLES_INPUT_H
#define EXAMPLES_INPUT_H

typedef struct Input {
  char name[64];    /* for the table: the file's, or made from the sizes */
  const char *path; /* of the file; NULL where none was given */
  int sizes[3];     /* the first numbers: at most three */
  double *numbers;  /* of a file: what follows the sizes; owned; NULL where none was given */
  long count;       /* of `numbers` */
} Input;

/*
 * Reads `FILE`, or as many numbers as there are `sizes` (two or three), from the command line of
 * the program `kind`. What cannot be read, and a size below one, ends the process with one line.
 */
Input input_open(const char *kind, int sizes, int argc, char **argv);
void input_close(Input *input);

/* Ends the process with one line that names the input and says what is wrong with it. */
__attribute__((noreturn)) void input_fail(const char *name, const char *problem);

/* Room for `count` numbers, zeroed; owned by the caller; never NULL. */
double *doubles_new(long count);
int *ints_new(long count);

/*
 * Copies into out[0 .. count - 1] the numbers from `*next` on, and moves `*next` past them. With
 * `stride` > 0 the file holds only one group of `stride` numbers, which is repeated.
 */
void input_take(const Input *input, long *next, double *out, long count, long stride);

#endif
