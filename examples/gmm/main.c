// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One line of the table: `gmm FILE`, or `gmm d k n` for a made problem of that shape. */
#include "gmm.h"

#include "../common/check.h"
#include "../common/input.h"
#include "../common/report.h"

#include <stdlib.h>

typedef struct {
  Gmm gmm;
  double value;
  double *gradient;
} Work;

static void run_primal(void *context) {
  Work *work = context;
  work->value = gmm_value(&work->gmm);
}

static void run_derivative(void *context) {
  Work *work = context;
  gmm_gradient(&work->gmm, work->gradient);
}

/* Compares the gradient along each direction with dual numbers. */
static double gradient_error(const Work *work) {
  Directions set = directions_of(work->gmm.size);
  double *directions = doubles_new((long)LANES * set.size);
  double *ours = doubles_new(set.count + LANES);
  double *reference = doubles_new(set.count + LANES);
  for (int first = 0; first < set.count; first += LANES) {
    directions_fill(&set, first, directions);
    gmm_reference(&work->gmm, directions, reference + first);
    for (int lane = 0; lane < LANES; lane++)
      ours[first + lane] = dot_product(work->gradient, directions + lane * set.size, set.size);
  }
  int unit = set.coordinates;
  double error = larger(worst_error(ours, reference, unit),
                        worst_error(ours + unit, reference + unit, set.count - unit));
  free(directions);
  free(ours);
  free(reference);
  return error;
}

int main(int argc, char **argv) {
  Input input = input_open("gmm", argc, argv);
  Work work = {.gmm = gmm_new(&input)};
  work.gradient = doubles_new(work.gmm.size);
  Report report = {.name = input.name};
  report.primal = best_seconds(run_primal, &work);
  report.derivative = best_seconds(run_derivative, &work);
  report.megabytes = peak_megabytes();
  report.objective = work.value;
  report.error = gradient_error(&work);
  int status = report_print(&report);
  free(work.gradient);
  gmm_free(&work.gmm);
  input_close(&input);
  return status;
}
