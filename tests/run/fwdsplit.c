// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Forward mode that comes later than the primal: where the tape lies, how often it is read, and
 * what may happen to memory in between. */
// shows: __enzyme_fwdsplit; __enzyme_register_splitderivative
// reals: double
// differences: none
#include "cases.h"

typedef struct {
  void *tape;
  double primal;
} Forward;
typedef struct {
  void *tape;
  double *primal;
} ForwardPointer;
typedef struct {
  double primal, tangent;
} Both;
typedef struct {
  double x, y;
} Two;

extern int enzyme_nofree, enzyme_tape, enzyme_allocated, enzyme_width, enzyme_const_return;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_augmentfwd_void(void *, ...);
extern Forward __enzyme_augmentfwd_forward(void *, ...);
extern ForwardPointer __enzyme_augmentfwd_pointer(void *, ...);
extern int __enzyme_augmentsize(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern void __enzyme_fwdsplit_void(void *, ...);
extern Both __enzyme_fwdsplit_both(void *, ...);
extern Two __enzyme_fwdsplit_two(void *, ...);
extern double *__enzyme_fwdsplit_pointer(void *, ...);
extern double __enzyme_autodiff_of_split(void *, ...);

NOINLINE static void overwrite(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = NAN;
}

static double cube(double x) { return x * x * x; }
static void square_two(const double *restrict x, double *restrict y) {
  y[0] = x[0] * x[0];
  y[1] = x[0] * x[1];
}
static double until(const double *x, int n) {
  double sum = 0;
  for (int i = 0; sum < 100 && i < n; i++)
    sum += sum * x[i] + x[i] * x[i];
  return sum;
}

CHECK(tape_on_the_heap) {
  void *tape = __enzyme_augmentfwd((void *)cube, 2.0);
  EXPECT(__enzyme_fwdsplit((void *)cube, 2.0, 0.5, tape), 6);
  double x[3] = {1, 2, 3}, d[3] = {0, 0, 1};
  Forward forward = __enzyme_augmentfwd_forward((void *)until, x, d, 3);
  EXPECT(forward.primal, 37);
  overwrite(x, 3);
  for (int i = 0; i < 3; i++)
    EXPECT(__enzyme_fwdsplit((void *)until, enzyme_nofree, x, d, 3, forward.tape), 13);
  EXPECT(__enzyme_fwdsplit((void *)until, x, d, 3, forward.tape), 13);
}

static double twice(double x) { return 2 * x; }

CHECK(no_tape_needed) { EXPECT(__enzyme_fwdsplit((void *)twice, 3.0, 1.0, NULL), 2); }

CHECK(primal_too) {
  double x[2] = {1, 2}, d[2] = {1, 0};
  void *tape = __enzyme_augmentfwd((void *)until, x, d, 2);
  overwrite(x, 2);
  Both both = __enzyme_fwdsplit_both((void *)until, enzyme_primal_return, x, d, 2, tape);
  EXPECT(both.primal, 7);
  EXPECT(both.tangent, 6);
}

/* As solvers of mechanics keep a tape for each quadrature point. */
CHECK(tape_in_own_memory) {
  double x[2] = {2, 3}, d[2] = {1, 10}, y[2], dy[2] = {5, 5};
  char memory[64], elsewhere[65];
  int size = __enzyme_augmentsize((void *)square_two, enzyme_dup, enzyme_dup);
  EXPECT(size > 0 && size <= (int)sizeof memory, 1);
  __enzyme_augmentfwd_void((void *)square_two, enzyme_allocated, size, enzyme_tape, memory,
                           enzyme_dup, x, d, enzyme_dup, y, dy);
  EXPECT(y[1], 6);
  overwrite(x, 2);
  memcpy(elsewhere + 1, memory, (size_t)size);
  for (int i = 0; i < 2; i++) {
    __enzyme_fwdsplit_void((void *)square_two, enzyme_allocated, size, enzyme_tape, elsewhere + 1,
                           enzyme_nofree, enzyme_dup, x, d, enzyme_dup, y, dy);
    EXPECT(dy[0], 4);
    EXPECT(dy[1], 23);
  }
}

CHECK(loops_in_own_memory) {
  double x[3] = {1, 2, 3}, d[3] = {0, 0, 1};
  char memory[64];
  __enzyme_augmentfwd_void((void *)until, enzyme_allocated, 64, enzyme_tape, memory, x, d, 3);
  overwrite(x, 3);
  EXPECT(__enzyme_fwdsplit((void *)until, enzyme_allocated, 64, enzyme_tape, memory, x, d, 3), 13);
}

NOINLINE static double power(const double *x, int n) { return n ? *x * power(x, n - 1) : 1; }
NOINLINE static double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}
static double triangle(double *x, int n) {
  double s = 0;
  for (int i = 1; i <= n; i++) {
    s += norm(x, i) * power(x, 2);
    x[0] += 1;
  }
  return s;
}

CHECK(callees_in_loops) {
  double x[2] = {1, 2}, d[2] = {1, 0};
  void *tape = __enzyme_augmentfwd((void *)triangle, x, d, 2);
  overwrite(x, 2);
  EXPECT(__enzyme_fwdsplit((void *)triangle, x, d, 2, tape), 4 * 1 + 4 * 8 + 2 * 2 * 4);
}

static int calls;
static double *copied(const double *x, int n) {
  double *copy = (double *)malloc((size_t)n * sizeof *copy);
  for (int i = 0; i < n; i++)
    copy[i] = x[i] * x[i];
  calls++;
  return copy;
}
static double through_heap(const double *x, int n) {
  double *copy = copied(x, n), s = 0;
  for (int i = 0; i < n; i++)
    s += copy[i] * copy[i];
  free(copy);
  return s;
}

CHECK(memory_of_the_heap) {
  double x[2] = {1, 2}, d[2] = {0, 1};
  calls = 0;
  void *tape = __enzyme_augmentfwd((void *)through_heap, x, d, 2);
  overwrite(x, 2);
  EXPECT(__enzyme_fwdsplit((void *)through_heap, x, d, 2, tape), 32);
  EXPECT(calls, 1);
}

CHECK(result_is_a_pointer) {
  double x[2] = {1, 3}, d[2] = {0, 1};
  ForwardPointer forward = __enzyme_augmentfwd_pointer((void *)copied, x, d, 2);
  EXPECT(forward.primal[1], 9);
  overwrite(x, 2);
  free(forward.primal);
  double *tangent = __enzyme_fwdsplit_pointer((void *)copied, x, d, 2, forward.tape);
  EXPECT(tangent[1], 6);
  free(tangent);
}

CHECK(several_directions) {
  double x[2] = {1, 2}, d[2] = {1, 0}, e[2] = {0, 1};
  void *tape = __enzyme_augmentfwd((void *)until, enzyme_width, 2, x, d, e, 2);
  overwrite(x, 2);
  Two t = __enzyme_fwdsplit_two((void *)until, enzyme_width, 2, x, d, e, 2, tape);
  EXPECT(t.x, 6);
  EXPECT(t.y, 1 + 4);
}

/* Halves of the user's. */
typedef struct {
  double tape, primal;
} Taped;

NOINLINE static double own(double x) { return x * x; }
static Taped own_augmented(double x) { return (Taped){x, x * x}; }
static double own_forward(double x, double dx, double tape) { return 100 * tape * dx + 0 * x; }
void *__enzyme_register_splitderivative_own[] = {(void *)own, (void *)own_augmented,
                                                 (void *)own_forward};
static double calls_own(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += own(x[i]);
  return s;
}

CHECK(split_derivative_of_the_user) {
  double x[2] = {1, 3}, d[2] = {1, 2};
  Forward forward = __enzyme_augmentfwd_forward((void *)calls_own, x, d, 2);
  EXPECT(forward.primal, 10);
  overwrite(x, 2);
  EXPECT(__enzyme_fwdsplit((void *)calls_own, x, d, 2, forward.tape), 100 + 600);
  void *tape = __enzyme_augmentfwd((void *)own, 3.0);
  Both both = __enzyme_fwdsplit_both((void *)own, enzyme_primal_return, 3.0, 2.0, tape);
  EXPECT(both.primal, 9);
  EXPECT(both.tangent, 600);
}

/* With the place of a shadow behind the result, as in reverse mode. */
typedef struct {
  double tape, primal, shadow;
} TapedWithShadow;
NOINLINE static double with_shadow(double x) { return x * x; }
static TapedWithShadow with_shadow_augmented(double x) { return (TapedWithShadow){x, x * x, NAN}; }
static double with_shadow_forward(double x, double dx, double tape) { return 100 * tape * dx; }
void *__enzyme_register_splitderivative_with_shadow[] = {
    (void *)with_shadow, (void *)with_shadow_augmented, (void *)with_shadow_forward};
static double calls_with_shadow(double x) { return 3 * with_shadow(x); }

CHECK(split_derivative_with_a_shadow) {
  Forward forward = __enzyme_augmentfwd_forward((void *)calls_with_shadow, 3.0);
  EXPECT(forward.primal, 27);
  EXPECT(__enzyme_fwdsplit((void *)calls_with_shadow, 3.0, 2.0, forward.tape), 1800);
}

static double place, d_place;
typedef struct {
  double tape;
  double *primal, *shadow;
} TapedPointer;
NOINLINE static double *placed(const double *x) {
  place = *x * *x;
  return &place;
}
static TapedPointer placed_augmented(const double *x, const double *dx) {
  place = *x * *x;
  return (TapedPointer){*x, &place, &d_place};
}
static double *placed_forward(const double *x, const double *dx, double tape) {
  d_place = 100 * tape * *dx;
  return &d_place;
}
void *__enzyme_register_splitderivative_placed[] = {(void *)placed, (void *)placed_augmented,
                                                    (void *)placed_forward};
static double calls_placed(const double *x) { return 3 * *placed(x); }

CHECK(split_derivative_that_returns_a_pointer) {
  double x = 3, dx = 2;
  Forward forward = __enzyme_augmentfwd_forward((void *)calls_placed, &x, &dx);
  EXPECT(forward.primal, 27);
  x = NAN;
  EXPECT(__enzyme_fwdsplit((void *)calls_placed, &x, &dx, forward.tape), 1800);
}

/* In memory, with the tape by reference, and without a result. */
NOINLINE static void scale(double *x, const double *factor) { *x *= *factor; }
static Two scale_augmented(double *x, double *dx, const double *factor, const double *df) {
  Two tape = {*x, *factor};
  *x *= *factor;
  return tape;
}
static void scale_forward(double *x, double *dx, const double *factor, const double *df,
                          const Two *tape) {
  *dx = 10 * (tape->y * *dx + tape->x * *df);
}
void *__enzyme_register_splitderivative_scale[] = {(void *)scale, (void *)scale_augmented,
                                                   (void *)scale_forward, (void *)"byref_4"};

CHECK(split_derivative_in_memory) {
  double x = 2, dx = 1, f = 3, df = 5;
  void *tape = __enzyme_augmentfwd((void *)scale, &x, &dx, &f, &df);
  EXPECT(x, 6);
  x = f = NAN;
  __enzyme_fwdsplit_void((void *)scale, &x, &dx, &f, &df, tape);
  EXPECT(dx, 10 * (3 + 10));
}

/* What is registered for other modes is not for this one: the body is. */
NOINLINE static double other(double x) { return x * x * x; }
static double other_forward(double x, double dx) { return 1000 * dx + 0 * x; }
void *__enzyme_register_derivative_other[] = {(void *)other, (void *)other_forward};
static double calls_other(double x) { return other(x); }

CHECK(only_a_derivative_at_once) {
  void *tape = __enzyme_augmentfwd((void *)calls_other, 2.0);
  EXPECT(__enzyme_fwdsplit((void *)calls_other, 2.0, 1.0, tape), 12);
}
