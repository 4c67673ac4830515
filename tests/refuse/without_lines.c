// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Without line tables the message names the function and says what to add. */
// flags: -g0
extern double __enzyme_autodiff(void *, ...);

static double product(double x, double y) { return x * y; }

double the_culprit(double x) { return __enzyme_autodiff((void *)product, x); }
// error-anywhere: the_culprit ... [nabla: too-few-arguments] ... add -gline-tables-only
