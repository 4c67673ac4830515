// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Complex numbers and structs are passed as several floats: forward functions of the user's take
 * those of a tangent behind all those of its number. */
// shows: __enzyme_register_derivative
// reals: double
// differences: none
#include "cases.h"

#include <complex.h>

typedef double _Complex Number;
typedef struct {
  double a, b;
} Two;
typedef struct {
  double result, tangent;
} Both;

extern double __enzyme_fwddiff(void *, ...);

static Number square(Number z) { return z * z; }
static Number square_forward(Number z, Number dz) { return 6 * z * dz; }
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_forward};

static double of_square(double x) { return creal(square(x + 2 * x * I)); }

static double weighted(double s, Number z, double t) { return s * cimag(z) * t; }
static Both weighted_forward(double s, double ds, Number z, Number dz, double t, double dt) {
  double product = ds * cimag(z) * t + s * cimag(dz) * t + s * cimag(z) * dt;
  return (Both){weighted(s, z, t), 2 * product};
}
void *__enzyme_register_derivative_weighted[] = {(void *)weighted, (void *)weighted_forward};

static double of_weighted(double x) { return weighted(x, 1 + x * I, x); }

static double apart(double a, double b) { return a * b; }
static Both apart_forward(double a, double da, double b, double db) {
  return (Both){a * b, 2 * (da * b + a * db)};
}
void *__enzyme_register_derivative_apart[] = {(void *)apart, (void *)apart_forward};

static double of_apart(double x) { return apart(x, 3); }

static double joined(Two s) { return s.a * s.b; }
static Both joined_forward(Two s, Two ds) {
  return (Both){s.a * s.b, 2 * (ds.a * s.b + s.a * ds.b)};
}
void *__enzyme_register_derivative_joined[] = {(void *)joined, (void *)joined_forward};

static double of_joined(double x) { return joined((Two){x, 3}); }

CHECK(numbers) {
  EXPECT(__enzyme_fwddiff((void *)of_square, 2.0, 1.0), -18 * 2);
  EXPECT(__enzyme_fwddiff((void *)of_weighted, 2.0, 1.0), 2 * 3 * 4);
}

CHECK(floats_and_structs) {
  EXPECT(__enzyme_fwddiff((void *)of_apart, 2.0, 1.0), 6);
  EXPECT(__enzyme_fwddiff((void *)of_joined, 2.0, 1.0), 6);
}
