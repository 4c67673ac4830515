// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that compute in a narrower format. */
// reals: double
// differences: none
#include "cases.h"

typedef double Function(double);
typedef double Binary(double, double);
typedef double Array(const double *, int);
typedef struct {
  double x, y, z;
} Three;
typedef Three Struct(Three, double);

extern Function *__enzyme_truncate_op_func_function(Function *, int, int);
extern Function *__enzyme_truncate_op_func_format(Function *, int, int, int);
extern Binary *__enzyme_truncate_op_func_binary(Binary *, int, int);
extern Array *__enzyme_truncate_op_func_array(Array *, int, int);
extern Struct *__enzyme_truncate_op_func_struct(Struct *, int, int);

static double third(double x) { return x / 3; }
static double add(double x, double y) { return x + y; }
static double root(double x) { return sqrt(x) + sin(x); }
static int less(double x, double y) { return x < y; }
static double compared(double x, double y) { return less(x, y) ? 1 : 2; }

CHECK(one_operation) {
  volatile double one = 1, tiny = 1e-10;
  EXPECT(__enzyme_truncate_op_func_function(third, 64, 32)(one) == (double)(1.0f / 3), 1);
  EXPECT(__enzyme_truncate_op_func_format(third, 64, 8, 23)(one) == (double)(1.0f / 3), 1);
  EXPECT(__enzyme_truncate_op_func_binary(add, 64, 32)(one, tiny) == 1, 1);
  EXPECT(add(one, tiny) == 1, 0);
}

CHECK(half_precision) {
  volatile double x = 2048;
  EXPECT(__enzyme_truncate_op_func_binary(add, 64, 16)(x, 1) == 2048, 1);
  EXPECT(__enzyme_truncate_op_func_format(third, 64, 5, 10)(1) == (double)((_Float16)1 / 3), 1);
}

CHECK(functions_of_numbers) {
  volatile double x = 2;
  double expected = (double)((float)sqrt(2.0) + (float)sin(2.0));
  EXPECT(fabs(__enzyme_truncate_op_func_function(root, 64, 32)(x) - expected) < 3e-7, 1);
  EXPECT(__enzyme_truncate_op_func_function(root, 64, 32)(x) == root(x), 0);
}

CHECK(comparisons) {
  volatile double x = 1, y = 1 + 1e-12;
  EXPECT(compared(x, y), 1);
  EXPECT(__enzyme_truncate_op_func_binary(compared, 64, 32)(x, y), 2);
}

NOINLINE static double square(double x) { return x * x; }
static double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += square(x[i]);
  return s;
}
static float norm_in_float(const double *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += (float)x[i] * (float)x[i];
  return s;
}

CHECK(callees_and_loops) {
  double x[20];
  for (int i = 0; i < 20; i++)
    x[i] = 1.0 / (i + 3);
  double found = __enzyme_truncate_op_func_array(norm, 64, 32)(x, 20);
  EXPECT(fabs(found - (double)norm_in_float(x, 20)) < 2e-7, 1);
  EXPECT(found == (double)(float)found, 1);
  EXPECT(found == norm(x, 20), 0);
}

static Three scaled(Three v, double s) { return (Three){v.x * s, v.y * s, v.z * s}; }

CHECK(structs) {
  Three v = {1.0 / 3, 2, 3};
  Three r = __enzyme_truncate_op_func_struct(scaled, 64, 32)(v, 0.1);
  EXPECT(r.x == (double)((float)v.x * (float)0.1), 1);
  EXPECT(r.z == (double)(3 * (float)0.1), 1);
}
