// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One line of the table: `lstm FILE`, or `lstm layers steps width` for a made problem. */
#include "lstm.h"

#include "../common/gradient.h"
#include "../common/input.h"

static double value(const void *problem) { return lstm_value(problem); }

static void gradient(const void *problem, double *out) { lstm_gradient(problem, out); }

static void reference(const void *problem, const double *directions, double *out) {
  lstm_reference(problem, directions, out);
}

int main(int argc, char **argv) {
  Input input = input_open("lstm", 3, argc, argv);
  Lstm lstm = lstm_new(&input);
  Gradient functions = {&lstm, lstm.size, value, gradient, reference};
  int status = gradient_report(input.name, &functions);
  lstm_free(&lstm);
  input_close(&input);
  return status;
}
