// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One line of the table: `ba FILE`, or `ba n m p` for a made problem of that shape; `ba_found` does
 * the same with the pattern found. */
#include "ba.h"

#include "../common/check.h"
#include "../common/input.h"
#include "../common/report.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  Ba ba;
  double *residuals;
  Sparse jacobian;
} Work;

static void run_primal(void *context) {
  Work *work = context;
  ba_residuals(&work->ba, work->residuals);
}

static void run_derivative(void *context) {
  Work *work = context;
  ba_jacobian(&work->ba, &work->jacobian);
}

/* Compares the Jacobian times each direction, residual by residual, with dual numbers. */
static double jacobian_error(const Work *work) {
  int rows = work->ba.rows;
  Directions set = directions_of(work->ba.size);
  double *directions = doubles_new((long)LANES * set.size);
  double *reference = doubles_new((long)LANES * rows);
  double *ours = doubles_new(rows);
  double error = 0;
  for (int first = 0; first < set.count; first += LANES) {
    directions_fill(&set, first, directions);
    ba_reference(&work->ba, directions, reference);
    for (int lane = 0; lane < LANES; lane++) {
      sparse_times(&work->jacobian, directions + (long)lane * set.size, ours);
      error = larger(error, worst_error(ours, reference + (long)lane * rows, rows));
    }
  }
  free(directions);
  free(reference);
  free(ours);
  return error;
}

int main(int argc, char **argv) {
  Input input = input_open("ba", 3, argc, argv);
  Work work = {.ba = ba_new(&input)};
  work.residuals = doubles_new(work.ba.rows);
  work.jacobian = ba_jacobian_new(&work.ba);
  char name[sizeof input.name + 16];
  snprintf(name, sizeof name, "%s%s", input.name, ba_method);
  Report report = {.name = name};
  report.primal = best_seconds(run_primal, &work);
  report.derivative = best_seconds(run_derivative, &work);
  report.megabytes = peak_megabytes();
  report.objective = dot_product(work.residuals, work.residuals, work.ba.rows);
  report.error = jacobian_error(&work);
  int status = report_print(&report);
  free(work.residuals);
  ba_jacobian_free(&work.jacobian);
  ba_free(&work.ba);
  input_close(&input);
  return status;
}
