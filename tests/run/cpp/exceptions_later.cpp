// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Forward mode that comes later than the primal, which threw and caught exceptions: it goes the
 * same way and throws nothing. */
// reals: double
// differences: none
#include "cases.h"

#include <stdexcept>
#include <vector>

extern int enzyme_dup, enzyme_const, enzyme_nofree;
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);

NOINLINE static double checked(double x) {
  if (x < 0)
    throw std::runtime_error("negative");
  return x * x;
}

static double one_call(double x) {
  try {
    return checked(x) * x;
  } catch (const std::exception &) {
    return 2 * x;
  }
}

CHECK(one) {
  void *tape = __enzyme_augmentfwd((void *)one_call, 2.0);
  EXPECT(__enzyme_fwdsplit((void *)one_call, 2.0, 1.0, tape), 12);
  tape = __enzyme_augmentfwd((void *)one_call, -2.0);
  EXPECT(__enzyme_fwdsplit((void *)one_call, enzyme_nofree, -2.0, 1.0, tape), 2);
  EXPECT(__enzyme_fwdsplit((void *)one_call, -2.0, 3.0, tape), 6);
}

/* What was done before the exception has a derivative; so has what is done on its way. */
struct Guard {
  double *place;
  ~Guard() { *place *= 3; }
};
NOINLINE static void half_done(double *y, const double *x, int n) {
  Guard guard{&y[1]};
  for (int i = 0; i < n; i++) {
    y[0] += x[i] * x[i];
    if (i == 1 && x[i] > 1)
      throw i;
    y[1] += checked(x[i]) * y[0];
  }
}
static double in_a_loop(const double *x, int n) {
  double y[2] = {0, 0}, sum = 0;
  for (int k = 1; k <= n; k++) {
    try {
      half_done(y, x, k);
      sum += y[0] * y[1];
    } catch (int i) {
      sum += i * y[1] * x[0];
    } catch (const std::runtime_error &) {
      sum -= y[0] * x[1];
    }
  }
  return sum + y[0] + y[1];
}

static void expect_in_a_loop(double first, double second) {
  double x[4] = {first, second, 0.5, -3}, d[4] = {0.5, 1, -1, 2};
  double h = 1e-6, difference = 0;
  for (int side = -1; side <= 1; side += 2) {
    double moved[4];
    for (int i = 0; i < 4; i++)
      moved[i] = x[i] + side * h * d[i];
    difference += side * in_a_loop(moved, 4) / (2 * h);
  }
  void *tape = __enzyme_augmentfwd((void *)in_a_loop, enzyme_dup, x, d, enzyme_const, 4);
  for (double &element : x)
    element = NAN;
  double found = __enzyme_fwdsplit((void *)in_a_loop, enzyme_dup, x, d, enzyme_const, 4, tape);
  EXPECT(fabs(found - difference) < 1e-7 * fabs(difference), 1);
}

CHECK(partly) {
  expect_in_a_loop(0.7, 0.9);
  expect_in_a_loop(0.7, 1.9);
  expect_in_a_loop(-0.7, 0.9);
}

/* An exception goes through calls that call themselves, is thrown again, and carries a number that
 * decides. */
NOINLINE static double deep(double x, int n) {
  if (n == 0 && x > 2)
    throw std::out_of_range("large");
  if (n == 0)
    return x;
  try {
    return x * deep(x * 1.5, n - 1);
  } catch (const std::out_of_range &) {
    if (n < 2)
      throw;
    return x * x;
  }
}
static double recursive(double x) { return deep(x, 3) + x; }

CHECK(recursion) {
  EXPECT(
      __enzyme_fwdsplit((void *)recursive, 0.4, 1.0, __enzyme_augmentfwd((void *)recursive, 0.4)),
      1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 4 * 0.4 * 0.4 * 0.4 + 1);
  EXPECT(
      __enzyme_fwdsplit((void *)recursive, 2.0, 1.0, __enzyme_augmentfwd((void *)recursive, 2.0)),
      1.5 * 1.5 * 3 * 2 * 2 + 1);
}

/* Nothing is thrown, and all may be. */
static double growing(double x) {
  std::vector<double> v;
  for (int i = 0; i < 5; i++)
    v.push_back(x * i);
  double sum = 0;
  for (double element : v)
    sum += element * element;
  return sum * v.at(3);
}

CHECK(vectors) {
  EXPECT(__enzyme_fwdsplit((void *)growing, 2.0, 1.0, __enzyme_augmentfwd((void *)growing, 2.0)),
         3 * 2 * 2 * 90);
}

static double out_of_range(double x) {
  std::vector<double> v(3, x);
  try {
    return v.at(2) * v.at(3);
  } catch (const std::out_of_range &) {
    return v[0] * v[1];
  }
}

CHECK(from_the_library) {
  EXPECT(__enzyme_fwdsplit((void *)out_of_range, 3.0, 1.0,
                           __enzyme_augmentfwd((void *)out_of_range, 3.0)),
         6);
}
