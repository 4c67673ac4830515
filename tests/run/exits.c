// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that end when the data say so, that have several exits, and exchanged loop variables. */
#include "cases.h"

SCALAR1(newton_square_root, 2.0, 30.0) {
  real r = x > 1 ? x : 1;
  real error = 1;
  int k = 0;
  while (error > 1e-5 && k < 60) {
    real next = 0.5 * (r + x / r);
    error = next > r ? next - r : r - next;
    r = next;
    k++;
  }
  return r;
}

SCALAR2(escape_loop, 0.3, 0.5, 0.6, 0.7, -0.4, 0.1) {
  real u = 0;
  real v = 0;
  int k = 0;
  while (u * u + v * v < 4 && k < 12) {
    real t = u * u - v * v + x;
    v = 2 * u * v + y;
    u = t;
    k++;
  }
  return u + v;
}

SCALAR2(fixed_point_iteration, 0.3, 0.5) {
  real z = 0;
  real change = 1;
  while (change > 1e-5) {
    real next = x * cos(z) + y * 0.5;
    change = fabs(VALUE(next - z));
    z = next;
  }
  return z;
}

SUM(first_large, 5, 1.0, 2.0, 5.0, 3.0, 7.0) {
  for (int i = 0; i < n; i++)
    if (x[i] > 4)
      return x[i] * x[0];
  return x[1];
}

SUM(break_in_the_middle, 5, 1.0, 2.0, 5.0, 3.0, 7.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    r = r + x[i] * 0.5;
    if (r > 4)
      break;
    r = r * x[i];
  }
  return r;
}

SUM(continue_on_negative, 5, 1.0, -2.0, 5.0, -3.0, 7.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      continue;
    r = r * x[i] + sin(r);
  }
  return r;
}

SUM(break_continue_return, 6, 1.0, -2.0, 0.5, 0.1, 2.0, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.1, 0.1,
    -0.1, -0.2, 9.0, 1.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      continue;
    if (x[i] > 8)
      return r * x[i];
    r = r + x[i] * r;
    if (r > 6)
      break;
  }
  return r * r;
}

SUM(exits_of_two_loops, 4, 0.5, 1.0, 1.5, 2.0, 0.1, 0.1, 0.1, 0.1) {
  real r = 0.1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      r = r + x[i] * x[j] * r;
      if (r > 1.5)
        break;
      if (r > 40)
        return r * 2;
    }
    if (r > 8)
      return r + x[i];
  }
  return r;
}

SUM(goto_out_of_two_loops, 4, 0.5, 1.0, 1.5, 2.0, 0.1, 0.1, 0.1, 0.1) {
  real r = 0.1;
  int i = 0;
  int j = 0;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      r = r + x[i] * x[j];
      if (r > 3)
        goto done;
    }
done:
  return r * r * (i + 1) * (j + 1);
}

SUM(endless_with_break, 4, 0.5, 1.0, 1.5, 2.0) {
  real r = 0.1;
  int i = 0;
  for (;;) {
    r = r + x[i % n];
    if (r > 10 || i > 20)
      break;
    r = r * 1.25;
    i++;
  }
  return r * r;
}

SUM(exit_before_and_after, 3, 0.5, 1.0, 1.5) {
  real r = 1;
  int i = 0;
  do {
    if (r > 5)
      return r * x[0];
    r = r + x[i % n] * r;
    i++;
  } while (i < 10 && r < 20);
  return r;
}

SUM(loop_made_of_gotos, 4, 0.5, 1.0, 1.5, 2.0) {
  real r = 1;
  int i = 0;
again:
  if (i >= n)
    goto done;
  r = r * x[i] + 1;
  i++;
  goto again;
done:
  return r;
}

SUM(nested_gotos, 3, 0.5, 1.0, 1.5) {
  real r = 1;
  int i = 0;
  int j = 0;
outer:
  j = 0;
inner:
  r = r + sin(r * x[j]);
  j++;
  if (j < n)
    goto inner;
  i++;
  r = r * 0.5;
  if (i < n)
    goto outer;
  return r;
}

SUM(irreducible, 4, 0.5, 1.0, 1.5, 2.0, 2.0, 1.0, 1.5, 2.0) {
  real r = 1;
  int i = 0;
  if (x[0] > 1)
    goto middle;
top:
  r = r * x[i % n] + 1;
  i++;
middle:
  r = r + sin(r);
  i++;
  if (i < 7)
    goto top;
  return r;
}

/* Loops inside of loops that are entered at several places; LLVM's own pass is wrong there. */
SUM(irreducible_nested, 2, 0.5, 1.0, 1.5, 2.0, 0.7, 0.3) {
  real r = x[1], q = x[0];
  int k = 0;
outer:
  if (++k > 15)
    return r + q;
  q = q * 0.5 + sin(r);
  if (k % 5 == 1)
    goto middle;
inner:
  if (++k > 14)
    return r + q;
  r = r + x[k % 2] * q;
second:
  if (++k > 14)
    return r * q;
  if (k % 4 == 0)
    goto inner;
middle:
  if (++k > 11)
    return r - q;
  r = r * 0.8 + q;
  if (++k > 12)
    return r;
  if (k % 3 == 0)
    goto outer;
  goto second;
}

SUM(irreducible_by_data, 3, 0.5, 1.0, 1.5, 1.2, 1.0, 1.5, 2.2, 0.5, 0.1) {
  real t[4] = {x[0], x[1], x[2], x[0] * x[1]}, r = 0.5, q = 1;
  int i = 0, k = 0;
first:
  if (++k > 18)
    goto done;
  t[i & 3] += 0.3 * r;
  i++;
  if (VALUE(t[i & 3]) > 1.1)
    goto third;
second:
  if (++k > 20)
    goto done;
  r = r * 0.9 + q * t[(i + 1) & 3];
  if (k % 4 == 1)
    goto second;
  if (VALUE(r) > 2)
    goto first;
third:
  if (++k > 16)
    goto done;
  q = q * 0.5 + sin(r);
  i++;
  if (VALUE(q) > 0.8)
    goto second;
  goto first;
done:
  return r * q + t[3];
}

SUM(irreducible_by_switch, 3, 0.5, 1.0, 1.5, 1.2, 1.0, 1.5, 2.2, 0.5, 0.1) {
  real r = x[0];
  int i = 0;
  switch ((int)VALUE(x[0])) {
  case 0:
    while (i < 6) {
      r = r * x[1] + 0.5;
    case 1:
      r = sin(r) + x[2];
    default:
      r = r + x[0] * 0.25;
      i++;
    }
  }
  return r;
}

SUM(swap_in_a_loop, 2, 1.0, 10.0) {
  real a = x[0];
  real b = x[1] * x[1];
  for (int i = 0; i < n + 3; i++) {
    real t = a;
    a = b;
    b = t;
  }
  return a + 2 * b;
}

MAP(rotation_of_three, 3, 3, 1.0, 10.0, 100.0) {
  real a = x[0];
  real b = x[1];
  real c = x[2];
  for (int i = 0; i < 2 * n + 1; i++) {
    real t = a;
    a = b;
    b = c;
    c = t * 0.5;
  }
  y[0] = a;
  y[1] = b * b;
  y[2] = c;
}

SUM(fibonacci_like, 2, 1.0, 0.5) {
  real a = x[0];
  real b = x[1];
  for (int i = 0; i < n * 4; i++) {
    real t = a * b + b;
    a = b;
    b = t * 0.25;
  }
  return a * b;
}

SUM(previous_value, 5, 1.0, 0.5, 2.0, 3.0, 0.1) {
  real before = 1;
  real r = 0;
  for (int i = 0; i < n; i++) {
    r += before * x[i];
    before = x[i] * x[i];
  }
  return r * before;
}

SUM(swap_when_larger, 5, 3.0, 0.5, 2.0, 4.0, 0.1) {
  real low = x[0];
  real high = x[1];
  for (int i = 0; i < n; i++) {
    if (low > high) {
      real t = low;
      low = high;
      high = t;
    }
    low = low + x[i] * 0.75;
  }
  return low * high;
}

SUM(collatz_walk, 3, 1.0, 0.5, 0.25) {
  real r = x[0];
  int k = 27;
  while (k != 1) {
    r = k % 2 ? r * 0.9 + x[1] : r + sin(x[2] * r);
    k = k % 2 ? 3 * k + 1 : k / 2;
  }
  return r;
}

SUM(count_and_weigh, 6, 1.0, -0.5, 0.25, 3.0, -4.0, 2.0) {
  int positive = 0;
  real sum = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) {
      positive++;
      sum += x[i] * positive;
    }
  return positive > 0 ? sum / positive : 0;
}

SUM(largest, 5, 3.0, 0.5, 2.0, 4.0, 0.1) {
  real best = x[0];
  for (int i = 1; i < n; i++)
    best = x[i] > best ? x[i] : best;
  return best * best;
}

SUM(index_of_largest, 5, 3.0, 0.5, 2.0, 4.0, 0.1) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > x[best])
      best = i;
  return x[best] * x[(best + 1) % n];
}

SUM(sum_until_limit, 5, 3.0, 0.5, 2.0, 4.0, 0.1) {
  real sum = 0;
  int i = 0;
  while (i < n && sum + x[i] < 6)
    sum += x[i++] * 1.5;
  return sum * i;
}

SUM(residual_under_two_exits, 3, 0.7, 1.3, 0.4) {
  real r = x[0];
  for (int i = 0; i < 50; i++) {
    real s = exp(-r * x[1]);
    if (s < 0.2)
      return s * r;
    r = r + s * x[2];
    if (r > 2)
      return r / s;
  }
  return r;
}

/* Of a function that ends the program nothing has to be known. */
__attribute__((weak, noreturn, nothrow)) void end_elsewhere(const char *why, const real *at,
                                                            real value);

SUM(ends_elsewhere, 4, 1.0, -2.0, 0.5, 3.0) {
  real squares[4];
  real sum = 1;
  for (int i = 0; i < n; i++) {
    squares[i] = x[i] * x[i];
    if (squares[i] * sum < 0)
      end_elsewhere("negative", squares, squares[i] * sum);
    sum += squares[i] * sum;
  }
  return sum * squares[0];
}
