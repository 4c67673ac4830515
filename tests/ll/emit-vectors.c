// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the vectoriser makes vectors of the primal's loop, it does of both sweeps': one remark for
 * the function itself, one for the forward sweep and one for the reverse; where one loop is both
 * sweeps, there are two. */
// RUN: %clang -O2 -DREAD_AGAIN -gline-tables-only -Rpass=loop-vectorize -c %s -o %t.o 2>&1 \
// RUN:   | grep 'remark: vectorized loop' | count 3
// RUN: %clang -O2 -DKEPT -gline-tables-only -Rpass=loop-vectorize -c %s -o %t.o 2>&1 \
// RUN:   | grep 'remark: vectorized loop' | count 3
// RUN: %clang -O2 -DNEIGHBOURS -gline-tables-only -Rpass=loop-vectorize -c %s -o %t.o 2>&1 \
// RUN:   | grep 'remark: vectorized loop' | count 3
// RUN: %clang -O2 -DREDUCED -gline-tables-only -Rpass=loop-vectorize -c %s -o %t.o 2>&1 \
// RUN:   | grep 'remark: vectorized loop' | count 2
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

#ifdef READ_AGAIN
void cubes(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i] * x[i];
}
void reverse(int n, const double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)cubes, enzyme_const, n, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
#endif

#ifdef KEPT
void squares(int n, int rounds, double *restrict x) {
  for (int k = 0; k < rounds; k++)
    for (int i = 0; i < n; i++)
      x[i] *= x[i];
}
void reverse(int n, int rounds, double *x, double *dx) {
  __enzyme_autodiff((void *)squares, enzyme_const, n, enzyme_const, rounds, enzyme_dup, x, dx);
}
#endif

#ifdef NEIGHBOURS
void products(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i + 1];
}
void reverse(int n, const double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)products, enzyme_const, n, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
#endif

#ifdef REDUCED
double length(int n, const double *restrict x) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}
void reverse(int n, const double *x, double *dx) {
  __enzyme_autodiff((void *)length, enzyme_const, n, enzyme_dup, x, dx);
}
#endif
