// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The spellings of entry points and markers, and the forms of arguments and results. */
// shows: __enzyme_autodiff; __enzyme_fwddiff; enzyme_const; enzyme_dup; enzyme_dupnoneed
// shows: enzyme_out; enzyme_noret; enzyme_primal_return
// reals: double
// differences: none
#include "cases.h"

typedef struct {
  double x, y;
} Double2;
typedef struct {
  double x, y, z;
} Double3;
typedef struct {
  float x, y;
} Float2;
typedef struct {
  float x, y, z;
} Float3;
typedef struct {
  float f;
  double d;
} FloatDouble;
typedef struct {
  double d;
} Double1;

int diffe_const, diffe_dup, diffe_dupnoneed, diffe_out;

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);
extern double __enzyme_autodiffFloat(double (*)(double), double);
extern double f__enzyme_autodiff_square(double (*)(double), double);
extern double my__enzyme_fwddiff7(double (*)(double), double, double);
extern double __enzyme_autodiff_unprototyped();
extern float __enzyme_autodiff_float(float (*)(float), float);
extern float __enzyme_fwddiff_float(float (*)(float), float, float);
extern Double2 __enzyme_autodiff_double2(void *, ...);
extern Double3 __enzyme_autodiff_double3(void *, ...);
extern Float2 __enzyme_autodiff_float2(void *, ...);
extern Float2 __enzyme_autodiff_float2_typed(float (*)(float, float), float, float);
extern Float3 __enzyme_autodiff_float3(float (*)(float, float, float), float, float, float);
extern FloatDouble __enzyme_autodiff_mixed(double (*)(float, double), float, double);
extern Double1 __enzyme_autodiff_double1(void *, ...);
extern Double2 __enzyme_fwddiff_double2(void *, ...);
extern double __enzyme_autodiff_sized(double (*)(const double *, long), const double *, double *,
                                      long);
extern void __enzyme_autodiff_sized_void(double (*)(const double *, long), const double *, double *,
                                         int);

static double square(double x) { return x * x; }
static double product(double x, double y) { return x * y + x; }
static double triple(double x, double y, double z) { return x * y * z; }
static float square_float(float x) { return x * x; }
static float product_float(float x, float y) { return x * y + x; }
static float triple_float(float x, float y, float z) { return x * y * z; }
static double product_mixed(float x, double y) { return x * y * y; }
static double power_sum(double x, short k, long m, unsigned char c) {
  double r = 1;
  for (long i = 0; i < k + m; i++)
    r *= x;
  return r + c * x;
}
static double sum_of_squares(const double *x, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}
static double squares_and_sum(const double *x, double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * x[i];
    sum += x[i];
  }
  return sum;
}
static int sign_and_square(double x, double *y) {
  *y = x * x;
  return x < 0 ? -1 : 1;
}

CHECK(default_activity) {
  EXPECT(__enzyme_autodiff((void *)square, 3.0), 6);
  EXPECT(__enzyme_fwddiff((void *)square, 3.0, 0.5), 3);
}

CHECK(function_without_cast) {
  EXPECT(__enzyme_autodiff(square, 3.0), 6);
  EXPECT(__enzyme_autodiff(&square, 4.0), 8);
}

CHECK(substring_in_the_name) {
  EXPECT(__enzyme_autodiffFloat(square, 3.0), 6);
  EXPECT(f__enzyme_autodiff_square(square, 3.0), 6);
  EXPECT(my__enzyme_fwddiff7(square, 3.0, 2.0), 12);
}

CHECK(declared_without_prototype) { EXPECT(__enzyme_autodiff_unprototyped(square, 3.0), 6); }

CHECK(markers_loaded) {
  EXPECT(__enzyme_autodiff((void *)product, enzyme_out, 3.0, enzyme_const, 4.0), 5);
  EXPECT(__enzyme_autodiff((void *)product, enzyme_const, 3.0, enzyme_out, 4.0), 3);
  EXPECT(__enzyme_fwddiff((void *)product, enzyme_dup, 3.0, 1.0, enzyme_const, 4.0), 5);
  EXPECT(__enzyme_fwddiff((void *)product, enzyme_const, 3.0, enzyme_dup, 4.0, 2.0), 6);
}

CHECK(markers_by_address) {
  EXPECT(__enzyme_autodiff((void *)product, &enzyme_out, 3.0, &enzyme_const, 4.0), 5);
  EXPECT(__enzyme_fwddiff((void *)product, &enzyme_const, 3.0, &enzyme_dup, 4.0, 2.0), 6);
}

CHECK(markers_of_old) {
  double x[2] = {3, 4};
  double d[2] = {0, 0};
  EXPECT(__enzyme_autodiff((void *)product, diffe_out, 3.0, diffe_const, 4.0), 5);
  __enzyme_autodiff_void((void *)sum_of_squares, diffe_dup, x, d, diffe_const, 2L);
  EXPECT(d[1], 8);
}

CHECK(marker_before_a_defaulted_argument) {
  EXPECT(__enzyme_autodiff((void *)product, 3.0, enzyme_const, 4.0), 5);
  EXPECT(__enzyme_fwddiff((void *)product, 3.0, 1.0, enzyme_const, 4.0), 5);
}

static double without_its_last(const double *x, const double *y, const double *z) {
  return x[0] * x[1];
}

CHECK(arguments_without_use) {
  double x[2] = {3, 4}, y[1] = {5}, z[1] = {6};
  double d[2] = {0, 0}, of_y[1] = {0}, of_z[1] = {0};
  __enzyme_autodiff((void *)without_its_last, x, d, y, of_y, z, of_z);
  EXPECT(d[0], 4);
  EXPECT(d[1], 3);
  EXPECT(of_y[0] + of_z[0], 0);
  EXPECT(__enzyme_fwddiff((void *)without_its_last, x, d, y, of_y, z, of_z), 25);
}

CHECK(adjoints_in_two_doubles) {
  Double2 a = __enzyme_autodiff_double2((void *)product, 3.0, 4.0);
  EXPECT(a.x, 5);
  EXPECT(a.y, 3);
}

CHECK(adjoints_in_three_doubles) {
  Double3 a = __enzyme_autodiff_double3((void *)triple, 3.0, 4.0, 5.0);
  EXPECT(a.x, 20);
  EXPECT(a.y, 15);
  EXPECT(a.z, 12);
}

CHECK(one_adjoint_in_a_struct) {
  Double1 a = __enzyme_autodiff_double1((void *)square, 3.0);
  EXPECT(a.d, 6);
}

CHECK(adjoint_of_some_arguments) {
  Double2 a = __enzyme_autodiff_double2((void *)triple, 3.0, enzyme_const, 4.0, 5.0);
  EXPECT(a.x, 20);
  EXPECT(a.y, 12);
}

CHECK(floats_with_prototypes) {
  Float2 a = __enzyme_autodiff_float2_typed(product_float, 3.0f, 4.0f);
  Float3 b = __enzyme_autodiff_float3(triple_float, 3.0f, 4.0f, 5.0f);
  EXPECT(__enzyme_autodiff_float(square_float, 3.0f), 6);
  EXPECT(__enzyme_fwddiff_float(square_float, 3.0f, 0.5f), 3);
  EXPECT(a.x, 5);
  EXPECT(a.y, 3);
  EXPECT(b.x, 20);
  EXPECT(b.y, 15);
  EXPECT(b.z, 12);
}

CHECK(floats_promoted_to_doubles) {
  Float2 a = __enzyme_autodiff_float2((void *)product_float, 3.0f, 4.0f);
  EXPECT(a.x, 5);
  EXPECT(a.y, 3);
}

CHECK(float_and_double) {
  FloatDouble a = __enzyme_autodiff_mixed(product_mixed, 3.0f, 4.0);
  EXPECT(a.f, 16);
  EXPECT(a.d, 24);
}

CHECK(integers_of_other_widths) {
  EXPECT(__enzyme_autodiff((void *)power_sum, 2.0, 1, 2, 3), 15);
  EXPECT(__enzyme_fwddiff((void *)power_sum, 2.0, 1.0, 1L, 2, 3u), 15);
  short k = -1;
  signed char m = 3;
  unsigned char c = 200;
  EXPECT(__enzyme_autodiff((void *)power_sum, 2.0, k, m, c), 204);
}

CHECK(integers_narrower_in_the_prototype) {
  double x[3] = {1, 2, 3};
  double d[3] = {0, 0, 0};
  __enzyme_autodiff_sized_void(sum_of_squares, x, d, 3);
  EXPECT(d[2], 6);
}

CHECK(shadows_accumulate) {
  double x[3] = {1, 2, 3};
  double d[3] = {10, 20, 30};
  __enzyme_autodiff_void((void *)sum_of_squares, x, d, 3L);
  EXPECT(d[0], 12);
  __enzyme_autodiff_void((void *)sum_of_squares, enzyme_dup, x, d, enzyme_const, 3L);
  EXPECT(d[0], 14);
  EXPECT(d[1], 28);
  EXPECT(d[2], 42);
}

CHECK(output_shadow_is_consumed) {
  double x[2] = {3, 4};
  double y[2] = {7, 7};
  double dx[2] = {0, 0};
  double dy[2] = {1, 10};
  __enzyme_autodiff_void((void *)squares, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 2);
  EXPECT(dx[0], 6);
  EXPECT(dx[1], 80);
  EXPECT(dy[0], 0);
  EXPECT(dy[1], 0);
  EXPECT(y[1], 16);
}

CHECK(output_not_needed) {
  double x[2] = {3, 4};
  double y[2] = {7, 7};
  double dx[2] = {0, 0};
  double dy[2] = {1, 10};
  __enzyme_autodiff_void((void *)squares, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy, 2);
  EXPECT(dx[0], 6);
  EXPECT(dx[1], 80);
  EXPECT(dy[1], 0);
}

CHECK(output_not_needed_and_null) {
  double x[2] = {3, 4};
  double dx[2] = {0, 0};
  double dy[2] = {1, 10};
  __enzyme_autodiff_void((void *)squares, enzyme_dup, x, dx, enzyme_dupnoneed, NULL, dy, 2);
  EXPECT(dx[0], 6);
  EXPECT(dx[1], 80);
}

CHECK(output_null_in_forward_mode) {
  double x[2] = {3, 4};
  double dx[2] = {1, 2};
  double dy[2] = {9, 9};
  __enzyme_fwddiff_void((void *)squares, enzyme_dup, x, dx, enzyme_dupnoneed, NULL, dy, 2);
  EXPECT(dy[0], 6);
  EXPECT(dy[1], 16);
}

CHECK(forward_fills_output_and_shadow) {
  double x[2] = {3, 4};
  double dx[2] = {1, 2};
  double y[2] = {0, 0};
  double dy[2] = {9, 9};
  __enzyme_fwddiff_void((void *)squares, x, dx, y, dy, 2);
  EXPECT(y[0], 9);
  EXPECT(dy[0], 6);
  EXPECT(dy[1], 16);
}

CHECK(forward_of_constant_input) {
  double x[2] = {3, 4};
  double y[2] = {0, 0};
  double dy[2] = {9, 9};
  __enzyme_fwddiff_void((void *)squares, enzyme_const, x, enzyme_dup, y, dy, enzyme_const, 2);
  EXPECT(y[1], 16);
  EXPECT(dy[0], 0);
  EXPECT(dy[1], 0);
}

CHECK(constant_output) {
  double x[2] = {3, 4};
  double y[2] = {0, 0};
  double dx[2] = {1, 1};
  double r = __enzyme_fwddiff((void *)squares_and_sum, x, dx, enzyme_const, y, 2);
  EXPECT(r, 2);
  EXPECT(y[1], 16);
}

CHECK(result_not_wanted) {
  double x[2] = {3, 4};
  double dx[2] = {1, 2};
  double y[2] = {0, 0};
  double dy[2] = {0, 0};
  __enzyme_fwddiff_void((void *)squares_and_sum, enzyme_noret, x, dx, y, dy, 2);
  EXPECT(dy[0], 6);
  EXPECT(dy[1], 16);
  __enzyme_fwddiff_void((void *)squares_and_sum, &enzyme_noret, x, dx, y, dy, 2);
  EXPECT(dy[1], 16);
}

CHECK(result_and_output_have_adjoints) {
  double x[2] = {3, 4};
  double dx[2] = {0, 0};
  double y[2] = {0, 0};
  double dy[2] = {1, 1};
  __enzyme_autodiff_void((void *)squares_and_sum, x, dx, y, dy, 2);
  EXPECT(dx[0], 7);
  EXPECT(dx[1], 9);
}

CHECK(primal_returned_in_forward_mode) {
  Double2 r = __enzyme_fwddiff_double2((void *)square, enzyme_primal_return, 3.0, 0.5);
  EXPECT(r.x, 9);
  EXPECT(r.y, 3);
}

CHECK(primal_returned_in_reverse_mode) {
  Double2 r = __enzyme_autodiff_double2((void *)square, enzyme_primal_return, 3.0);
  EXPECT(r.x, 9);
  EXPECT(r.y, 6);
}

CHECK(primal_returned_alone) {
  double x[2] = {3, 4};
  double dx[2] = {0, 0};
  double r = __enzyme_autodiff((void *)sum_of_squares, enzyme_primal_return, x, dx, 2L);
  EXPECT(r, 25);
  EXPECT(dx[0], 6);
}

CHECK(integer_result) {
  double y = 0;
  double dy = 1;
  EXPECT(__enzyme_autodiff((void *)sign_and_square, -3.0, &y, &dy), -6);
  EXPECT(y, 9);
  dy = 5;
  __enzyme_fwddiff_void((void *)sign_and_square, -3.0, 1.0, &y, &dy);
  EXPECT(dy, -6);
}

CHECK(same_function_two_roles) {
  double first = __enzyme_autodiff((void *)product, enzyme_out, 3.0, enzyme_const, 4.0);
  double second = __enzyme_autodiff((void *)product, enzyme_const, 3.0, enzyme_out, 4.0);
  EXPECT(first + 10 * second, 35);
}

CHECK(derivative_in_a_loop) {
  double sum = 0;
  for (int i = 0; i < 5; i++)
    sum += __enzyme_autodiff((void *)square, (double)i);
  EXPECT(sum, 20);
}

CHECK(derivative_under_a_condition) {
  volatile double where = 2;
  double x = where;
  double slope = x > 1 ? __enzyme_autodiff((void *)square, x) : __enzyme_fwddiff(square, x, 1.0);
  EXPECT(slope, 4);
}

CHECK(newton_with_derivative) {
  double x = 5;
  for (int i = 0; i < 60; i++)
    x -= square(x) / __enzyme_autodiff((void *)square, x);
  EXPECT(x, 0);
}

static NOINLINE double slope_of_product(double x, double y) {
  return __enzyme_autodiff((void *)product, x, enzyme_const, y);
}

CHECK(derivative_in_a_function) { EXPECT(slope_of_product(2, 7), 8); }

static double second_by_forward(double x) {
  return __enzyme_fwddiff((void *)slope_of_product, x, 1.0, 7.0, 2.0);
}

CHECK(derivative_of_a_derivative) { EXPECT(second_by_forward(2), 2); }

double external_cube(double x) { return x * x * x; }

CHECK(function_with_external_linkage) {
  EXPECT(__enzyme_autodiff((void *)external_cube, 2.0), 12);
  EXPECT(external_cube(2.0), 8);
}

CHECK(library_function_itself) {
  EXPECT(__enzyme_autodiff((void *)(double (*)(double))sin, 0.5), cos(0.5));
  EXPECT(__enzyme_fwddiff((void *)(double (*)(double))exp, 0.5, 2.0), 2 * exp(0.5));
}

static double with_struct(Double2 p) { return p.x * p.y; }
extern Double2 __enzyme_autodiff_struct(double (*)(Double2), Double2);
extern double __enzyme_fwddiff_struct(double (*)(Double2), Double2, Double2);

CHECK(struct_argument) {
  Double2 p = {3, 4};
  Double2 d = {1, 0.5};
  EXPECT(__enzyme_fwddiff_struct(with_struct, p, d), 5.5);
  Double2 a = __enzyme_autodiff_struct(with_struct, p);
  EXPECT(a.x, 4);
  EXPECT(a.y, 3);
}

static Double2 pair_of_products(double x, double y) {
  Double2 r = {x * y, x + y};
  return r;
}
static Double3 three_products(double x, double y) {
  Double3 r = {x * y, x + y, x * x};
  return r;
}
extern Double3 __enzyme_fwddiff_double3(void *, ...);

CHECK(struct_result_in_forward_mode) {
  Double2 d = __enzyme_fwddiff_double2((void *)pair_of_products, 3.0, 1.0, 4.0, 2.0);
  EXPECT(d.x, 10);
  EXPECT(d.y, 3);
}

CHECK(struct_in_memory_in_forward_mode) {
  Double3 d = __enzyme_fwddiff_double3((void *)three_products, 3.0, 1.0, 4.0, 2.0);
  EXPECT(d.x, 10);
  EXPECT(d.y, 3);
  EXPECT(d.z, 6);
}

/* x^2 by way of memory that is asked for, resized and on the stack: the runtime is differentiated
 * too. */
static double square_in_memory(double x, int n) {
  double *heap = (double *)malloc(sizeof(double)), stack[n];
  heap = (double *)realloc(heap, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) {
    stack[i] = i ? heap[i - 1] : x;
    heap[i] = stack[i] * (i ? 1 : x);
  }
  double last = heap[n - 1];
  free(heap);
  return last;
}
static double tangent_in_memory(double x, int n) {
  return __enzyme_fwddiff((void *)square_in_memory, x, 1.0, enzyme_const, n);
}
static double adjoint_in_memory(double x, int n) {
  return __enzyme_autodiff((void *)square_in_memory, enzyme_out, x, enzyme_const, n);
}

CHECK(tangent_of_tangent_in_memory) {
  EXPECT(__enzyme_fwddiff((void *)tangent_in_memory, 3.0, 1.0, enzyme_const, 3), 2);
}

CHECK(tangent_of_adjoint_in_memory) {
  EXPECT(__enzyme_fwddiff((void *)adjoint_in_memory, 3.0, 1.0, enzyme_const, 3), 2);
}

CHECK(adjoint_of_adjoint_in_memory) {
  EXPECT(__enzyme_autodiff((void *)adjoint_in_memory, enzyme_out, 3.0, enzyme_const, 3), 2);
}
