// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Another machine. */
// flags: --target=aarch64-linux-gnu -gline-tables-only
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }

double use(double x) { return __enzyme_autodiff((void *)square, x); }
// error-anywhere: [nabla: target]
