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

/* What says nothing that a derivative depends on, and a function that may be inlined before. */
static double count(double x) { return x * x; }
NABLA_INACTIVE_NOBLOCK(count);
static float weightf(float x) { return x * x; }
static double computed(double x) { return x * x * x; }
NABLA_NOFREE(computed);
NABLA_NO_ESCAPING_ALLOCATION(computed);
NABLA_SHOULD_RECOMPUTE(computed);
NABLA_CALL_INACTIVE(int, int);
static int sign(double x) { return x > 0 ? 2 : -2; }
static double hinted(double x) {
  double sum = 0;
  __enzyme_set_mincut(1);
  for (int i = 0; i < 2; i++)
    sum += __enzyme_iter(i + 1, 2) * computed(x);
  float narrow = (float)x;
  return sum * count(x) * __enzyme_call_inactive_int((void *)sign, x) +
         __enzyme_call_inactive((void *)weight, x) * x +
         __enzyme_call_inactive_float((void *)weightf, narrow) * x;
}

CHECK(hints_and_inactive_calls) { EXPECT(__enzyme_fwddiff((void *)hinted, 2.0, 1.0), 296); }

typedef double (*Function)(double);
typedef struct {
  Function apply;
} Model;
static double apply(const Model *m, double x) { return m->apply(x); }
CHECK(virtual_functions) {
  Model m = {computed}, dm = {(Function)__enzyme_virtualreverse((void *)computed)};
  EXPECT(__enzyme_autodiff((void *)apply, enzyme_dup, &m, &dm, enzyme_out, 2.0), 12);
}

static double third(double x) { return x / 3; }
CHECK(other_formats) {
  Function op = (Function)__enzyme_truncate_op_func((void *)third, 64, 32);
  EXPECT(op(1), (float)1 / 3);
  Function mem = (Function)__enzyme_truncate_mem_func((void *)third, 64, 8, 23);
  double in = __enzyme_truncate_mem_value(1, 64, 8, 23);
  EXPECT(__enzyme_expand_mem_value(mem(in), 64, 8, 23), (float)1 / 3);
  EXPECT(__enzyme_truncate_mem_value(0.1, 64, 32), 0.1f);
  float half = __enzyme_truncate_mem_value_float(0.1f, 32, 16);
  EXPECT(__enzyme_expand_mem_value_float(half, 32, 16), (_Float16)0.1f);
}
