// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A limit that is no number of bytes. */
// flags: -gline-tables-only -mllvm -nabla-max-tape=plenty
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }

double use(double x) { return __enzyme_autodiff((void *)square, x); }
// error-anywhere: -nabla-max-tape=plenty ... [nabla: option]
