// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers that may be into an argument marked as not needed, and cannot be told apart from others
 * or are read through. */
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed;

static void read_through_choice(const double *x, double *y, double *z) {
  double *at = x[0] > 0 ? y : z;
  at[0] += x[0] * x[1]; // error-near: [nabla: needed]
}

double *kept;
static void kept_outside(const double *x, double *y, double *z) {
  kept = y; // error: [nabla: needed]
  y[0] = x[0] * x[0];
  z[0] = x[1];
}

__attribute__((noinline)) static void descend(const double *x, double *a, double *b, int n) {
  a[0] = x[n] * x[n];
  if (n > 0)
    descend(x, b, a, n - 1);
  a[0] = x[0];
}
static void recursive(const double *x, double *y, double *z) {
  descend(x, x[0] > 0 ? y : z, z, 3); // error: [nabla: needed]
}

static void in_one_table(const double *x, double *y, double *z, int n) {
  double *outputs[2] = {y, z};
  for (int i = 0; i < n; i++)
    outputs[i * i & 1][i] = x[i] * x[i]; // error: [nabla: needed]
}

void use(double *x, double *dx, double *dy, double *z, double *dz, int n) {
  double *nothing = 0;
  __enzyme_autodiff((void *)read_through_choice, enzyme_dup, x, dx, enzyme_dupnoneed, nothing, dy,
                    enzyme_dup, z, dz);
  __enzyme_autodiff((void *)kept_outside, enzyme_dup, x, dx, enzyme_dupnoneed, nothing, dy,
                    enzyme_dup, z, dz);
  __enzyme_autodiff((void *)recursive, enzyme_dup, x, dx, enzyme_dupnoneed, nothing, dy, enzyme_dup,
                    z, dz);
  __enzyme_autodiff((void *)in_one_table, enzyme_dup, x, dx, enzyme_dupnoneed, nothing, dy,
                    enzyme_dup, z, dz, n);
}
