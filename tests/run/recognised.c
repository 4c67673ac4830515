// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How entry points and their arguments are found. */
// shows: a name that contains that of the entry point; any declared signature
// shows: the function through casts and aliases; the function chosen by select
// shows: a marker loaded; a marker by its address; a marker through a cast; a marker by phi
// shows: markers of the oldest documents; enzyme_width anywhere in the call
// shows: the marker enzyme_interleave behind all arguments; default activity by type
// shows: shadows accumulate; the seed of a result is 1; results of structs in memory
// shows: nested calls are lowered inner first
// reals: double
// differences: none
#include "cases.h"

typedef struct {
  double x, y;
} Two;
typedef struct {
  double x, y, z;
} Three;

extern int enzyme_width, enzyme_interleave;
int diffe_out, diffe_const, diffe_dup;

extern double my__enzyme_autodiff_of_mine(double (*)(double), double);
extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern double __enzyme_autodiff_unprototyped();
extern Two __enzyme_autodiff_two(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern Two __enzyme_fwddiff_two(void *, ...);
extern Three __enzyme_fwddiff_three(void *, ...);

double nb_square(double x) { return x * x; }
extern double nb_other_square(double x) __attribute__((alias("nb_square")));
static double cube(double x) { return x * x * x; }
static double product(double x, double y) { return x * y; }
static double weighted(const double *x, int n) { return x[0] * x[1] * n; }
static Three powers(double x) {
  Three t = {x, x * x, x * x * x};
  return t;
}
static double slope_of_cube(double x) { return __enzyme_autodiff((void *)cube, x); }

CHECK(names_and_signatures) {
  EXPECT(my__enzyme_autodiff_of_mine(nb_square, 3.0), 6);
  EXPECT(__enzyme_autodiff_unprototyped(nb_square, 3.0), 6);
}

CHECK(functions) {
  EXPECT(__enzyme_autodiff((void *)(long)(void *)nb_square, 3.0), 6);
  EXPECT(__enzyme_autodiff((void *)nb_other_square, 3.0), 6);
  for (volatile int i = 0; i < 2; i++)
    EXPECT(__enzyme_autodiff(i ? (void *)cube : (void *)nb_square, 3.0), i ? 27 : 6);
}

CHECK(markers) {
  EXPECT(__enzyme_autodiff((void *)product, enzyme_out, 3.0, enzyme_const, 4.0), 4);
  EXPECT(__enzyme_autodiff((void *)product, &enzyme_const, 3.0, &enzyme_out, 4.0), 3);
  EXPECT(__enzyme_autodiff((void *)product, (long)enzyme_const, 3.0, (void *)&enzyme_out, 4.0), 3);
  EXPECT(__enzyme_autodiff((void *)product, diffe_const, 3.0, diffe_out, 4.0), 3);
  volatile int which = 1;
  EXPECT(__enzyme_autodiff((void *)product, which ? enzyme_const : enzyme_const, 3.0, 4.0), 3);
}

CHECK(flags_of_the_call) {
  Two a = __enzyme_fwddiff_two((void *)product, 3.0, 1.0, 10.0, enzyme_width, 2, enzyme_const, 4.0);
  EXPECT(a.x, 4);
  EXPECT(a.y, 40);
  EXPECT(__enzyme_fwddiff((void *)product, enzyme_dup, 3.0, enzyme_dup, 4.0, enzyme_interleave, 1.0,
                          10.0),
         4 + 30);
}

CHECK(activity_and_shadows) {
  double x[2] = {3, 4}, dx[2] = {100, 0};
  __enzyme_autodiff_void((void *)weighted, x, dx, 2);
  EXPECT(dx[0], 108);
  EXPECT(dx[1], 6);
  Two a = __enzyme_autodiff_two((void *)product, 3.0, 4.0);
  EXPECT(a.x, 4);
  EXPECT(a.y, 3);
}

CHECK(results) {
  Three t = __enzyme_fwddiff_three((void *)powers, 2.0, 1.0);
  EXPECT(t.x, 1);
  EXPECT(t.y, 4);
  EXPECT(t.z, 12);
}

CHECK(inner_first) { EXPECT(__enzyme_fwddiff((void *)slope_of_cube, 2.0, 1.0), 12); }
