// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops in a row that read one array of the caller's before it is overwritten: what they read is
 * copied once. Each array is as long as what is read of it. */
#include "cases.h"

static real squares(int n, const real *x) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * (real)(1 + i);
  return sum;
}

static void clear(int n, real *x) {
  for (int i = 0; i < n; i++)
    x[i] = (real)0.5 * x[i] * x[i];
}

MAP(twice, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = squares(n, x), product = 1;
  for (int i = 0; i < n; i++)
    product = product * (real)0.9 + sin(x[i] * product);
  clear(n, x);
  y[0] = sum * product;
}

MAP(shifted, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = squares(n, x);
  for (int i = 0; i + 1 < n; i++)
    sum += x[i] * x[i + 1] * sin(sum);
  for (int i = n - 1; i >= 2; i--)
    sum += x[i - 2] * x[i] * sum;
  clear(n, x);
  y[0] += sum;
}

MAP(overwritten_by_the_last, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = squares(n, x);
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i] * sum;
  y[0] += sum;
  y[1] = x[2] * x[4];
}

/* The second loop does not see what the first saw. */
MAP(written_between, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = squares(n, x);
  x[n / 2] = sum * sum;
  real more = squares(n, x);
  clear(n, x);
  y[0] = sum * more;
}

MAP(written_by_the_first, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
    x[i] = sin(x[i]);
  }
  real more = squares(n, x);
  clear(n, x);
  y[0] = sum * more;
}

/* It runs only sometimes, and reads more than is there where it does not. */
MAP(not_always, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = squares(n, x);
  for (int k = 0; k < 2; k++) {
    int end = k ? n : 100000000;
    if (k)
      for (int i = 0; i < end; i++)
        sum += x[i] * x[i] * sum;
  }
  clear(n, x);
  y[0] = sum;
}

MAP(neither_runs, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  int less = n - 5;
  real sum = squares(less, x) + x[1];
  for (int i = 0; i < less; i++)
    sum += x[i] * x[i] * sum;
  sum += x[2] * x[3];
  clear(n, x);
  y[0] = sum;
}

MAP(of_different_lengths, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 1;
  for (int t = 0; t <= n; t++) {
    for (int i = 0; i < t; i++)
      sum += x[i] * x[i] * (real)0.3;
    for (int i = 0; i < n; i++)
      sum += sin(x[i] * sum);
    for (int i = t; i < n; i++)
      sum += x[i] * x[i] * (real)0.1;
    clear(n, x);
  }
  y[0] = sum;
}

MAP(in_a_nest, 6, 2, 0.3, -0.7, 1.1, 0.9, -0.2, 0.4) {
  real sum = 0, more = 1;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < n / 2; j++)
        sum += x[i * (n / 2) + j] * x[i * (n / 2) + j];
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < n / 2 - t; j++)
        more += sin(x[i * (n / 2) + j + t]) * more;
    clear(n, x);
  }
  y[0] = sum * more;
}

/* The optimiser unrolls loops that run so often, inside and outside of others. */
MAP(so_often_outside, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 0;
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < n; i++)
      sum += x[i] * x[i] * x[i] * (real)(1 + k);
  clear(n, x);
  y[0] = sum;
}

MAP(so_often_in_steps, 5, 2, 0.3, -0.7, 1.1, 0.9, -0.2) {
  for (int t = 0; t < n; t++) {
    real sum = 0;
    for (int k = 0; k < 4; k++)
      for (int i = 0; i < n - t; i++)
        sum += x[i + t] * x[i] * (real)(1 + k);
    for (int i = 0; i < n; i++)
      x[i] += (real)0.1 * sum;
    y[0] += sum;
  }
}

MAP(so_often_inside, 5, 4, 0.3, -0.7, 1.1, 0.9, -0.2) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      y[k] += x[i] * x[i] * (real)(1 + k) + sin(x[i]);
  clear(n, x);
}
