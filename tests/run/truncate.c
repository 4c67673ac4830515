// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that compute in a narrower format. */
// shows: __enzyme_truncate_mem_func; __enzyme_truncate_op_func; __enzyme_truncate_mem_value
// shows: __enzyme_expand_mem_value
// reals: double
// differences: none
#include "cases.h"

typedef double Function(double);
typedef double Binary(double, double);
typedef double Array(const double *, int);
typedef float Single(float, float);
typedef void Filter(double *, int);
typedef struct {
  double x, y, z;
} Three;
typedef Three Struct(Three, double);

extern Function *__enzyme_truncate_op_func_function(Function *, int, int);
extern Function *__enzyme_truncate_op_func_format(Function *, int, int, int);
extern Binary *__enzyme_truncate_op_func_binary(Binary *, int, int);
extern Array *__enzyme_truncate_op_func_array(Array *, int, int);
extern Struct *__enzyme_truncate_op_func_struct(Struct *, int, int);
extern Binary *__enzyme_truncate_op_func_odd(Binary *, int, int, int);
extern Single *__enzyme_truncate_op_func_single(Single *, int, int, int);
extern Array *__enzyme_truncate_op_func_odd_array(Array *, int, int, int);
extern Filter *__enzyme_truncate_mem_func(Filter *, int, int);
extern Filter *__enzyme_truncate_mem_func_odd(Filter *, int, int, int);
extern Function *__enzyme_truncate_mem_func_function(Function *, int, int, int);
extern double __enzyme_truncate_mem_value(double, int, int);
extern double __enzyme_truncate_mem_value_odd(double, int, int, int);
extern float __enzyme_truncate_mem_value_f(float, int, int, int);
extern double __enzyme_expand_mem_value(double, int, int);
extern double __enzyme_expand_mem_value_odd(double, int, int, int);
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

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

CHECK(the_same_format) {
  volatile double one = 1;
  EXPECT(__enzyme_truncate_op_func_format(third, 64, 11, 52)(one) == one / 3, 1);
  EXPECT(__enzyme_truncate_mem_func_function(third, 64, 11, 52)(one) == one / 3, 1);
  EXPECT(__enzyme_truncate_mem_value_odd(one / 3, 64, 11, 52) == one / 3, 1);
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

/* --- Formats that no processor has. --- */

static double multiply(double x, double y) { return x * y; }
static double divide(double x, double y) { return x / y; }
static double subtract(double x, double y) { return x - y; }
static double fused(double x, double y) { return x * y + x; }
static float divide_single(float x, float y) { return x / y; }

/* Rounds what needs no more than 31 bits to `digits` of them, to the nearest, ties to even. */
static double with_digits(double x, int digits) {
  int exponent;
  double unit = ldexp(1, digits), whole = nearbyint(frexp(x, &exponent) * unit);
  return ldexp(whole / unit, exponent);
}

CHECK(odd_operations) {
  volatile double x = 1.40625, y = 1.703125, z = 3;
  EXPECT(__enzyme_truncate_op_func_odd(multiply, 64, 8, 6)(x, y) == with_digits(x * y, 7), 1);
  EXPECT(__enzyme_truncate_op_func_odd(add, 64, 8, 6)(x, y) == with_digits(x + y, 7), 1);
  EXPECT(__enzyme_truncate_op_func_odd(subtract, 64, 8, 6)(z, x) == with_digits(z - x, 7), 1);
  EXPECT(__enzyme_truncate_op_func_odd(divide, 64, 8, 6)(x, z) == with_digits(x / z, 7), 1);
  double rounded = with_digits(with_digits(x * y, 7) + x, 7);
  EXPECT(__enzyme_truncate_op_func_odd(fused, 64, 8, 6)(x, y) == rounded, 1);
  EXPECT(__enzyme_truncate_op_func_single(divide_single, 32, 7, 9)((float)x, (float)z) ==
             (float)with_digits(x / z, 10),
         1);
}

CHECK(ends_of_odd_formats) {
  volatile double x = 240, y = 2, tiny = 0x1p-9;
  EXPECT(__enzyme_truncate_op_func_odd(add, 64, 4, 3)(x, 7) == 240, 1);
  EXPECT(__enzyme_truncate_op_func_odd(multiply, 64, 4, 3)(x, y) > 1e300, 1);
  EXPECT(__enzyme_truncate_op_func_odd(add, 64, 4, 3)(tiny, 0) == tiny, 1);
  EXPECT(__enzyme_truncate_op_func_odd(divide, 64, 4, 3)(tiny, y) == 0, 1);
}

/* A double's product rounded again would be 1 + 2^-45: the exact one is below the tie. */
CHECK(rounded_once) {
  volatile double x = 1 + 0x1p-46, y = 1 + 0x1p-47, below = x * y;
  double found = __enzyme_truncate_op_func_odd(multiply, 64, 11, 50)(x, y);
  EXPECT(found == 1 + 0x1p-46 + 0x1p-47, 1);
  EXPECT(found == below, 1);
  volatile double tie = 1 + 0x1p-51, little = -0x1p-100;
  EXPECT(__enzyme_truncate_op_func_odd(add, 64, 11, 50)(1 + 0x1p-50, 0x1p-51 + 0) == 1 + 0x1p-49,
         1);
  EXPECT(__enzyme_truncate_op_func_odd(subtract, 64, 11, 50)(1, little) == 1, 1);
  EXPECT(tie + little == tie, 1);
}

CHECK(odd_callees_and_loops) {
  double x[20], expected = 0;
  for (int i = 0; i < 20; i++) {
    x[i] = 1.0 / (i + 3);
    double number = with_digits(x[i], 8);
    expected = with_digits(expected + with_digits(number * number, 8), 8);
  }
  EXPECT(__enzyme_truncate_op_func_odd_array(norm, 64, 6, 7)(x, 20) == expected, 1);
}

static double cubed(double x) { return x * x * x; }
static double cubed_in_odd_format(double x) {
  return __enzyme_truncate_mem_func_function(cubed, 64, 8, 12)(x);
}

/* The derivative of what is computed without rounding, at rounded values. */
CHECK(differentiated) {
  EXPECT(__enzyme_autodiff((void *)cubed_in_odd_format, 1.5), 3 * 1.5 * 1.5);
  EXPECT(__enzyme_fwddiff((void *)cubed_in_odd_format, 1.5, 2.0), 6 * 1.5 * 1.5);
}

/* --- Memory. --- */

static void filter(double *x, int n) {
  x[n - 1] = 0.1;
  for (int i = 1; i < n; i++)
    x[i - 1] = x[i] / 3 + x[i - 1];
}

CHECK(memory_in_float) {
  double x[4];
  float f[4];
  for (int i = 0; i < 4; i++) {
    f[i] = (float)(1.0 / (i + 3));
    x[i] = __enzyme_truncate_mem_value(1.0 / (i + 3), 64, 32);
  }
  __enzyme_truncate_mem_func(filter, 64, 32)(x, 4);
  f[3] = 0.1f;
  for (int i = 1; i < 4; i++)
    f[i - 1] = f[i] / 3 + f[i - 1];
  for (int i = 0; i < 4; i++)
    EXPECT(fabs(__enzyme_expand_mem_value(x[i], 64, 32) - (double)f[i]) <= 0x1p-24, 1);
  EXPECT(__enzyme_expand_mem_value(x[3], 64, 32) == (double)0.1f, 1);
}

CHECK(memory_in_odd_format) {
  double x[4], expected[4];
  for (int i = 0; i < 4; i++) {
    expected[i] = with_digits(1.0 / (i + 3), 6);
    x[i] = __enzyme_truncate_mem_value_odd(1.0 / (i + 3), 64, 7, 5);
  }
  __enzyme_truncate_mem_func_odd(filter, 64, 7, 5)(x, 4);
  expected[3] = with_digits(0.1, 6);
  for (int i = 1; i < 4; i++)
    expected[i - 1] = with_digits(with_digits(expected[i] / 3, 6) + expected[i - 1], 6);
  for (int i = 0; i < 4; i++)
    EXPECT(__enzyme_expand_mem_value_odd(x[i], 64, 7, 5) == expected[i], 1);
  EXPECT(__enzyme_truncate_mem_value_f(1.0f / 3, 32, 5, 4) == (float)with_digits(1.0 / 3, 5), 1);
}
