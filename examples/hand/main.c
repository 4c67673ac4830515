// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One line of the table: `hand FILE`, or `hand n 26` for a made problem of n points. */
#include "hand.h"

#include "../common/check.h"
#include "../common/input.h"
#include "../common/report.h"

#include <stdlib.h>

typedef struct {
  Hand hand;
  double *residuals, *jacobian;
} Work;

static void run_primal(void *context) {
  Work *work = context;
  hand_value(&work->hand, work->residuals);
}

static void run_derivative(void *context) {
  Work *work = context;
  hand_jacobian(&work->hand, work->jacobian);
}

/* Compares the Jacobian, column by column, with dual numbers. */
static double jacobian_error(const Work *work) {
  int rows = work->hand.rows;
  Directions set = directions_of(POSE);
  double *directions = doubles_new((long)LANES * POSE);
  double *reference = doubles_new((long)LANES * rows);
  double error = 0;
  for (int first = 0; first < POSE; first += LANES) {
    directions_fill(&set, first, directions);
    hand_reference(&work->hand, directions, reference);
    for (int column = first; column < POSE && column < first + LANES; column++) {
      const double *exact = reference + (long)(column - first) * rows;
      error = larger(error, worst_error(work->jacobian + (long)column * rows, exact, rows));
    }
  }
  free(directions);
  free(reference);
  return error;
}

int main(int argc, char **argv) {
  Input input = input_open("hand", 2, argc, argv);
  Work work = {.hand = hand_new(&input)};
  work.residuals = doubles_new(work.hand.rows);
  work.jacobian = doubles_new((long)POSE * work.hand.rows);
  Report report = {.name = input.name};
  report.primal = best_seconds(run_primal, &work);
  report.derivative = best_seconds(run_derivative, &work);
  report.megabytes = peak_megabytes();
  report.objective = dot_product(work.residuals, work.residuals, work.hand.rows);
  report.error = jacobian_error(&work);
  int status = report_print(&report);
  free(work.residuals);
  free(work.jacobian);
  hand_free(&work.hand);
  input_close(&input);
  return status;
}
