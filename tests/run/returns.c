// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the differentiated function returns, and what its derivative does. */
// shows: enzyme_const_return; enzyme_active_return; enzyme_dup_return
// reals: double
// differences: none
#include "cases.h"

#include <complex.h>

typedef struct {
  double x, y;
} Pair;
typedef struct {
  float x, y;
} FloatPair;
typedef struct {
  double d;
  long n;
} Counted;
typedef struct {
  float a;
  double b;
} Mixed;
typedef struct {
  double x, y, dx, dy;
} PairAndTangent;
typedef struct {
  double x, y, adjoint;
} PairAndAdjoint;
typedef struct {
  void *tape;
  Pair primal;
} ForwardPair;
typedef struct {
  void *tape;
  FloatPair primal;
} ForwardFloatPair;
typedef struct {
  double *p, *shadow;
} Pointers;

typedef struct {
  double x, y, z;
  int n;
} Big;
typedef struct {
  double a;
  Big b;
} NumberAndBig;

extern int enzyme_const_return, enzyme_active_return, enzyme_dup_return;
extern void __enzyme_autodiff(void *, ...);
extern Big __enzyme_autodiff_big(void *, ...);
extern NumberAndBig __enzyme_autodiff_number_and_big(void *, ...);
extern Big __enzyme_reverse_big(void *, ...);
extern double __enzyme_autodiff_double(void *, ...);
extern PairAndAdjoint __enzyme_autodiff_pair(void *, ...);
extern double *__enzyme_autodiff_pointer(void *, ...);
extern void __enzyme_fwddiff(void *, ...);
extern double __enzyme_fwddiff_double(void *, ...);
extern Pair __enzyme_fwddiff_pair(void *, ...);
extern PairAndTangent __enzyme_fwddiff_both(void *, ...);
extern Pointers __enzyme_fwddiff_pointers(void *, ...);
extern ForwardPair __enzyme_augmentfwd_pair(void *, ...);
extern ForwardFloatPair __enzyme_augmentfwd_float_pair(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern double __enzyme_reverse_double(void *, ...);

static Pair pair(const double *x) {
  Pair p = {x[0] * x[1], 3 * x[0]};
  return p;
}
static Pair pair_of(double x) {
  Pair p = {x * x, 3 * x};
  return p;
}
static FloatPair float_pair(const float *x) {
  FloatPair p = {x[0] * x[1], 3 * x[0]};
  return p;
}
static Counted counted(const double *x) {
  Counted c = {x[0] * x[0], 4};
  return c;
}
static Mixed mixed(const double *x) {
  Mixed m = {(float)(2 * x[0]), x[0] * x[0]};
  return m;
}
static double _Complex rotated(const double *x) { return x[0] * (2 + 3 * I) + x[1] * (2 * I - 3); }
static double square(const double *x, double *y) {
  *y = 5 * x[0];
  return x[0] * x[0];
}
static double *second(double *x) {
  x[1] = x[0] * x[0];
  return x + 1;
}

CHECK(pair_seeded_with_ones) {
  double x[2] = {3, 4}, dx[2] = {0};
  __enzyme_autodiff((void *)pair, x, dx);
  EXPECT(dx[0], 4 + 3);
  EXPECT(dx[1], 3);
  EXPECT(__enzyme_autodiff_double((void *)pair_of, 3.0), 6 + 3);
}

CHECK(pair_and_primal) {
  PairAndAdjoint a = __enzyme_autodiff_pair((void *)pair_of, enzyme_primal_return, 3.0);
  EXPECT(a.x, 9);
  EXPECT(a.y, 9);
  EXPECT(a.adjoint, 9);
}

CHECK(pair_in_a_vector) {
  float x[2] = {3, 4}, dx[2] = {0};
  __enzyme_autodiff((void *)float_pair, x, dx);
  EXPECT(dx[0], 4 + 3);
  EXPECT(dx[1], 3);
}

CHECK(float_beside_an_integer) {
  double x[1] = {3}, dx[1] = {0};
  __enzyme_autodiff((void *)counted, x, dx);
  EXPECT(dx[0], 6);
}

CHECK(two_formats) {
  double x[1] = {3}, dx[1] = {0};
  __enzyme_autodiff((void *)mixed, x, dx);
  EXPECT(dx[0], 2 + 6);
}

CHECK(complex_number) {
  double x[2] = {3, 4}, dx[2] = {0};
  __enzyme_autodiff((void *)rotated, x, dx);
  EXPECT(dx[0], 2 + 3);
  EXPECT(dx[1], 2 - 3);
}

CHECK(seeds_of_a_pair) {
  double x[2] = {3, 4}, dx[2] = {0};
  Pair seed = {1, 10};
  ForwardPair forward = __enzyme_augmentfwd_pair((void *)pair, x, dx);
  EXPECT(forward.primal.x, 12);
  EXPECT(forward.primal.y, 9);
  __enzyme_reverse((void *)pair, x, dx, seed, forward.tape);
  EXPECT(dx[0], 4 + 30);
  EXPECT(dx[1], 3);
}

CHECK(seeds_in_a_vector) {
  float x[2] = {3, 4}, dx[2] = {0};
  FloatPair seed = {1, 10};
  ForwardFloatPair forward = __enzyme_augmentfwd_float_pair((void *)float_pair, x, dx);
  EXPECT(forward.primal.x, 12);
  __enzyme_reverse((void *)float_pair, x, dx, seed, forward.tape);
  EXPECT(dx[0], 4 + 30);
  EXPECT(dx[1], 3);
}

CHECK(seeds_of_several_types) {
  double x[2] = {3, 4}, dx[2] = {0};
  Mixed seed = {1, 10};
  void *tape = __enzyme_augmentfwd((void *)mixed, x, dx);
  __enzyme_reverse((void *)mixed, x, dx, seed, tape);
  EXPECT(dx[0], 2 + 60);
  Counted other = {5, 0};
  tape = __enzyme_augmentfwd((void *)counted, x, dx);
  dx[0] = 0;
  __enzyme_reverse((void *)counted, x, dx, other, tape);
  EXPECT(dx[0], 30);
}

CHECK(tangent_of_a_pair) {
  double x[2] = {3, 4}, dx[2] = {1, 10};
  Pair t = __enzyme_fwddiff_pair((void *)pair, x, dx);
  EXPECT(t.x, 4 + 30);
  EXPECT(t.y, 3);
  PairAndTangent both = __enzyme_fwddiff_both((void *)pair, enzyme_primal_return, x, dx);
  EXPECT(both.y, 9);
  EXPECT(both.dx, 34);
}

CHECK(constant_result) {
  double x[1] = {3}, dx[1] = {0}, y[1], dy[1] = {1};
  __enzyme_autodiff((void *)square, enzyme_const_return, x, dx, y, dy);
  EXPECT(dx[0], 5);
  dx[0] = 1;
  EXPECT(__enzyme_fwddiff_double((void *)square, enzyme_const_return, enzyme_primal_return, x, dx,
                                 y, dy),
         9);
  EXPECT(dy[0], 5);
}

CHECK(active_result) {
  double x[1] = {3}, dx[1] = {0}, y[1], dy[1] = {1};
  __enzyme_autodiff((void *)square, enzyme_active_return, x, dx, y, dy);
  EXPECT(dx[0], 6 + 5);
}

CHECK(duplicated_result) {
  double x[1] = {3}, dx[1] = {1}, y[1], dy[1];
  EXPECT(__enzyme_fwddiff_double((void *)square, enzyme_dup_return, x, dx, y, dy), 6);
  double z[2] = {3, 4}, dz[2] = {1, 0};
  Pointers p =
      __enzyme_fwddiff_pointers((void *)second, enzyme_primal_return, enzyme_dup_return, z, dz);
  EXPECT(p.p == z + 1, 1);
  EXPECT(p.shadow == dz + 1, 1);
  EXPECT(dz[1], 6);
}

CHECK(pointer_result) {
  double x[2] = {3, 4}, dx[2] = {0, 1};
  __enzyme_autodiff((void *)second, x, dx);
  EXPECT(dx[0], 6);
  dx[1] = 1;
  EXPECT(__enzyme_autodiff_pointer((void *)second, enzyme_primal_return, x, dx) == x + 1, 1);
  EXPECT(dx[0], 12);
}

static double of_big(Big b) { return b.x * b.y + b.n * b.z; }
static double of_number_and_big(double a, Big b, int k) { return a * of_big(b) * k; }

CHECK(big_struct_by_value) {
  Big b = {2, 3, 4, 5};
  Big adjoint = __enzyme_autodiff_big((void *)of_big, b);
  EXPECT(adjoint.x, 3);
  EXPECT(adjoint.y, 2);
  EXPECT(adjoint.z, 5);
  adjoint = __enzyme_autodiff_big((void *)of_big, enzyme_out, b);
  EXPECT(adjoint.z, 5);
  NumberAndBig both =
      __enzyme_autodiff_number_and_big((void *)of_number_and_big, 10.0, enzyme_out, b, 2);
  EXPECT(both.a, 26 * 2);
  EXPECT(both.b.x, 3 * 20);
  EXPECT(both.b.z, 5 * 20);
}

CHECK(big_struct_in_two_halves) {
  Big b = {2, 3, 4, 5};
  void *tape = __enzyme_augmentfwd((void *)of_big, b);
  Big adjoint = __enzyme_reverse_big((void *)of_big, b, 2.0, tape);
  EXPECT(adjoint.x, 6);
  EXPECT(adjoint.z, 10);
}

CHECK(big_struct_and_shadow_by_pointer) {
  Big b = {2, 3, 4, 5}, adjoint = {0};
  __enzyme_autodiff((void *)of_big, enzyme_dup, b, &adjoint);
  EXPECT(adjoint.y, 2);
}

/* What is not wanted of a struct in memory takes no place in the call's result. */
static Big powers(double x) { return (Big){x, x * x, x * x * x, 7}; }
extern Big __enzyme_fwddiff_big(void *, ...);
extern int enzyme_width, enzyme_noret;

CHECK(big_struct_without_a_tangent) {
  Big b = __enzyme_fwddiff_big((void *)powers, enzyme_primal_return, enzyme_const_return, 2.0, 1.0);
  EXPECT(b.x + b.y + b.z + b.n, 2 + 4 + 8 + 7);
  b = __enzyme_fwddiff_big((void *)powers, enzyme_primal_return, enzyme_noret, 3.0, 1.0);
  EXPECT(b.z, 27);
  b = __enzyme_fwddiff_big((void *)powers, enzyme_width, 2, enzyme_primal_return,
                           enzyme_const_return, 2.0, 1.0, 3.0);
  EXPECT(b.z, 8);
}

/* --- Floats and pointers, of which the floats are seeded --- */

typedef struct {
  double value;
  double *place;
} ValueAndPlace;
typedef struct {
  float value;
  int n;
} Packed;

static ValueAndPlace value_and_place(double *x) {
  ValueAndPlace r = {*x * *x, x};
  *x *= 2;
  return r;
}
static Packed packed_value(double *x) {
  Packed r = {(float)*x, 1};
  *x *= 3;
  return r;
}

extern ValueAndPlace __enzyme_autodiff_value_and_place(void *, ...);

CHECK(float_and_pointer) {
  double x = 3, dx = 0;
  __enzyme_autodiff((void *)value_and_place, &x, &dx);
  EXPECT(dx, 6);
  x = 3, dx = 10;
  __enzyme_autodiff((void *)value_and_place, &x, &dx);
  EXPECT(dx, 6 + 2 * 10);
  x = 3, dx = 10;
  __enzyme_autodiff((void *)value_and_place, enzyme_const_return, &x, &dx);
  EXPECT(dx, 2 * 10);
  x = 3, dx = 0;
  ValueAndPlace r =
      __enzyme_autodiff_value_and_place((void *)value_and_place, enzyme_primal_return, &x, &dx);
  EXPECT(r.value, 9);
  EXPECT(r.place == &x, 1);
  EXPECT(dx, 6);
}

CHECK(packed_result_that_is_constant) {
  double x = 3, dx = 10;
  __enzyme_autodiff((void *)packed_value, enzyme_const_return, &x, &dx);
  EXPECT(dx, 30);
}

/* --- One float in eight bytes, which the ABI returns as it returns two --- */

typedef struct {
  double d;
  float f[1];
} Padded;
typedef struct {
  float f[1];
  double d;
} PaddedInFront;
extern Padded __enzyme_autodiff_padded(void *, ...);
extern PaddedInFront __enzyme_autodiff_padded_in_front(void *, ...);
extern Padded __enzyme_fwddiff_padded(void *, ...);

static double of_both(double x, float y) { return x * y; }
static double of_both_in_front(float y, double x) { return x * y; }
static Padded padded(double x) {
  Padded r = {x * x, {(float)(3 * x)}};
  return r;
}

CHECK(padding) {
  Padded r = __enzyme_autodiff_padded((void *)of_both, 2.0, 3.0f);
  EXPECT(r.d, 3);
  EXPECT(r.f[0], 2);
  PaddedInFront s = __enzyme_autodiff_padded_in_front((void *)of_both_in_front, 3.0f, 2.0);
  EXPECT(s.d, 3);
  EXPECT(s.f[0], 2);
  r = __enzyme_fwddiff_padded((void *)padded, 2.0, 1.0);
  EXPECT(r.d, 4);
  EXPECT(r.f[0], 3);
  EXPECT(__enzyme_autodiff_padded((void *)of_both, 2.0, 3.0f).f[0], 2);
}
