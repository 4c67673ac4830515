// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arrays through pointers, updated in place; pointer arithmetic. */
#include "cases.h"

MAP(in_place_square, 3, 1, 1.0, 2.0, 3.0) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i];
  y[0] = x[0] + x[n - 1];
}

MAP(shift_left, 5, 1, 1.0, 2.0, 3.0, 4.0, 5.0) {
  for (int i = 0; i + 1 < n; i++)
    x[i] = sin(x[i + 1]);
  y[0] = x[0] * x[1];
}

MAP(shift_left_squared, 5, 1, 1.0, 2.0, 3.0, 4.0, 5.0) {
  for (int i = 0; i + 1 < n; i++) {
    real t = x[i + 1];
    x[i] = t * t;
  }
  y[0] = x[n - 2];
}

MAP(shift_right_chain, 4, 1, 0.1, 0.2, 0.3, 0.4) {
  for (int i = 1; i < n; i++)
    x[i] = x[i] * x[i - 1] + x[i];
  y[0] = x[n - 1];
}

MAP(exchange, 4, 1, 1.0, 2.0, 3.0, 4.0) {
  real t = x[0];
  x[0] = x[n - 1];
  x[n - 1] = t;
  y[0] = x[0] * x[0];
}

MAP(reversed_in_place, 5, 1, 1.0, 2.0, 3.0, 4.0, 5.0) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    real t = x[i];
    x[i] = x[j] * 2;
    x[j] = t;
  }
  y[0] = x[0];
}

MAP(prefix_sums, 5, 1, 1.0, 2.0, 3.0, 4.0, 5.0) {
  for (int i = 1; i < n; i++)
    x[i] += x[i - 1];
  y[0] = x[n - 1] * x[1];
}

MAP(prefix_products, 5, 1, 1.0, 2.0, 3.0, 0.4, 0.5) {
  for (int i = 1; i < n; i++)
    x[i] *= x[i - 1];
  y[0] = x[n - 1];
}

MAP(bubble_sort, 6, 2, 3.0, 1.0, 4.0, 1.5, 9.0, 2.5) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < n - i; j++)
      if (x[j] > x[j + 1]) {
        real t = x[j];
        x[j] = x[j + 1];
        x[j + 1] = t;
      }
  y[0] = x[0] * x[1];
  y[1] = x[n - 1];
}

MAP(insertion_sort, 6, 1, 3.0, 1.0, 4.0, 1.5, 9.0, 2.5) {
  for (int i = 1; i < n; i++) {
    real key = x[i];
    int j = i - 1;
    while (j >= 0 && x[j] > key) {
      x[j + 1] = x[j];
      j--;
    }
    x[j + 1] = key;
  }
  y[0] = x[0] * x[n - 1];
}

MAP(running_maximum, 6, 6, 3.0, 1.0, 4.0, 1.5, 9.0, 2.5) {
  real best = x[0];
  for (int i = 0; i < n; i++) {
    if (x[i] > best)
      best = x[i];
    y[i] = best * x[0];
  }
}

MAP(heat_in_two_buffers, 6, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real *from = x;
  real *to = y;
  for (int i = 0; i < n; i++)
    y[i] = x[i];
  for (int step = 0; step < 5; step++) {
    for (int i = 1; i + 1 < n; i++)
      to[i] = from[i] + 0.1 * (from[i - 1] - 2 * from[i] + from[i + 1]) * from[i];
    real *t = from;
    from = to;
    to = t;
  }
}

MAP(heat_in_place, 6, 1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  for (int step = 0; step < 4; step++)
    for (int i = 1; i + 1 < n; i++)
      x[i] = x[i] + 0.1 * (x[i - 1] - 2 * x[i] + x[i + 1]);
  y[0] = x[2] * x[3];
}

MAP(heat_in_a_local_array, 6, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real u[2][8];
  for (int i = 0; i < n; i++)
    u[0][i] = u[1][i] = x[i];
  for (int step = 0; step < 3; step++) {
    const real *from = u[step % 2];
    real *to = u[(step + 1) % 2];
    for (int i = 1; i + 1 < n; i++)
      to[i] = from[i] * from[i] * 0.1 + from[i - 1] - from[i + 1];
  }
  for (int i = 0; i < n; i++)
    y[i] = u[1][i];
}

SUM(walking_pointer, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 1;
  const real *p = x;
  while (p < x + n)
    r = r * *p++ + 1;
  return r;
}

SUM(walking_back, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 1;
  const real *p = x + n;
  while (p != x)
    r = r + *--p * r;
  return r;
}

MAP(copying_pointers, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  const real *from = x;
  real *to = y + n;
  for (int k = n; k > 0; k--)
    *--to = *from++ * 3;
}

MAP(two_pointers_meet, 5, 1, 1.0, 2.0, 3.0, 4.0, 5.0) {
  real *low = x;
  real *high = x + n - 1;
  while (low < high) {
    *low = *low * *high;
    *high = *low + *high;
    low++;
    high--;
  }
  y[0] = x[2] * x[1];
}

MAP(pointer_chosen_by_data, 4, 2, 1.0, 2.0, 3.0, 4.0, 5.0, 2.0, 3.0, 4.0) {
  real *p = x[0] > 3 ? x + 1 : x + 2;
  real *q = x[0] > 3 ? y : y + 1;
  *q = *p * x[n - 1];
  *p = *p * *p;
}

MAP(index_array, 5, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  int order[8];
  for (int i = 0; i < n; i++)
    order[i] = (i * 3 + 1) % n;
  for (int i = 0; i < n; i++)
    y[order[i]] = x[i] * x[order[i]];
}

MAP(scatter_add, 6, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  for (int i = 0; i < n; i++)
    y[(i * i) % 3] += x[i] * x[i];
}

static const int neighbours[6] = {2, 0, 5, 1, 3, 3};
static const double weights[6] = {0.5, -1.0, 2.0, 0.25, 3.0, 1.0};

MAP(gather_by_table, 6, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  for (int i = 0; i < n; i++)
    y[i] = weights[i] * x[neighbours[i]] * x[i];
}

MAP(sparse_product, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  static const int start[5] = {0, 1, 1, 4, 6};
  for (int i = 0; i < n; i++) {
    real sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += weights[k] * x[neighbours[k] % n];
    y[i] = sum * x[i];
  }
}

MAP(two_dimensions, 6, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real a[2][3];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      a[i][j] = x[i * 3 + j] * x[n - 1];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 2; i++)
      y[j * 2 + i] = a[i][j] * a[1 - i][j];
}

MAP(overwritten_output, 3, 3, 1.0, 2.0, 3.0) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * x[i];
    y[i] = sin(y[i]);
    y[i] = y[i] * x[0];
  }
}

MAP(output_as_workspace, 3, 1, 1.0, 2.0, 3.0) {
  y[0] = 1;
  for (int i = 0; i < n; i++)
    y[0] = y[0] * x[i] + sin(y[0]);
}

MAP(constants_over_active, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * x[i];
    x[i] = 1.5;
  }
  y[0] = y[0] * x[1];
}

MAP(overlapping_windows, 6, 1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  for (int i = 0; i + 2 < n; i++) {
    x[i + 2] = x[i] * x[i + 1] * 0.1;
    x[i] = x[i + 2] + 1;
  }
  y[0] = x[n - 1];
}

MAP(read_after_overwrite, 3, 3, 1.0, 2.0, 3.0) {
  for (int i = 0; i < n; i++) {
    real before = x[i];
    x[i] = before * before * before;
    y[i] = x[i] * before;
  }
}

TWIN(twin_dot, 4, 1.0, 2.0, 3.0, 4.0) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static NOINLINE real restricted_dot(int n, const real *restrict a, const real *restrict b) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

TWIN(twin_restricted_dot, 4, 1.0, 2.0, 3.0, 4.0) { return restricted_dot(n, x, y); }

TWIN(twin_shifted, 4, 1.0, 2.0, 3.0, 4.0) {
  real sum = 0;
  for (int i = 0; i + 1 < n; i++)
    sum += x[i] * y[i + 1] * y[i];
  return sum;
}

FIXED(constant_matrix, 4, 2, 1.0, 2.0, 3.0, 4.0) {
  real a = y[0];
  real b = y[1];
  y[0] = x[0] * a + x[1] * b;
  y[1] = x[2] * a + x[n - 1] * b * b;
}

FIXED(constant_data_misfit, 4, 2, 1.0, 2.0, 3.0, 4.0) {
  real sum = 0;
  for (int i = 0; i < n; i++) {
    real error = y[0] * i - x[i];
    sum += error * error;
  }
  y[1] = sum;
}

FIXED(constant_decides, 4, 2, 1.0, -2.0, 3.0, -4.0) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[0] = y[0] * y[1] + x[i];
    else
      y[1] = y[1] + y[0] * x[i];
}
