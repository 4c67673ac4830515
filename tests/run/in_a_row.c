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

/* --- Values that many iterations compute alike. --- */

MAP(the_same_in_each_row, 5, 3, 0.3, -0.7, 1.1, 0.9, -0.2) {
  for (int k = 0; k < n - 2; k++)
    for (int i = 0; i < n; i++)
      y[k] += sin(x[i]) * x[i] * y[(k + 1) % 3];
  clear(n, x);
}

MAP(the_same_in_each_copy, 5, 3, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 1;
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < n; i++)
      sum += sin(x[i]) * y[k % 3] * (real)0.1;
  clear(n, x);
  y[0] = sum;
}

MAP(the_same_in_two, 5, 3, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 1;
  for (int i = 0; i < n; i++)
    sum += exp(x[i]) * sum * (real)0.1;
  y[1] += sum;
  for (int i = 0; i < n; i++)
    y[2] += exp(x[i]) * sum * y[2] * (real)0.1;
  clear(n, x);
}

/* Not the same: written in between, in another order, less often, not in each iteration. */
MAP(not_the_same_in_two, 5, 3, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 1;
  for (int i = 0; i < n; i++)
    sum += exp(x[i]) * sum * (real)0.1;
  x[3] = sum;
  for (int i = 0; i < n; i++)
    y[2] += exp(x[i]) * sum * y[2] * (real)0.1;
  for (int i = n - 1; i >= 0; i--)
    y[1] += exp(x[i]) * sum * y[2] * (real)0.1;
  for (int i = 0; i < n - 1; i++)
    y[0] += exp(x[i + 1]) * sum * y[1] * (real)0.1;
  clear(n, x);
}

MAP(sometimes_the_same, 5, 3, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 1;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      if (x[i] > (real)0.2 * (real)k)
        sum += exp(x[i]) * sum * (real)0.1;
  for (int i = 0; i < n; i++)
    if (x[i] < 1)
      sum += exp(x[i]) * sum * (real)0.1;
  for (int i = 0; i < n; i++)
    sum += exp(x[i]) * sum * (real)0.1;
  clear(n, x);
  y[0] = sum;
}

MAP(the_same_in_each_plane, 6, 3, 0.3, -0.7, 1.1, 0.9, -0.2, 0.4) {
  real sum = 1;
  for (int k = 0; k < n - 3; k++)
    for (int i = 0; i < n / 3; i++)
      for (int l = 0; l < n - 4; l++)
        for (int j = 0; j < 3; j++)
          sum += sin(x[i * 3 + j]) * y[k] * sum * (real)0.1;
  clear(n, x);
  y[0] = sum;
}

MAP(the_same_in_a_triangle, 6, 3, 0.3, -0.7, 1.1, 0.9, -0.2, 0.4) {
  real sum = 1;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++)
        sum += sin(x[i] * x[j]) * y[k] * sum * (real)0.1;
  clear(n, x);
  y[0] = sum;
}

MAP(changed_in_each_row, 5, 3, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 1;
  for (int k = 0; k < n - 2; k++) {
    for (int i = 0; i < n; i++)
      sum += sin(x[i]) * sum * (real)0.1;
    x[k] = sum;
  }
  y[0] = sum;
}

/* What decides is not taken from another loop. */
MAP(decided_by_the_same, 5, 3, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 1;
  for (int k = 0; k < n - 2; k++)
    for (int i = 0; i < n; i++) {
      real wave = sin(x[i] * 3);
      sum += wave > (real)0.3 ? wave * sum : sum * (real)0.1 + wave;
    }
  clear(n, x);
  y[0] = sum;
}

MAP(idle_rows, 5, 3, 0.3, -0.7, 1.1, 0.9, -0.2) {
  real sum = 1;
  for (int t = -2; t < 3; t++)
    for (int k = 0; k < t; k++)
      for (int i = 0; i < n - 5 + t; i++)
        sum += sin(x[i]) * sum * y[k % 3];
  for (int k = 0; k < n - 5; k++)
    for (int i = 0; i < n; i++)
      sum += sin(x[i]) * sum * y[k % 3];
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n - 7; i++)
      sum += sin(x[i]) * sum * y[k % 3];
  clear(n, x);
  y[0] = sum;
}

/* Two local arrays, read alike by loops that run as often, are two. */
static NOINLINE real *curved(const real *v, int count) {
  real *r = (real *)malloc((size_t)count * sizeof(real));
  for (int i = 0; i < count; i++)
    r[i] = tanh(v[i]);
  return r;
}

MAP(of_two_arrays, 3, 1, 1.3, 0.2, 0.7) {
  real a[3], b[3];
  for (int i = 0; i < 3; i++)
    a[i] = -x[i % n];
  for (int i = 0; i < 3; i++)
    b[i] = (real)0.5 * x[i % n];
  real *r = curved(a + 1, 2);
  real sum = r[0];
  free(r);
  for (int i = 0; i < 2; i++) {
    y[0] = sum;
    r = curved(b + 1, 2);
    sum += r[0];
    free(r);
  }
}
