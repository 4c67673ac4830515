// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A rule file that is not there. */
// flags: -gline-tables-only -mllvm -nabla-rules=no_such_file.rules
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }

double use(double x) { return __enzyme_autodiff((void *)square, x); }
// error-anywhere: no_such_file.rules ... [nabla: rule-file]
