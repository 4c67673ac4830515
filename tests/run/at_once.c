// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls of functions that only compute: both sweeps of the callee may run in the reverse sweep, if
 * what it reads is still the same there. Here are those of which that is so, and those of which it
 * is not. */
// one-thread: counted_runs global_that_changes
#include "cases.h"

static NOINLINE real winding(const real *x, int n) {
  real s = 0.5;
  for (int i = 0; i < n; i++)
    s = s * x[i] + 0.25 * s * s;
  return s;
}

SUM(sum_of_calls, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 1; k <= n; k++)
    s += winding(x, k) * k;
  return s;
}

SUM(calls_in_a_row, 4, 0.1, -0.2, 0.3, 0.4) {
  return winding(x, n) + 2 * winding(x + 1, n - 1) - 3 * winding(x + 2, n - 2);
}

SUM(results_multiplied, 4, 0.1, -0.2, 0.3, 0.4) {
  real p = 1;
  for (int k = 1; k <= n; k++)
    p *= winding(x, k) + 1;
  return p;
}

MAP(results_stored, 4, 4, 0.1, -0.2, 0.3, 0.4) {
  for (int k = 0; k < n; k++)
    y[k] = winding(x, k + 1);
}

SUM(results_decide, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 1; k <= n; k++)
    s += winding(x, k) > 0.1 ? winding(x + 1, n - 1) : 2 * winding(x, n);
  return s;
}

SUM(result_decides_how_often, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  int k = 1;
  while (k <= n && winding(x, k) < 0.4)
    s += winding(x, k++) * s + x[0];
  return s + k * x[1];
}

/* --- What the callee reads changes. ----------------------------------------------------------- */

SUM(overwritten_between, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 1; k <= n; k++) {
    s += winding(x, k);
    x[k - 1] = x[k - 1] * x[k - 1] + s;
  }
  return s;
}

SUM(overwritten_at_the_end, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = winding(x, n) + winding(x + 1, n - 1);
  for (int i = 0; i < n; i++)
    x[i] = 0;
  return s;
}

SUM(overwritten_before_alone, 4, 0.1, -0.2, 0.3, 0.4) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i] + 0.5;
  return winding(x, n) + 2 * winding(x, n - 1);
}

SUM(local_array_made_anew, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 0; k < n; k++) {
    real w[4];
    for (int i = 0; i < 4; i++)
      w[i] = x[i] * x[k] + s;
    s += winding(w, 4);
  }
  return s;
}

SUM(local_array_that_stays, 4, 0.1, -0.2, 0.3, 0.4) {
  real w[4], s = 0;
  for (int i = 0; i < 4; i++)
    w[i] = x[i] * x[0] + 0.1;
  for (int k = 1; k <= n; k++)
    s += winding(w, k);
  return s;
}

SUM(freed_before_the_reverse, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 1; k <= n; k++) {
    real *w = (real *)malloc((size_t)k * sizeof *w);
    for (int i = 0; i < k; i++)
      w[i] = x[i] * x[k - 1];
    s += winding(w, k);
    free(w);
  }
  return s;
}

SUM(freed_at_the_end, 4, 0.1, -0.2, 0.3, 0.4) {
  real *w = (real *)malloc((size_t)n * sizeof *w);
  for (int i = 0; i < n; i++)
    w[i] = x[i] * x[i];
  real s = winding(w, n) + winding(w, n - 1);
  free(w);
  return s;
}

/* --- Callees that do more. ---------------------------------------------------------------------
 */

static int runs;

static NOINLINE real counting(const real *x, int n) {
  real s = 0.5;
  runs++;
  for (int i = 0; i < n; i++)
    s = s * x[i] + runs * s * s;
  return s;
}

SUM(counted_runs, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  runs = 0;
  for (int k = 1; k <= n; k++)
    s += counting(x, k);
  return s + runs * x[0];
}

static double factor;

static NOINLINE real scaled(const real *x, int n) {
  real s = 0.5;
  for (int i = 0; i < n; i++)
    s = s * x[i] * factor + s * s;
  return s;
}

SUM(global_that_changes, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 1; k <= n; k++) {
    factor = k * 0.5;
    s += scaled(x, k);
  }
  factor = 100;
  return s;
}

static NOINLINE real winding_to(const real *x, int n, real *last) {
  *last = winding(x, n);
  return *last * *last;
}

SUM(result_and_memory, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0, last = 0;
  for (int k = 1; k <= n; k++)
    s += winding_to(x, k, &last) * last;
  return s;
}

static NOINLINE real with_scratch(const real *x, int n) {
  real local[4] = {0.5}, s = 0, *heap = (real *)malloc((size_t)n * sizeof *heap);
  for (int i = 0; i < n; i++) {
    local[i] = (i ? local[i - 1] : x[0]) * x[i];
    heap[i] = local[i] * x[0] + s;
    s += heap[i] * heap[i / 2];
  }
  free(heap);
  return s;
}

SUM(scratch_memory, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 1; k <= n; k++)
    s += with_scratch(x, k) + 2 * with_scratch(x + 1, k - 1);
  return s;
}

static NOINLINE real with_large_arrays(const real *x, int n) {
  real sums[40] = {0.5, 0.25}, products[700] = {0.125}, s = 0;
  for (int i = 1; i <= n; i++) {
    sums[i + 1] = sums[i] * sums[i - 1] + x[i - 1];
    products[i] = products[i - 1] * sums[i + 1] + sums[i];
    s += products[i] * products[(i * 7) % n] * s + sums[n - i];
  }
  return s;
}

SUM(large_arrays, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 1; k <= n; k++)
    s += with_large_arrays(x, k) + 2 * with_large_arrays(x, n);
  return s;
}

static NOINLINE real logistic(const real *x, int n) {
  real s = x[0];
  for (int i = 0; i < n; i++)
    s = s * (1 - s);
  return s;
}

MAP(cheap_results_stored, 3, 3, 0.1, -0.2, 0.3) {
  for (int k = 0; k < n; k++)
    y[k] += logistic(x, n + k) * y[k];
}

/* --- Arguments by value, recursion and levels. -------------------------------------------------
 */

static NOINLINE real power_of(real base, real start, int n) {
  real s = start;
  for (int i = 0; i < n; i++)
    s = s * base + 0.1 * s * s;
  return s;
}

SUM(numbers_alone, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 0; k < n; k++)
    s += power_of(x[k], x[0] * k, 3 + k);
  return s;
}

SUM(number_handed_on, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = x[0];
  for (int k = 0; k < n; k++)
    s = power_of(x[k], s, 3 + k);
  return s;
}

SUM(number_overwritten, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 0; k < n; k++) {
    real v = x[k] * x[k];
    x[k] = 0;
    s += power_of(v, v + 1, k);
  }
  return s;
}

static NOINLINE real halved(const real *x, int n) {
  return n <= 1 ? x[0] * x[0] : halved(x, n / 2) * halved(x + n / 2, n - n / 2) + x[0];
}

SUM(recursion, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 1; k <= n; k++)
    s += halved(x, k);
  return s;
}

static NOINLINE real down(const real *x, int n) {
  return n ? winding(x, n) * 0.5 + down(x, n - 1) * x[n - 1] : 1;
}

SUM(calls_in_recursion, 4, 0.1, -0.2, 0.3, 0.4) { return down(x, n) + 2 * down(x, n - 1); }

static NOINLINE real of_windings(const real *x, int n) {
  real s = 0;
  for (int k = 1; k <= n; k++)
    s += winding(x, k) * s + winding(x, n);
  return s;
}

static NOINLINE real of_those(const real *x, int n) {
  real s = 0;
  for (int k = 1; k <= n; k++)
    s = s * of_windings(x, k) + of_windings(x, n);
  return s;
}

SUM(levels, 3, 0.1, -0.2, 0.3) {
  real s = 0;
  for (int k = 1; k <= n; k++)
    s += of_those(x, k);
  return s;
}

TWIN(one_memory_by_two_names, 4, 0.1, -0.2, 0.3, 0.4) {
  real s = 0;
  for (int k = 1; k <= n; k++)
    s += winding(x, k) * winding(y, n - k + 1) + winding(y, k);
  return s;
}
