// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Results for which reverse mode has no seed. */
typedef struct {
  double x, y;
} Pair;
extern void __enzyme_autodiff(void *, ...);

static const double *pointer(const double *x) { return x + 1; }
static Pair pair(const double *x) {
  Pair p = {x[0] * x[1], x[0]};
  return p;
}

void use(double *x, double *d) {
  __enzyme_autodiff((void *)pointer, x, d); // error: [nabla: entry-unsupported]
  __enzyme_autodiff((void *)pair, x, d);    // error: [nabla: entry-unsupported]
}
