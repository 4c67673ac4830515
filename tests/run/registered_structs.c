// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Registered derivatives of functions that take and return structs: in registers, where the ABI
 * makes other types of their members, and in memory, where derivatives take pointers and shadows as
 * the ABI has them, or structs as the source does. The derivatives are ten times too large, so that
 * they can be told from those of the bodies. */
// shows: __enzyme_register_gradient; __enzyme_register_derivative
// shows: __enzyme_register_splitderivative
// reals: double
// differences: none
#include "cases.h"

#include <complex.h>

typedef double _Complex Number;
typedef struct {
  double a, b;
} Two;
typedef struct {
  float a, b, c;
} Floats;
typedef struct {
  double v[3];
} Three;

typedef struct {
  void *tape;
  Two result;
} TapeNumberPointer;

extern int enzyme_width;
extern double __enzyme_autodiff(void *, ...);
extern Two __enzyme_autodiff_two(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern Two __enzyme_fwddiff_two(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);

/* --- Results in registers --- */

typedef struct {
  double tape;
  Two result;
} TapeTwo;
static Two two(double x) { return (Two){x * x, 3 * x}; }
static TapeTwo two_augmented(double x) { return (TapeTwo){x, {x * x, 3 * x}}; }
static double two_reverse(double x, Two seed, double tape) {
  return x == tape ? 20 * tape * seed.a + 30 * seed.b : 0;
}
void *__enzyme_register_gradient_two[] = {(void *)two, (void *)two_augmented, (void *)two_reverse};
static double of_two(double x) {
  Two t = two(x);
  return t.a * t.b;
}

CHECK(two_in_registers) {
  EXPECT(__enzyme_autodiff((void *)of_two, 2.0), 40 * 6 + 30 * 4);
  Two both = __enzyme_autodiff_two((void *)of_two, enzyme_width, 2, enzyme_out, 2.0);
  EXPECT(both.b, 360);
}

CHECK(two_in_halves) {
  void *tape = __enzyme_augmentfwd((void *)of_two, 2.0);
  EXPECT(__enzyme_reverse((void *)of_two, 2.0, 1.0, tape), 360);
}

typedef struct {
  float tape;
  Floats result;
} TapeFloats;
typedef struct {
  Floats result, tangent;
} BothFloats;
static Floats floats(float x) { return (Floats){x * x, 3 * x, x}; }
static BothFloats floats_forward(float x, float dx) {
  return (BothFloats){floats(x), {20 * x * dx, 30 * dx, 10 * dx}};
}
static TapeFloats floats_augmented(float x) { return (TapeFloats){2 * x, {x * x, 3 * x, x}}; }
static float floats_reverse(float x, Floats seed, float tape) {
  (void)x;
  return 10 * tape * seed.a + 30 * seed.b + 10 * seed.c;
}
void *__enzyme_register_derivative_floats[] = {(void *)floats, (void *)floats_forward};
void *__enzyme_register_gradient_floats[] = {(void *)floats, (void *)floats_augmented,
                                             (void *)floats_reverse};
static double of_floats(double x) {
  Floats t = floats((float)x);
  return (double)(t.a * t.b + t.c);
}

CHECK(floats_in_registers) {
  EXPECT(__enzyme_autodiff((void *)of_floats, 2.0), 370);
  EXPECT(__enzyme_fwddiff((void *)of_floats, 2.0, 1.0), 370);
}

static Number square(Number z) { return z * z; }
typedef struct {
  Two tape;
  Number result;
} TapeNumber;
static TapeNumber square_augmented(Number z) {
  return (TapeNumber){{creal(z), cimag(z)}, square(z)};
}
/* The adjoint of a complex number is the pair of those of its parts. */
static Number square_reverse(Number z, Number seed, Two tape) {
  (void)z;
  return 20 * (tape.a - tape.b * I) * seed;
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_augmented,
                                             (void *)square_reverse};
static double of_square(double x) { return creal(square(x + 2 * x * I)) * x; }

CHECK(complex_with_a_tape_of_two) {
  EXPECT(__enzyme_autodiff((void *)of_square, 2.0), -12 + 10 * 2 * -6 * 2);
}

/* --- Derivatives that are asked for, with the seed by reference --- */

extern int enzyme_byref;
extern TapeNumberPointer __enzyme_augmentfwd_dot(void *, ...);
extern void __enzyme_reverse_dot(void *, ...);

static Two plain_dot(const Two *x, const Two *y, int n) {
  Two sum = {0, 0};
  for (int i = 0; i < n; i++) {
    sum.a += x[i].a * y[i].a - x[i].b * y[i].b;
    sum.b += x[i].a * y[i].b + x[i].b * y[i].a;
  }
  return sum;
}
static Two dot(const Two *x, const Two *y, int n) { return plain_dot(x, y, n); }
static TapeNumberPointer dot_augmented(const Two *x, Two *dx, const Two *y, Two *dy, int n,
                                       int n2) {
  (void)n2;
  return __enzyme_augmentfwd_dot((void *)plain_dot, x, dx, y, dy, n);
}
static void dot_reverse(const Two *x, Two *dx, const Two *y, Two *dy, int n, int n2, Two *seed,
                        void *tape) {
  (void)n2;
  Two more = {10 * seed->a, 10 * seed->b};
  __enzyme_reverse_dot((void *)plain_dot, x, dx, y, dy, n, enzyme_byref, sizeof more, &more, tape);
}
void *__enzyme_register_gradient_dot[] = {(void *)dot, (void *)dot_augmented, (void *)dot_reverse,
                                          (void *)"byref_6"};
static double of_dot(const Two *x, const Two *y, int n) {
  Two d = dot(x, y, n);
  return d.a * d.b;
}

CHECK(seed_by_reference) {
  Two x[2] = {{1, 2}, {3, 4}}, y[2] = {{2, 1}, {0, 1}}, dx[2] = {{0}}, dy[2] = {{0}};
  __enzyme_autodiff((void *)of_dot, x, dx, y, dy, enzyme_const, 2);
  EXPECT(dx[0].a, 10 * (8 * 2 + -4 * 1));
  EXPECT(dx[1].b, 10 * (8 * -1 + -4 * 0));
  EXPECT(dy[1].b, 10 * (8 * -4 + -4 * 3));
}

/* --- Arguments in registers: members of two structs that the ABI does not keep apart --- */

typedef struct {
  Floats a, b;
} FloatsTwice;
static float product(Floats p, Floats q) { return p.a * q.a + p.b * q.b + p.c * q.c; }
static float product_augmented(Floats p, Floats q) { return product(p, q); }
static FloatsTwice product_reverse(Floats p, Floats q, float seed) {
  float s = 10 * seed;
  return (FloatsTwice){{s * q.a, s * q.b, s * q.c}, {s * p.a, s * p.b, s * p.c}};
}
void *__enzyme_register_gradient_product[] = {(void *)product, (void *)product_augmented,
                                              (void *)product_reverse};
static double of_product(double x) {
  float y = (float)x;
  return (double)product((Floats){y, 2 * y, 3 * y}, (Floats){y * y, 1, 2});
}

CHECK(floats_as_arguments) {
  EXPECT(__enzyme_autodiff((void *)of_product, 2.0), 10 * (3 * 4 + 2 + 6));
}

/* Seven numbers and a struct of two: of the latter's derivative they fill the registers. */
typedef struct {
  double result, tangent;
} Both;
static double many(double a, double b, double c, double d, double e, Two s) {
  return (a + b + c + d + e) * s.a * s.b;
}
static Both many_forward(double a, double da, double b, double db, double c, double dc, double d,
                         double dd, double e, double de, Two s, Two ds) {
  double sum = a + b + c + d + e, dsum = da + db + dc + dd + de;
  return (Both){sum * s.a * s.b, 10 * (dsum * s.a * s.b + sum * ds.a * s.b + sum * s.a * ds.b)};
}
typedef struct {
  double a, b, c, d, e;
  Two s;
} Many;
static double many_augmented(double a, double b, double c, double d, double e, Two s) {
  return many(a, b, c, d, e, s);
}
static Many many_reverse(double a, double b, double c, double d, double e, Two s, double seed) {
  double t = 10 * seed * s.a * s.b, sum = 10 * seed * (a + b + c + d + e);
  return (Many){t, t, t, t, t, {sum * s.b, sum * s.a}};
}
void *__enzyme_register_derivative_many[] = {(void *)many, (void *)many_forward};
void *__enzyme_register_gradient_many[] = {(void *)many, (void *)many_augmented,
                                           (void *)many_reverse};
static double of_many(double x) { return many(x, 1, 2, 3, 4, (Two){x, 2 * x}); }

CHECK(more_than_registers) {
  EXPECT(__enzyme_fwddiff((void *)of_many, 2.0, 1.0), 10 * (8 + 12 * 8));
  EXPECT(__enzyme_autodiff((void *)of_many, 2.0), 10 * (8 + 12 * 8));
}

/* --- Results in memory --- */

static Three at_pointer(double x) { return (Three){{x * x, 3 * x, x}}; }
static void at_pointer_forward(Three *r, Three *dr, double x, double dx) {
  *r = (Three){{x * x, 3 * x, x}};
  *dr = (Three){{20 * x * dx, 30 * dx, 10 * dx}};
}
static double at_pointer_augmented(Three *r, Three *dr, double x) {
  (void)dr;
  *r = (Three){{x * x, 3 * x, x}};
  return x;
}
static double at_pointer_reverse(Three *r, Three *dr, double x, double tape) {
  (void)r, (void)x;
  double adjoint = 20 * tape * dr->v[0] + 30 * dr->v[1] + 10 * dr->v[2];
  *dr = (Three){{0, 0, 0}};
  return adjoint;
}
void *__enzyme_register_derivative_at_pointer[] = {(void *)at_pointer, (void *)at_pointer_forward};
void *__enzyme_register_gradient_at_pointer[] = {(void *)at_pointer, (void *)at_pointer_augmented,
                                                 (void *)at_pointer_reverse};

typedef struct {
  Three result, tangent;
} BothThree;
typedef struct {
  double tape;
  Three result;
} TapeThree;
static Three as_struct(double x) { return (Three){{x * x, 3 * x, x}}; }
static BothThree as_struct_forward(double x, double dx) {
  return (BothThree){{{x * x, 3 * x, x}}, {{20 * x * dx, 30 * dx, 10 * dx}}};
}
static TapeThree as_struct_augmented(double x) { return (TapeThree){x, {{x * x, 3 * x, x}}}; }
static double as_struct_reverse(double x, Three seed, double tape) {
  (void)x;
  return 20 * tape * seed.v[0] + 30 * seed.v[1] + 10 * seed.v[2];
}
static Three as_struct_later(double x, double dx, double tape) {
  (void)x;
  return (Three){{20 * tape * dx, 30 * dx, 10 * dx}};
}
void *__enzyme_register_derivative_as_struct[] = {(void *)as_struct, (void *)as_struct_forward};
void *__enzyme_register_gradient_as_struct[] = {(void *)as_struct, (void *)as_struct_augmented,
                                                (void *)as_struct_reverse};
void *__enzyme_register_splitderivative_as_struct[] = {
    (void *)as_struct, (void *)as_struct_augmented, (void *)as_struct_later};

static double of_pointer(double x) {
  Three t = at_pointer(x);
  return t.v[0] * t.v[1] + t.v[2];
}
static double of_struct(double x) {
  Three t = as_struct(x);
  return t.v[0] * t.v[1] + t.v[2];
}
static double of_struct_in_a_loop(const double *x, int n) {
  double sum = 0;
  Three t = {{0, 0, 0}};
  for (int i = 0; i < n; i++) {
    t = as_struct(x[i] + t.v[2]);
    sum += t.v[0];
  }
  return sum;
}
static double later(double x) { return of_struct(x); }

CHECK(three_in_memory) {
  EXPECT(__enzyme_autodiff((void *)of_pointer, 2.0), 370);
  EXPECT(__enzyme_fwddiff((void *)of_pointer, 2.0, 1.0), 370);
  EXPECT(__enzyme_autodiff((void *)of_struct, 2.0), 370);
  EXPECT(__enzyme_fwddiff((void *)of_struct, 2.0, 1.0), 370);
  Two both = __enzyme_autodiff_two((void *)of_struct, enzyme_width, 2, enzyme_out, 2.0);
  EXPECT(both.b, 370);
  both = __enzyme_fwddiff_two((void *)of_struct, enzyme_width, 2, enzyme_dup, 2.0, 1.0, 2.0);
  EXPECT(both.a, 370);
  EXPECT(both.b, 740);
}

CHECK(three_in_halves) {
  void *tape = __enzyme_augmentfwd((void *)of_struct, 2.0);
  EXPECT(__enzyme_reverse((void *)of_struct, 2.0, 1.0, tape), 370);
}

CHECK(three_later) {
  void *tape = __enzyme_augmentfwd((void *)later, 2.0);
  EXPECT(__enzyme_fwdsplit((void *)later, 2.0, 1.0, tape), 370);
}

CHECK(three_in_a_loop) {
  double x[2] = {1, 2}, dx[2] = {0, 0}, t[2] = {1, 0};
  __enzyme_autodiff((void *)of_struct_in_a_loop, x, dx, enzyme_const, 2);
  EXPECT(dx[1], 20 * 3);
  EXPECT(dx[0], 20 + 10 * 60);
  EXPECT(__enzyme_fwddiff((void *)of_struct_in_a_loop, x, t, enzyme_const, 2), 620);
}

/* --- Arguments in memory --- */

typedef struct {
  Three s;
  double k;
} ThreeAndOne;
static double with_shadow(Three s, double k) { return s.v[0] * s.v[1] * k + s.v[2]; }
static double with_shadow_augmented(Three s, Three *ds, double k) {
  (void)ds;
  return s.v[0] * s.v[1] * k + s.v[2];
}
static double with_shadow_reverse(Three s, Three *ds, double k, double seed) {
  ds->v[0] += 10 * s.v[1] * k * seed;
  ds->v[1] += 10 * s.v[0] * k * seed;
  ds->v[2] += 10 * seed;
  return 10 * s.v[0] * s.v[1] * seed;
}
void *__enzyme_register_gradient_with_shadow[] = {
    (void *)with_shadow, (void *)with_shadow_augmented, (void *)with_shadow_reverse};

static double with_adjoint(Three s, double k, int n) { return n * (s.v[0] * s.v[1] * k + s.v[2]); }
static double with_adjoint_augmented(Three s, double k, int n) { return with_adjoint(s, k, n); }
static ThreeAndOne with_adjoint_reverse(Three s, double k, int n, double seed) {
  seed *= 10 * n;
  return (ThreeAndOne){{{s.v[1] * k * seed, s.v[0] * k * seed, seed}}, s.v[0] * s.v[1] * seed};
}
static Both with_adjoint_forward(Three s, Three ds, double k, double dk, int n) {
  double slope = ds.v[0] * s.v[1] * k + s.v[0] * ds.v[1] * k + s.v[0] * s.v[1] * dk + ds.v[2];
  return (Both){with_adjoint(s, k, n), 10 * n * slope};
}
void *__enzyme_register_derivative_with_adjoint[] = {(void *)with_adjoint,
                                                     (void *)with_adjoint_forward};
void *__enzyme_register_gradient_with_adjoint[] = {
    (void *)with_adjoint, (void *)with_adjoint_augmented, (void *)with_adjoint_reverse};

static double of_shadow(double x) { return with_shadow((Three){{x, 3 * x, x}}, x); }
static double of_adjoint(double x) { return with_adjoint((Three){{x, 3 * x, x}}, x, 2); }
static double of_constant(double x) { return with_adjoint((Three){{1, 2, 3}}, x, 1); }

CHECK(three_as_argument) {
  EXPECT(__enzyme_autodiff((void *)of_shadow, 2.0), 370);
  EXPECT(__enzyme_autodiff((void *)of_adjoint, 2.0), 740);
  EXPECT(__enzyme_fwddiff((void *)of_adjoint, 2.0, 1.0), 740);
  EXPECT(__enzyme_autodiff((void *)of_constant, 2.0), 20);
}

/* --- Tapes in memory, and augmented functions that leave the result out --- */

typedef struct {
  double kept[4];
} Kept;
typedef struct {
  Kept tape;
  double result;
} KeptAndResult;
static double taped(double x, int n) { return n * x * x; }
static KeptAndResult taped_augmented(double x, int n) {
  return (KeptAndResult){{{0, 0, n, x}}, n * x * x};
}
static double taped_reverse(double x, int n, double seed, Kept tape) {
  (void)x, (void)n;
  return 20 * tape.kept[2] * tape.kept[3] * seed;
}
void *__enzyme_register_gradient_taped[] = {(void *)taped, (void *)taped_augmented,
                                            (void *)taped_reverse};
static double of_taped(double x) { return taped(x, 3); }

typedef struct {
  Kept tape;
  Three result;
} KeptAndThree;
static Three stretch(Three s) { return (Three){{s.v[0] * s.v[1], s.v[1], s.v[2]}}; }
static KeptAndThree stretch_augmented(Three s) {
  return (KeptAndThree){{{s.v[0], s.v[1], 0, 0}}, stretch(s)};
}
static Three stretch_reverse(Three s, Three seed, Kept tape) {
  (void)s;
  const double *kept = tape.kept;
  return (Three){
      {10 * kept[1] * seed.v[0], 10 * kept[0] * seed.v[0] + 10 * seed.v[1], 10 * seed.v[2]}};
}
void *__enzyme_register_gradient_stretch[] = {(void *)stretch, (void *)stretch_augmented,
                                              (void *)stretch_reverse};
static double of_stretch(double x) {
  Three t = stretch((Three){{x, x * x, 1}});
  return t.v[0] + 2 * t.v[1];
}

static double alone(double x) { return x * x; }
static void alone_augmented(double x) { (void)x; }
static double alone_reverse(double x, double seed) { return 20 * x * seed; }
void *__enzyme_register_gradient_alone[] = {(void *)alone, (void *)alone_augmented,
                                            (void *)alone_reverse};
static double of_alone(double x) { return alone(x) * x; }

CHECK(tapes_in_memory) {
  EXPECT(__enzyme_autodiff((void *)of_taped, 2.0), 120);
  EXPECT(__enzyme_autodiff((void *)of_stretch, 2.0), 10 * 4 + 4 * (20 + 20));
}

CHECK(results_left_out) { EXPECT(__enzyme_autodiff((void *)of_alone, 2.0), 4 + 2 * 40); }

/* What the struct was is kept for the reverse. */
static double first_squared(Three s) { return s.v[0] * s.v[0]; }
static double first_squared_augmented(Three s) { return first_squared(s); }
static Three first_squared_reverse(Three s, double seed) {
  return (Three){{20 * s.v[0] * seed, 0, 0}};
}
void *__enzyme_register_gradient_first_squared[] = {
    (void *)first_squared, (void *)first_squared_augmented, (void *)first_squared_reverse};
static double of_squares(double x) {
  Three t = {{x, x * x, 1}};
  double sum = first_squared(t);
  t.v[0] = 5;
  return sum + first_squared(t);
}
static double of_more_squares(double x) {
  Three t = {{x, x * x, 1}};
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += first_squared(t);
    t.v[0] *= x;
  }
  return sum;
}

CHECK(structs_that_change_afterwards) {
  EXPECT(__enzyme_autodiff((void *)of_squares, 2.0), 40);
  EXPECT(__enzyme_autodiff((void *)of_more_squares, 2.0), 10 * (4 + 32 + 192));
  Two both = __enzyme_autodiff_two((void *)of_more_squares, enzyme_width, 2, enzyme_out, 2.0);
  EXPECT(both.b, 2280);
  void *tape = __enzyme_augmentfwd((void *)of_more_squares, 2.0);
  EXPECT(__enzyme_reverse((void *)of_more_squares, 2.0, 1.0, tape), 2280);
}
