// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops whose reverse may run in the primal's order, and such that only look like it; updates in
 * place. */
#include "cases.h"

SUM(order_sums, 5, 1.0, 2.0, -3.0, 0.5, 0.75) {
  real s = 0, t = 1;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    t = t - sin(x[i]) + s * 0;
  }
  return s * t;
}

SUM(order_two_sums_coupled, 4, 1.0, 2.0, -3.0, 0.5) {
  real s = 0, t = 1;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    t += s * x[i];
  }
  return s * t;
}

SUM(order_last_value, 4, 1.0, 2.0, -3.0, 0.5) {
  real s = 0, last = 0;
  for (int i = 0; i < n; i++) {
    last = x[i] * x[i];
    s += last * x[0];
  }
  return s * last;
}

SUM(order_conditional_sum, 5, 1.0, -2.0, 3.0, -0.5, 0.75) {
  real s = 0;
  for (int i = 0; i < n; i++)
    if (VALUE(x[i]) > 0)
      s += x[i] * x[n - 1 - i];
  return s * s;
}

MAP(order_shift_up, 5, 5, 1.0, 2.0, -3.0, 0.5, 0.75) {
  for (int i = 0; i + 1 < n; i++)
    x[i + 1] = x[i] * x[i + 1] + y[i];
  for (int i = 0; i < n; i++)
    y[i] = x[i] * 3;
}

MAP(order_shift_down, 5, 5, 1.0, 2.0, -3.0, 0.5, 0.75) {
  for (int i = 0; i + 1 < n; i++)
    x[i] = x[i + 1] * x[i];
  for (int i = 1; i < n; i++)
    y[i] += x[i - 1] * x[i];
}

MAP(order_overlapping, 6, 2, 1.0, 2.0, -3.0, 0.5, 0.75, 1.5) {
  real *a = x, *b = x + 1;
  for (int i = 0; i + 1 < n; i++)
    b[i] = a[i] * b[i] * 0.5;
  y[0] = x[n - 1];
  y[1] = x[n - 2] * x[0];
}

MAP(order_same_place, 5, 2, 1.0, 2.0, -3.0, 0.5, 0.75) {
  for (int i = 0; i < n; i++)
    y[i % 2] = x[i] * x[i];
}

MAP(order_accumulate_in_place, 6, 3, 1.0, 2.0, -3.0, 0.5, 0.75, 1.5) {
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      y[k] += x[i] * x[(i + k) % n];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      y[i] -= y[k] * x[i];
}

MAP(order_vector_updates, 6, 6, 1.0, 2.0, -3.0, 0.5, 0.75, 1.5) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      y[i] += x[k] * x[i];
  for (int i = 0; i < n; i++)
    x[i] += y[i] * y[i];
  for (int i = n - 1; i >= 0; i--)
    y[i] = y[i] + x[i] + y[i];
}

SUM(order_local_arrays, 6, 1.0, 2.0, -3.0, 0.5, 0.75, 1.5) {
  real *a = (real *)malloc(sizeof(real) * (size_t)n);
  real *b = (real *)malloc(sizeof(real) * (size_t)n);
  for (int i = 0; i < n; i++) {
    a[i] = x[i] * x[i];
    b[i] = 0;
  }
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++)
      b[i] += a[i] * x[k];
    for (int i = 0; i < n; i++)
      a[i] = b[i] * 0.5;
  }
  real s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  free(a);
  free(b);
  return s;
}

MAP(order_update_between, 3, 2, 1.0, 2.0, -3.0) {
  real *p = VALUE(x[0]) > 0 ? y : y + 1;
  real old = y[0];
  *p = x[1] * x[0];
  y[0] = old + *p * x[2];
  y[1] += y[1] * x[0];
}

SUM(order_neighbours, 6, 1.0, 2.0, -3.0, 0.5, 0.75, 1.5) {
  real s = 0;
  for (int i = 0; i + 1 < n; i++)
    s += x[i] * x[i] * x[i + 1];
  for (int i = n - 1; i > 1; i--)
    s += x[i] * x[i - 1] * sin(x[i - 2]);
  for (int i = 2; i + 2 < n; i += 2)
    s += x[i - 2] * x[i] * x[i + 2];
  return s * s;
}

MAP(order_stencil, 6, 6, 1.0, 2.0, -3.0, 0.5, 0.75, 1.5) {
  for (int k = 0; k < 3; k++) {
    for (int i = 1; i + 1 < n; i++)
      y[i] = 0.25 * (x[i - 1] * x[i] + 2 * x[i] + x[i + 1] * x[i + 1]);
    for (int i = 1; i + 1 < n; i++)
      x[i] += y[i] - 0.5 * y[i - 1];
  }
}

MAP(order_stencil_in_place, 6, 1, 1.0, 2.0, -3.0, 0.5, 0.75, 1.5) {
  for (int k = 0; k < 2; k++)
    for (int i = 1; i + 1 < n; i++)
      x[i] = 0.25 * (x[i - 1] * x[i] + 2 * x[i] + x[i + 1]);
  y[0] = x[1] * x[n - 2];
}

MAP(order_square, 9, 9, 1.0, 2.0, -3.0, 0.5, 0.75, 1.5, -0.5, 0.25, 2.5) {
  int m = 3;
  for (int k = 0; k < n / 4; k++) {
    for (int i = 0; i < m - 1; i++)
      for (int j = 0; j < m - 1; j++) {
        real middle = 0.5 * (x[i * m + j] + x[i * m + j + 1]);
        y[i * m + j] = (1 + middle * middle) * (x[i * m + m + j] - x[i * m + j]);
      }
    for (int i = 1; i < m - 1; i++)
      for (int j = 1; j < m - 1; j++)
        x[i * m + j] += y[i * m + j] - y[i * m + j - 1] + y[i * m + j] - y[i * m - m + j];
  }
}

SUM(order_neighbour_conditional, 6, 1.0, 2.0, -3.0, 0.5, 0.75, 1.5) {
  real s = 0, last = 0;
  for (int i = 0; i + 1 < n; i++) {
    if (VALUE(x[i]) > 0)
      s += x[i] * x[i + 1];
    last = x[i] * s;
  }
  return s * last;
}

SUM(order_neighbours_none, 2, 1.0, 2.0) {
  real s = x[0] * x[1];
  for (int i = 1; i + 1 < n; i++)
    s += x[i] * x[i + 1];
  return s;
}
