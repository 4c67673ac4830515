// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One line of the table: `gmm FILE`, or `gmm d k n` for a made problem. */
#include "gmm.h"

#include "../common/gradient.h"
#include "../common/input.h"

static double value(const void *problem) { return gmm_value(problem); }

static void gradient(const void *problem, double *out) { gmm_gradient(problem, out); }

static void reference(const void *problem, const double *directions, double *out) {
  gmm_reference(problem, directions, out);
}

int main(int argc, char **argv) {
  Input input = input_open("gmm", 3, argc, argv);
  Gmm gmm = gmm_new(&input);
  Gradient functions = {&gmm, gmm.size, value, gradient, reference};
  int status = gradient_report(input.name, &functions);
  gmm_free(&gmm);
  input_close(&input);
  return status;
}
