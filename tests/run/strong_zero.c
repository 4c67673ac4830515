// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is multiplied by a zero tangent or adjoint is zero, with enzyme_strong_zero. */
// shows: enzyme_strong_zero
// reals: double
// differences: none
#include "cases.h"

typedef struct {
  double x, y;
} Pair;

extern int enzyme_strong_zero;
extern double __enzyme_autodiff(void *, ...);
extern Pair __enzyme_autodiff_pair(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

/* The slope of sqrt(x) at 0 is infinite; it is multiplied by x * 2 = 0 behind it. */
static double smooth_behind(double x) {
  double r = sqrt(x);
  return r * r * r;
}
NOINLINE static double helper(double x) { return sqrt(x); }
static double through_call(double x, double y) { return helper(x) * helper(x) * y; }
static double two(double x, double y) { return sqrt(x) * y; }

CHECK(reverse) {
  EXPECT(__enzyme_autodiff((void *)smooth_behind, enzyme_strong_zero, 0.0), 0);
  Pair p = __enzyme_autodiff_pair((void *)through_call, enzyme_strong_zero, 0.0, 3.0);
  EXPECT(p.x, 0);
  EXPECT(p.y, 0);
  EXPECT(__enzyme_autodiff((void *)smooth_behind, enzyme_strong_zero, 4.0), 3);
}

CHECK(forward) {
  EXPECT(__enzyme_fwddiff((void *)two, enzyme_strong_zero, 0.0, 0.0, 3.0, 1.0), 0);
  EXPECT(__enzyme_fwddiff((void *)two, enzyme_strong_zero, 4.0, 1.0, 3.0, 1.0), 2 + 0.75);
}

/* Without the marker too: an argument that does not move has no part in the sum, however steep the
 * function is there. */
static double power(double x, double y) { return pow(x, y); }
static double power_of_root(double x, double y) { return 3 * pow(sqrt(x) + y, 0.5) + y; }
static double angles(double x, double y) { return asin(x) * y + acos(x) * y + acosh(x) * y; }

CHECK(zero_tangents_at_steep_points) {
  volatile double zero = 0, one = 1;
  EXPECT(__enzyme_fwddiff((void *)power, zero, 0.0, 0.5, 1.0), 0);
  EXPECT(__enzyme_fwddiff((void *)power, zero, 0.0, 0.5, zero), 0);
  EXPECT(__enzyme_fwddiff((void *)two, zero, zero, 3.0, 1.0), 0);
  EXPECT(__enzyme_fwddiff((void *)power_of_root, zero, zero, 1.0, 1.0), 2.5);
  EXPECT(__enzyme_fwddiff((void *)angles, one, zero, 2.0, 1.0), asin(1.0));
  EXPECT(__enzyme_autodiff_pair((void *)power, zero, 0.5).y, 0);
}
