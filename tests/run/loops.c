// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops: nested, with run-time bounds, zero trips, counting down, strides, changing bounds. */
#include "cases.h"

SUM(plain_sum, 4, 1.0, 2.0, 3.0, 4.0) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  return sum;
}

SUM(sum_of_squares, 4, 1.0, 2.0, 3.0, 4.0) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

SUM(product, 4, 1.0, 2.0, 3.0, 4.0) {
  real result = 1;
  for (int i = 0; i < n; i++)
    result *= x[i];
  return result;
}

SUM(power_tower, 3, 0.9, 0.8, 1.1) {
  real r = 1;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      r = sin(r * x[i]) + x[i];
  return r;
}

SUM(three_deep, 3, 1.0, 2.0, 3.0) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        sum += x[i] * x[j] * x[k] * (i + 2 * j - k);
  return sum;
}

SUM(three_deep_chained, 3, 0.3, 0.2, 0.1) {
  real t = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 2; j++) {
      for (int k = 0; k <= i; k++)
        t = t * cos(x[k]) + x[j];
      t = t + x[i] * t;
    }
    t = t / (1 + t * t);
  }
  return t;
}

SUM(triangle, 4, 1.0, 2.0, 3.0, 4.0) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      sum += x[i] * x[j] * x[j];
  return sum;
}

SUM(upper_triangle_chained, 4, 0.1, 0.2, 0.3, 0.4) {
  real t = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      t = sin(t + x[i] * x[j]);
  return t;
}

SUM(zero_trips, 2, 1.0, 2.0) {
  real sum = x[0] * x[1];
  for (int i = n; i < 2; i++)
    sum *= x[i];
  return sum;
}

SUM(inner_zero_trips, 3, 1.0, 2.0, 3.0) {
  real sum = x[0];
  for (int i = 0; i < n; i++)
    for (int j = n; j < i; j++)
      sum *= x[j];
  return sum * sum;
}

SUM(counting_down, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0;
  for (int i = n - 1; i >= 0; i--)
    r = r * x[i] + x[i];
  return r;
}

SUM(counting_down_unsigned, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0.5;
  for (unsigned i = (unsigned)n; i-- > 0;)
    r = r * x[i] + 1;
  return r;
}

SUM(stride_two, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  real r = 1;
  for (int i = 0; i < n; i += 2)
    r = r * x[i] + x[i] * x[i];
  return r;
}

SUM(stride_minus_three, 7, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0) {
  real r = 1;
  for (int i = n - 1; i > 0; i -= 3)
    r = r + r * x[i];
  return r;
}

SUM(doubling_stride, 9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0) {
  real r = 0;
  for (int i = 1; i < n; i *= 2)
    r = sin(r + x[i]);
  return r;
}

SUM(run_time_stride, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real r = 1;
  for (int step = 1; step < n; step++)
    for (int i = 0; i < n; i += step)
      r = cos(r * x[i]);
  return r;
}

SUM(two_counters, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  real r = 0;
  for (int i = 0, j = n - 1; i < j; i++, j--)
    r += x[i] * x[j] * (j - i);
  return r;
}

SUM(bound_that_shrinks, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real r = 1;
  int bound = n;
  for (int i = 0; i < bound; i++) {
    r = r * (1 + x[i]) + x[bound - 1];
    bound--;
  }
  return r;
}

SUM(bound_from_data, 4, 2.5, 0.2, 0.3, 0.4) {
  real r = x[1];
  int bound = (int)x[0];
  for (int i = 0; i < bound; i++)
    r = r * x[2] + x[0];
  return r;
}

SUM(bound_from_inner_loop, 5, 0.1, 0.2, 0.3, 0.4, 0.5) {
  real r = 1;
  int bound = 1;
  for (int i = 0; i < n; i++) {
    int found = 0;
    for (int j = 0; j < bound && j < n; j++) {
      r = r + x[j] * sin(r);
      found += r > 1.2;
    }
    bound = found + 2;
  }
  return r;
}

SUM(do_while, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0.1;
  int i = 0;
  do {
    r = r * r + x[i];
    i++;
  } while (i < n);
  return r;
}

SUM(while_loop, 4, 0.1, 0.2, 0.3, 0.4) {
  real r = 0.1;
  int i = 0;
  while (i < n) {
    r = exp(r * x[i]);
    ++i;
  }
  return r;
}

SUM(two_loops, 4, 0.1, 0.2, 0.3, 0.4) {
  real r = 1;
  for (int i = 0; i < n; i++)
    r = r * (1 + x[i]);
  for (int i = 0; i < n; i++)
    r = r + sin(r) * x[i];
  return r;
}

SUM(last_value_used_after, 4, 0.1, 0.2, 0.3, 0.4) {
  real square = 0;
  real sum = 0;
  for (int i = 0; i < n; i++) {
    square = x[i] * x[i] + sum;
    sum += sin(square);
  }
  return sum * square;
}

SUM(counter_used_after, 4, 0.1, 0.2, 0.3, 0.4) {
  int i = 0;
  real r = 1;
  for (; i < n && x[i] < 0.25; i++)
    r *= x[i];
  return r * i + x[0] * i;
}

SUM(long_counter, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0;
  for (long i = 0; i < (long)n; i++)
    r = r * 0.5 + x[i] * (real)i;
  return r;
}

SUM(short_counter, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0;
  for (short i = 0; i < n; i++)
    r = r * 0.5 + x[i] * x[i] * i;
  return r;
}

SUM(float_counter, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0;
  for (double t = 0; t < n; t += 0.5)
    r = r * 0.5 + x[(int)t] * x[(int)t] * t;
  return r;
}

SUM(many_iterations, 2, 0.5, 0.25) {
  real r = x[0];
  for (int i = 0; i < 1000 * n; i++)
    r = sin(r) + x[1];
  return r;
}

SUM(many_unknown_iterations, 2, 0.5, 0.25) {
  real r = x[0];
  for (int i = 0; i < 3000 && r < 1e6; i++)
    r = sin(r) + x[1];
  return r;
}

SUM(constant_trip_count, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = n;
  for (int i = 0; i < 4; i++)
    r += x[i] * x[3 - i];
  return r;
}

MAP(table_of_products, 3, 9, 1.0, 2.0, 3.0) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i * n + j] = x[i] * x[j];
}

MAP(running_sums, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  real sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
    y[i] = sum;
  }
}

MAP(normalised, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  real sum = 1;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  for (int i = 0; i < n; i++)
    y[i] = x[i] / sqrt(sum);
}

MAP(loop_over_function_of_i, 3, 3, 1.0, 2.0, 3.0) {
  for (int i = 0; i < n; i++)
    y[(i * 2 + 1) % n] = x[i] * (i % 2 ? 2.0 : -1.0);
}

/* --- Walks through triangles, whose next place is a sum over the rows before --------------------
 */

MAP(walk_below_a_diagonal, 6, 4, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real *at = x;
  for (int row = 0; row < 4; row++)
    y[row] = row + 1.5;
  for (int column = 0; column < 4; column++)
    for (int row = column + 1; row < 4; row++)
      y[row] += *at++ * y[column];
}

MAP(walk_before_a_diagonal, 6, 4, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real *at = x;
  for (int row = 0; row < 4; row++)
    y[row] = row + 1.5;
  for (int row = 0; row < 4; row++)
    for (int column = 0; column < row; column++)
      y[row] += *at++ * y[column] * y[row];
}

/* Of the last column the count would be less than none. */
MAP(walk_far_below_a_diagonal, 5, 4, 1.0, 2.0, 3.0, 4.0, 5.0) {
  real *at = x;
  for (int column = 0; column < n - 1; column++) {
    for (int row = column + 2; row < n - 1; row++)
      y[row] += *at++ * x[column];
    y[column] += *at * *at;
  }
}

MAP(walk_by_growing_steps, 11, 5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.5, 2.5) {
  real *at = x;
  for (int i = 0; i < 5; i++) {
    y[i] = *at * *at * x[i];
    at += i;
  }
}

/* The place is passed by where the row is not the last, and where it is. */
MAP(walk_with_another_question, 9, 4, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0) {
  real *at = x;
  for (int i = 0; i < 4; i++) {
    if (i + 2 < 4)
      for (int j = i; j < 3; j++)
        y[i] += *at++ * x[j];
    y[i] *= *at;
  }
}

MAP(walk_that_numbers_end, 9, 4, 1.0, 0.5, 3.0, 0.4, 5.0, 6.0, 0.7, 8.0, 9.0) {
  real *at = x;
  for (int i = 0; i < 4 && VALUE(*at) < 6; i++)
    for (int j = i + 1; j < 4; j++)
      y[j] += *at++ * x[i];
}

MAP(index_that_wraps_around, 8, 8, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0) {
  unsigned char at = 250;
  for (int i = 0; i < 8; i++) {
    y[i] = x[at % 8] * x[i];
    for (int j = i + 1; j < 8; j++)
      at++;
  }
}
