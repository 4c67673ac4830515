// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* States that lead to one another: the reverse sweep has a cycle that is entered at several places,
 * and so a switch, through which its forward derivative came out wrong (tidy/jumps.c). */
// RUN: %clang -O1 %s -o %t.1 && %t.1
// RUN: %clang -O2 %s -o %t.2 && %t.2
// RUN: %clang -O3 %s -o %t.3 && %t.3
static double walk(const double *x) {
  double sum = 0, product = 1;
  int i = 0, state = 0;
  const double *t = x;
again:
  switch (state) {
  case 0:
    sum += t[i];
    if (++i >= 13)
      goto done;
    state = t[i] > 0 ? 1 : 2;
    goto again;
  case 1:
    product *= 1 + t[i];
    if (++i >= 13)
      goto done;
    if (product > 3) {
      state = 2;
      product *= .25;
      goto again;
    }
    /* fall through */
  case 2:
    sum = sum * .9 + product * t[i];
    i++;
    if (i >= 13)
      goto done;
    state = (i * 7) % 3;
    goto again;
  }
done:
  return sum * product;
}
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
void gradient(const double *x, double *dx) { __enzyme_autodiff((void *)walk, enzyme_dup, x, dx); }
int main(void) {
  double x[13] = {.3, -.2, .5, .1, .9, -.7, .2, .4, -.3, .8, .15, .35, -.6},
         v[13] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, g[13] = {0}, h[13] = {0}, a[13] = {0},
         b[13] = {0}, y[13];
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, h);
  for (int i = 0; i < 13; i++)
    y[i] = x[i] + 1e-5;
  gradient(y, a);
  for (int i = 0; i < 13; i++)
    y[i] = x[i] - 1e-5;
  gradient(y, b);
  double w = 0;
  for (int i = 0; i < 13; i++) {
    double e = h[i] - (a[i] - b[i]) / 2e-5;
    w += e * e;
  }
  return w > 1e-9;
}
