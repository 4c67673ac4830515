// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gradient.h"

#include "check.h"
#include "input.h"
#include "report.h"

#include <stdlib.h>

typedef struct {
  const Gradient *functions;
  double value;
  double *gradient;
} Work;

static void run_primal(void *context) {
  Work *work = context;
  work->value = work->functions->value(work->functions->problem);
}

static void run_derivative(void *context) {
  Work *work = context;
  work->functions->gradient(work->functions->problem, work->gradient);
}

/* Compares the gradient along each direction with dual numbers. */
static double gradient_error(const Work *work) {
  const Gradient *functions = work->functions;
  Directions set = directions_of(functions->size);
  double *directions = doubles_new((long)LANES * set.size);
  double *ours = doubles_new(set.count + LANES);
  double *reference = doubles_new(set.count + LANES);
  for (int first = 0; first < set.count; first += LANES) {
    directions_fill(&set, first, directions);
    functions->reference(functions->problem, directions, reference + first);
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

int gradient_report(const char *name, const Gradient *functions) {
  Work work = {.functions = functions, .gradient = doubles_new(functions->size)};
  Report report = {.name = name};
  report.primal = best_seconds(run_primal, &work);
  report.derivative = best_seconds(run_derivative, &work);
  report.megabytes = peak_megabytes();
  report.objective = work.value;
  report.error = gradient_error(&work);
  free(work.gradient);
  return report_print(&report);
}
