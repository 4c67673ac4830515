// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The C interface. */
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"
#include <nabla/nabla.h>

typedef struct {
  double x, y;
} Pair;
NABLA_REVERSE(Pair, pair);

static double square(double x) { return x * x; }
static double square_forward(double x, double dx) { return 10 * dx; }
static double square_augmented(double x) { return x * x; }
static double square_reverse(double x, double seed) { return 100 * seed; }
NABLA_DERIVATIVE(square, square_forward);
NABLA_GRADIENT(square, square_augmented, square_reverse);
static double weight(double x) { return x * x; }
NABLA_INACTIVE(weight);
static double my_sine(double x) { return x; }
NABLA_LIKE(my_sine, "sin");
static double mixed(double x, double y) { return square(x) * weight(y) + my_sine(y); }

CHECK(entry_points_and_registrations) {
  Pair d = __enzyme_autodiff_pair((void *)mixed, 2.0, 3.0);
  EXPECT(d.x, 900);
  EXPECT(d.y, cos(3.0));
  EXPECT(__enzyme_fwddiff((void *)mixed, 2.0, 1.0, 3.0, 0.0), 90);
  void *tape = __enzyme_augmentfwd((void *)mixed, enzyme_out, 2.0, enzyme_const, 3.0);
  EXPECT(__enzyme_reverse((void *)mixed, enzyme_out, 2.0, enzyme_const, 3.0, 1.0, tape), 900);
}
