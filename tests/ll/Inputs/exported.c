// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Uses the derivatives that another file exports. */
#include <stdio.h>

typedef struct {
  void *tape;
  double value;
} Product;
typedef struct {
  double value, tangent;
} Both;

extern const struct {
  void *(*augmented)(double *x, double *dx, double *y, double *dy, int n);
  void (*reverse)(double *x, double *dx, double *y, double *dy, int n, void *tape);
} __enzyme_sep_rev_w1_squares;
extern void (*const __enzyme_sep_fwd_w1_squares)(double *x, double *dx, double *y, double *dy,
                                                 int n);
extern const struct {
  Product (*augmented)(double x, double *p, double *dp);
  double (*reverse)(double x, double *p, double *dp, double seed, void *tape);
} __enzyme_sep_rev_w1_product;
extern Both (*const __enzyme_sep_fwd_w1_product)(double x, double dx, double *p, double *dp);
extern void use_place(double *x, double *dx);

int main(void) {
  double x[2] = {3, 4}, dx[2] = {0, 0}, y[2], dy[2] = {1, 1};
  void *tape = __enzyme_sep_rev_w1_squares.augmented(x, dx, y, dy, 2);
  x[0] = 99;
  __enzyme_sep_rev_w1_squares.reverse(x, dx, y, dy, 2, tape);
  x[0] = 3;
  __enzyme_sep_fwd_w1_squares(x, dx, y, dy, 2);
  printf("squares %g, %g %g, %g\n", y[0], dx[0], dx[1], dy[0]);

  Product p = __enzyme_sep_rev_w1_product.augmented(5, x, dx);
  dx[0] = 0;
  double adjoint = __enzyme_sep_rev_w1_product.reverse(5, x, dx, 1, p.tape);
  Both b = __enzyme_sep_fwd_w1_product(5, 1, x, dx);
  printf("product %g, %g %g, %g %g\n", p.value, adjoint, dx[0], b.value, b.tangent);

  use_place(x, dx);
}
