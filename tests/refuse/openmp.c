// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A region that several threads run. */
// shows: adjoints are added atomically in OpenMP regions
// flags: -fopenmp -gline-tables-only
extern double __enzyme_autodiff(void *, ...);

static void squares(const double *x, double *y) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++)
    y[i] = x[i] * x[i];
}

void use(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)squares, x, dx, y, dy);
}
// error-anywhere: __kmpc_fork_call ... [nabla: no-rule]
