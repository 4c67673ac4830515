// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions of other files that take and return structs, and have derivatives of the program's, ten
 * times too large. */
// shows: __enzyme_register_gradient; __enzyme_register_derivative
// reals: double
// differences: none
#include "cases.h"

#define OUTSIDE(name, inside) __asm__(".globl " #name "\n.set " #name ", " #inside "\n")
#define INSIDE __attribute__((used, noinline)) extern

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
  double v[3];
} Three;
typedef struct {
  float a, b, c;
} Floats;
typedef struct {
  Three result, tangent;
} BothThree;
typedef struct {
  Floats result, tangent;
} BothFloats;
typedef struct {
  float tape;
  Floats result;
} TapeFloats;

INSIDE Three nb_inside_swap(Three s, double k);
Three nb_inside_swap(Three s, double k) { return (Three){{k * s.v[1], k * s.v[0], s.v[2]}}; }
OUTSIDE(nb_outside_swap, nb_inside_swap);
extern Three nb_outside_swap(Three s, double k);

static BothThree swap_forward(Three s, Three ds, double k, double dk) {
  return (BothThree){
      nb_outside_swap(s, k),
      {{10 * (dk * s.v[1] + k * ds.v[1]), 10 * (dk * s.v[0] + k * ds.v[0]), 10 * ds.v[2]}}};
}
static Three swap_augmented(Three s, double k) { return nb_outside_swap(s, k); }
typedef struct {
  Three s;
  double k;
} ThreeAndOne;
static ThreeAndOne swap_reverse(Three s, double k, Three seed) {
  const double *d = seed.v;
  return (ThreeAndOne){{{10 * k * d[1], 10 * k * d[0], 10 * d[2]}},
                       10 * (s.v[1] * d[0] + s.v[0] * d[1])};
}
void *__enzyme_register_derivative_swap[] = {(void *)nb_outside_swap, (void *)swap_forward};
void *__enzyme_register_gradient_swap[] = {(void *)nb_outside_swap, (void *)swap_augmented,
                                           (void *)swap_reverse};
static double of_swap(double x) {
  Three t = nb_outside_swap((Three){{x, x * x, 1}}, x);
  return t.v[0] + 2 * t.v[1] + t.v[2];
}

CHECK(in_memory) {
  EXPECT(__enzyme_autodiff((void *)of_swap, 3.0), 10 * (3 * 9 + 4 * 3));
  EXPECT(__enzyme_fwddiff((void *)of_swap, 3.0, 1.0), 390);
}

INSIDE Floats nb_inside_turn(Floats s);
Floats nb_inside_turn(Floats s) { return (Floats){s.b * s.c, s.c, s.a}; }
OUTSIDE(nb_outside_turn, nb_inside_turn);
extern Floats nb_outside_turn(Floats s);

static BothFloats turn_forward(Floats s, Floats d) {
  return (BothFloats){nb_outside_turn(s), {10 * (d.b * s.c + s.b * d.c), 10 * d.c, 10 * d.a}};
}
static TapeFloats turn_augmented(Floats s) { return (TapeFloats){10 * s.b, nb_outside_turn(s)}; }
static Floats turn_reverse(Floats s, Floats seed, float tape) {
  return (Floats){10 * seed.c, 10 * s.c * seed.a, tape * seed.a + 10 * seed.b};
}
void *__enzyme_register_derivative_turn[] = {(void *)nb_outside_turn, (void *)turn_forward};
void *__enzyme_register_gradient_turn[] = {(void *)nb_outside_turn, (void *)turn_augmented,
                                           (void *)turn_reverse};
static double of_turn(double x) {
  float y = (float)x;
  Floats t = nb_outside_turn((Floats){y, 2 * y, y * y});
  return (double)(t.a + 2 * t.b + 3 * t.c);
}

CHECK(in_registers) {
  EXPECT(__enzyme_autodiff((void *)of_turn, 2.0), 10 * (6 * 4 + 4 * 2 + 3));
  EXPECT(__enzyme_fwddiff((void *)of_turn, 2.0, 1.0), 350);
}
