// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Forward mode of reverse mode through the standard library. */
// reals: double
// differences: none
#include "curved.h"
#include "cases.h"

#include <algorithm>
#include <map>
#include <vector>

static std::vector<double> spread(const double *x, int count) {
  std::vector<double> a;
  for (int i = 0; i < count; i++)
    a.push_back(x[i % SIZE] * x[(i + 1) % SIZE] + sin(5.0 * i));
  return a;
}

static double sorted(double *x) {
  double a[40], sum = 0;
  for (int i = 0; i < 40; i++)
    a[i] = x[i % SIZE] * x[i % 3] * cos(7.0 * i);
  std::sort(a, a + 40);
  for (int i = 0; i < 40; i++)
    sum += a[i] * a[i] * (i - 20);
  return sum;
}
CURVED(sorted)
CHECK(sorted_twice) { compare(sorted_gradient, sorted_directed); }

static double median(double *x) {
  double a[21];
  for (int i = 0; i < 21; i++)
    a[i] = x[i % SIZE] * x[i % 3] * cos(7.0 * i);
  std::nth_element(a, a + 10, a + 21);
  return a[10] * a[10] + a[3];
}
CURVED(median)
CHECK(median_twice) { compare(median_gradient, median_directed); }

static double nested(double *x) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 5; i++)
    rows.push_back(spread(x, i + 1));
  double sum = 0;
  for (const auto &row : rows)
    for (double number : row)
      sum += number * number * number;
  return sum;
}
CURVED(nested)
CHECK(nested_twice) { compare(nested_gradient, nested_directed); }

static double counted(double *x) {
  std::map<int, double> sums;
  for (int i = 0; i < 9; i++)
    sums[i * 7 % 5] += x[i % SIZE] * x[i % 3];
  double sum = 0;
  for (const auto &entry : sums)
    sum += entry.second * entry.second * entry.first;
  return sum;
}
CURVED(counted)
CHECK(counted_twice) { compare(counted_gradient, counted_directed); }

static double sorted_vector(double *x) {
  std::vector<double> a = spread(x, 40);
  std::sort(a.begin(), a.end());
  double sum = 0;
  for (int i = 0; i < 40; i++)
    sum += a[i] * a[i] * (i - 20);
  return sum;
}
CURVED(sorted_vector)
CHECK(sorted_vector_twice) { compare(sorted_vector_gradient, sorted_vector_directed); }
