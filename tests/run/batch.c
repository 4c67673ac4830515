// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Batches: a function called for several sets of arguments, without derivatives. */
// shows: __enzyme_batch; enzyme_scalar; enzyme_vector; enzyme_buffer; enzyme_width
// reals: double
// differences: none
#include "cases.h"

extern int enzyme_width, enzyme_scalar, enzyme_vector, enzyme_buffer;

typedef struct {
  double x[4];
} Four;
typedef struct {
  double x, y, z;
} Three;
typedef struct {
  Three lane[2];
} TwoOfThree;
typedef struct {
  double x, y;
} Two;
typedef struct {
  Two lane[2];
} TwoOfTwo;

extern double __enzyme_batch_one(void *, ...);
extern Two __enzyme_batch_two(void *, ...);
extern Four __enzyme_batch_four(void *, ...);
extern TwoOfTwo __enzyme_batch_pairs(void *, ...);
extern TwoOfThree __enzyme_batch_triples(void *, ...);
extern void __enzyme_batch_void(void *, ...);
extern double __enzyme_autodiff_batch(void *, ...);
extern void __enzyme_autodiff_batch_void(void *, ...);
extern double __enzyme_fwddiff_batch(void *, ...);
extern Two __enzyme_fwddiff_batch_two(void *, ...);

static double square_add(double x, double y) { return x * x + y; }
static double relu(double x, double a) { return x > 0 ? a * x : 0; }
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
static void square_in_place(double *x) { *x *= *x; }
static Two pair(Two p, double s) { return (Two){s * p.x, s + p.y}; }
static Three triple(Three t, double s) { return (Three){s * t.x, s * t.y, s * t.z}; }
static void append(double *list, int *length, double x) { list[(*length)++] = x; }
static int next(int i) { return i + 1; }

CHECK(one_value_for_all_lanes) {
  Four r = __enzyme_batch_four((void *)square_add, enzyme_width, 4, enzyme_vector, 1.0, 2.0, 3.0,
                               4.0, enzyme_scalar, 10.0);
  for (int i = 0; i < 4; i++)
    EXPECT(r.x[i], (i + 1) * (i + 1) + 10);
}

CHECK(vectors_are_the_default) {
  Two r = __enzyme_batch_two((void *)square_add, enzyme_width, 2, 2.0, 3.0, 1.0, -1.0);
  EXPECT(r.x, 5);
  EXPECT(r.y, 8);
}

CHECK(one_lane) {
  EXPECT(__enzyme_batch_one((void *)square_add, 2.0, 3.0), 7);
  EXPECT(__enzyme_batch_one((void *)square_add, enzyme_width, 1, enzyme_vector, 2.0, 3.0), 7);
}

CHECK(lanes_that_branch_apart) {
  Four r = __enzyme_batch_four((void *)relu, enzyme_width, 4, enzyme_vector, 1.0, -2.0, 3.0, -4.0,
                               enzyme_scalar, 2.0);
  EXPECT(r.x[0], 2);
  EXPECT(r.x[1], 0);
  EXPECT(r.x[2], 6);
  EXPECT(r.x[3], 0);
}

CHECK(pointers) {
  double a[3] = {1, 2, 3}, b[2] = {10, 20};
  Two r =
      __enzyme_batch_two((void *)sum, enzyme_width, 2, enzyme_vector, a, b, enzyme_vector, 3, 2);
  EXPECT(r.x, 6);
  EXPECT(r.y, 30);
  r = __enzyme_batch_two((void *)sum, enzyme_width, 2, a, b, enzyme_scalar, 1);
  EXPECT(r.x, 1);
  EXPECT(r.y, 10);
}

CHECK(buffers) {
  double x[6] = {1, 2, 3, 4, 5, 6};
  Two r = __enzyme_batch_two((void *)sum, enzyme_width, 2, enzyme_buffer, 3 * sizeof(double), x,
                             enzyme_scalar, 3);
  EXPECT(r.x, 6);
  EXPECT(r.y, 15);
  __enzyme_batch_void((void *)square_in_place, enzyme_width, 3, enzyme_buffer, 2 * sizeof *x, x);
  EXPECT(x[0], 1);
  EXPECT(x[1], 2);
  EXPECT(x[2], 9);
  EXPECT(x[4], 25);
}

CHECK(lanes_in_their_order) {
  double list[3] = {0};
  int length = 0;
  __enzyme_batch_void((void *)append, enzyme_width, 3, enzyme_scalar, list, enzyme_scalar, &length,
                      enzyme_vector, 1.0, 2.0, 3.0);
  EXPECT(length, 3);
  for (int i = 0; i < 3; i++)
    EXPECT(list[i], i + 1);
}

CHECK(structs) {
  Two p = {1, 2}, q = {3, 4};
  TwoOfTwo r =
      __enzyme_batch_pairs((void *)pair, enzyme_width, 2, enzyme_vector, p, q, enzyme_scalar, 10.0);
  EXPECT(r.lane[0].x, 10);
  EXPECT(r.lane[0].y, 12);
  EXPECT(r.lane[1].x, 30);
  EXPECT(r.lane[1].y, 14);
  Three t = {1, 2, 3}, u = {4, 5, 6};
  TwoOfThree s = __enzyme_batch_triples((void *)triple, enzyme_width, 2, enzyme_vector, t, u,
                                        enzyme_vector, 2.0, 3.0);
  EXPECT(s.lane[0].z, 6);
  EXPECT(s.lane[1].x, 12);
  EXPECT(s.lane[1].z, 18);
}

extern struct ThreeInts {
  int x, y, z;
} __enzyme_batch_ints(void *, ...);

CHECK(integers) {
  struct ThreeInts r = __enzyme_batch_ints((void *)next, enzyme_width, 3, 1, 2, 3);
  EXPECT(r.x, 2);
  EXPECT(r.z, 4);
}

CHECK(of_a_library_function) {
  extern double hypot(double, double);
  Two r = __enzyme_batch_two((void *)hypot, enzyme_width, 2, 3.0, 5.0, 4.0, 12.0);
  EXPECT(r.x, 5);
  EXPECT(r.y, 13);
}

/* A batch inside of what is differentiated. */
static double norm_of_batch(double x) {
  Two r = __enzyme_batch_two((void *)square_add, enzyme_width, 2, x, 2 * x, enzyme_scalar, 3 * x);
  return r.x * r.y;
}
static void batch_in_memory(double *x) {
  __enzyme_batch_void((void *)square_in_place, enzyme_width, 2, enzyme_buffer, sizeof *x, x);
}

CHECK(differentiated) {
  double x = 2, a = x * x + 3 * x, b = 4 * x * x + 3 * x;
  double slope = (2 * x + 3) * b + a * (8 * x + 3);
  EXPECT(__enzyme_autodiff_batch((void *)norm_of_batch, x), slope);
  EXPECT(__enzyme_fwddiff_batch((void *)norm_of_batch, x, 1.0), slope);
  double v[2] = {2, 3}, d[2] = {1, 10};
  __enzyme_autodiff_batch_void((void *)batch_in_memory, v, d);
  EXPECT(v[1], 9);
  EXPECT(d[0], 4);
  EXPECT(d[1], 60);
}

/* Derivatives inside of what is batched. */
static double slope_of_square(double x, double y) {
  return __enzyme_fwddiff_batch((void *)square_add, enzyme_dup, x, 1.0, enzyme_const, y);
}

CHECK(of_a_derivative) {
  Two r =
      __enzyme_batch_two((void *)slope_of_square, enzyme_width, 2, 3.0, 5.0, enzyme_scalar, 1.0);
  EXPECT(r.x, 6);
  EXPECT(r.y, 10);
}

static NOINLINE double registered(double x) { return x; }
static double registered_forward(double x, double dx) { return 100 * dx + 0 * x; }
void *__enzyme_register_derivative_registered[] = {(void *)registered, (void *)registered_forward};

static double batch_of_registered(double x) {
  Two r = __enzyme_batch_two((void *)registered, enzyme_width, 2, x, 2 * x);
  return r.x + r.y;
}

CHECK(of_a_function_with_a_derivative_of_its_own) {
  EXPECT(batch_of_registered(2), 6);
  EXPECT(__enzyme_fwddiff_batch((void *)batch_of_registered, 2.0, 1.0), 300);
}
