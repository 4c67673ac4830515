// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Columns of the Jacobian of examples/hand by forward mode: eight in one call against one after
 * another, interleaved; prints both times a column, medians, their ratio, and how far the columns
 * are apart. */
#include "../examples/hand/hand.h"

#include "../examples/common/check.h"
#include "../examples/common/input.h"

#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef double Real;
#include "../examples/hand/objective.h"

enum { WIDTH = 8, COLUMNS = 24, POINTS = 100, ROUNDS = 201 };

extern void __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_dupv, enzyme_dupnoneed, enzyme_dupnoneedv, enzyme_width;

typedef void Jacobian(const Hand *hand, double *columns);

/* The residuals themselves are not needed, so there is no memory for them. */
static void by_one(const Hand *hand, double *columns) {
  double *no_residuals = NULL;
  for (int i = 0; i < COLUMNS; i++) {
    double direction[POSE] = {0};
    direction[i] = 1;
    __enzyme_fwddiff((void *)hand_residuals, enzyme_const, &hand->model, enzyme_const, hand->n,
                     enzyme_const, hand->vertices, enzyme_const, hand->points, enzyme_dup,
                     hand->pose, direction, enzyme_dupnoneed, no_residuals,
                     columns + (long)hand->rows * i);
  }
}

static void by_eight(const Hand *hand, double *columns) {
  double *no_residuals = NULL;
  for (int i = 0; i < COLUMNS; i += WIDTH) {
    double directions[WIDTH][POSE] = {{0}};
    for (int lane = 0; lane < WIDTH; lane++)
      directions[lane][i + lane] = 1;
    __enzyme_fwddiff((void *)hand_residuals, enzyme_width, WIDTH, enzyme_const, &hand->model,
                     enzyme_const, hand->n, enzyme_const, hand->vertices, enzyme_const,
                     hand->points, enzyme_dupv, sizeof(directions[0]), hand->pose, directions,
                     enzyme_dupnoneedv, sizeof(double) * (size_t)hand->rows, no_residuals,
                     columns + (long)hand->rows * i);
  }
}

/* Microseconds a column. */
static double time_of(Jacobian *jacobian, const Hand *hand, double *columns) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  jacobian(hand, columns);
  clock_gettime(CLOCK_MONOTONIC, &end);
  double seconds =
      (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
  return 1e6 * seconds / COLUMNS;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_of(double *numbers) {
  qsort(numbers, ROUNDS, sizeof(double), compare);
  return numbers[ROUNDS / 2];
}

int main(void) {
  static double one[ROUNDS], eight[ROUNDS], ratios[ROUNDS];
  mallopt(M_MMAP_THRESHOLD, INT_MAX);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  Input sizes = {.name = "directions", .sizes = {POINTS, POSE}};
  Hand hand = hand_new(&sizes);
  long count = (long)COLUMNS * hand.rows;
  double *alone = doubles_new(count), *together = doubles_new(count);
  for (int round = 0; round < ROUNDS; round++) {
    one[round] = time_of(by_one, &hand, alone);
    eight[round] = time_of(by_eight, &hand, together);
    ratios[round] = one[round] / eight[round];
  }
  double apart = worst_error(together, alone, (int)count);
  double ratio = median_of(ratios);
  printf("a column of the hand's Jacobian: alone %.1f us, of eight %.1f us, ratio %.2f, apart "
         "%.1e\n",
         median_of(one), median_of(eight), ratio, apart);
  free(alone);
  free(together);
  hand_free(&hand);
  return !(apart <= 1e-9);
}
