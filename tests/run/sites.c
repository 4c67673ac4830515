// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls that say something about one place: ignored derivatives, inactive calls, hints. */
// shows: __enzyme_virtualreverse; __enzyme_ignore_derivatives; __enzyme_call_inactive
// shows: __enzyme_iter; __enzyme_float; __enzyme_double; __enzyme_integer; __enzyme_pointer
// shows: __enzyme_set_mincut
// reals: double
// differences: none
#include "cases.h"

extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern double __enzyme_ignore_derivatives(double);
extern float __enzyme_ignore_derivatives_float(float);
extern double __enzyme_call_inactive(void *, ...);
extern void __enzyme_call_inactive_void(void *, ...);
extern float __enzyme_call_inactive_float(void *, ...);
struct Three {
  double v[3];
};
extern struct Three __enzyme_call_inactive_three(void *, ...);
extern long __enzyme_iter(long, long);
extern long __enzyme_set_mincut(long);
extern void __enzyme_double(void *, long);
extern void *__enzyme_double_too(void *);
extern void __enzyme_float(void *, long);
extern void __enzyme_integer(void *, long);
extern void __enzyme_pointer(void *, long);
extern void *__enzyme_virtualreverse(void *);

static double partly(double x) {
  return __enzyme_ignore_derivatives(x * x) * x + __enzyme_ignore_derivatives_float((float)x);
}
static double square(double x) { return x * x; }
static int calls;
NOINLINE static void note(double x, const double *p) { calls += x > 0 && *p > 0; }
static double inactive_once(double x) {
  __enzyme_call_inactive_void((void *)note, x, &x);
  return __enzyme_call_inactive((void *)square, x) * square(x);
}
NOINLINE static double narrow(float x, signed char c, unsigned short s, _Bool b, long n) {
  return (double)x * c + s * (b ? 2 : 3) + (double)n;
}
NOINLINE static float shorter(float x) { return x * x; }
NOINLINE static struct Three moved(struct Three t, float x) {
  t.v[1] = x;
  return t;
}
static double inactive_promoted(double x) {
  float f = (float)x;
  struct Three t = {{x, x * x, 2 * x}};
  t = __enzyme_call_inactive_three((void *)moved, t, f);
  return __enzyme_call_inactive((void *)narrow, f, (signed char)-3, (unsigned short)65535, x > 1,
                                -7) *
             x +
         __enzyme_call_inactive_float((void *)shorter, f) * x + t.v[1] * t.v[2] * x;
}
static double hinted(double *x, long n) {
  __enzyme_double(x, 8);
  double *p = (double *)__enzyme_double_too(x);
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += p[__enzyme_iter(i, __enzyme_set_mincut(n))] * p[i];
  return sum;
}

/* --- What only the hint tells --- */

typedef struct {
  double x, y;
  long n;
  const double *weight;
} Mixed;
static void move(const void *from, void *to) {
  __enzyme_double((void *)from, 16);
  __enzyme_integer((void *)((const char *)from + 16), 8);
  __enzyme_pointer((void *)((const char *)from + 24), 8);
  memcpy(to, from, sizeof(Mixed));
}
static void move_numbers(const void *from, void *to, long n) {
  __enzyme_float((void *)from, n * 4);
  memcpy(to, from, (size_t)n * 4);
}

static void move_bytes(const void *from, void *to, long bytes) {
  __enzyme_double((void *)from, bytes);
  memcpy(to, from, (size_t)bytes);
}
static double all_of_it(const double *x, int n) {
  double kept[4], sum = 0;
  __enzyme_double((void *)x, -1);
  memcpy(kept, x, (size_t)n * sizeof *x);
  for (int i = 0; i < n; i++)
    sum += kept[i] * x[i];
  return sum;
}

CHECK(hint_of_as_many_bytes_as_are_copied) {
  double x[3] = {1, 2, 3}, dx[3] = {0}, y[3], dy[3] = {4, 5, 6};
  __enzyme_autodiff_void((void *)move_bytes, x, dx, y, dy, (long)sizeof x);
  EXPECT(dx[2], 6);
  EXPECT(dy[2], 0);
}

CHECK(hint_of_all_bytes) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff_void((void *)all_of_it, x, dx, 3);
  EXPECT(dx[2], 6);
}

CHECK(hints_of_memory) {
  double w = 2, dw = 0;
  Mixed from = {1, 2, 3, &w}, dfrom = {0, 0, 0, &dw}, to, dto = {5, 7, 0, &dw};
  __enzyme_autodiff_void((void *)move, &from, &dfrom, &to, &dto);
  EXPECT(dfrom.x, 5);
  EXPECT(dfrom.y, 7);
  EXPECT(dto.y, 0);
  EXPECT(to.n, 3);
  float x[3] = {1, 2, 3}, dx[3] = {0}, y[3], dy[3] = {4, 5, 6};
  __enzyme_autodiff_void((void *)move_numbers, x, dx, y, dy, 3L);
  EXPECT(dx[2], 6);
  EXPECT(dy[2], 0);
}

/* --- Shadows of functions --- */

typedef struct {
  double (*apply)(double);
  double scale;
} Model;
static double twice(double x) { return 2 * x; }
static double of_model(const Model *m, double x) { return m->scale * m->apply(x); }

CHECK(shadows_of_functions) {
  Model m = {square, 3}, dm = {__enzyme_virtualreverse((void *)square), 0};
  EXPECT(__enzyme_autodiff((void *)of_model, &m, &dm, 4.0), 24);
  EXPECT(dm.scale, 16);
  m.apply = twice;
  dm.apply = (double (*)(double))__enzyme_virtualreverse((void *)m.apply);
  EXPECT(__enzyme_autodiff((void *)of_model, &m, &dm, 4.0), 6);
}

static double power(double x, int n, unsigned long m) {
  double r = 1;
  for (int i = 0; i < n + (int)m; i++)
    r *= x;
  return r;
}

CHECK(shadows_of_integers) {
  EXPECT(__enzyme_autodiff((void *)power, enzyme_out, 2.0, enzyme_dup, 2, 0, enzyme_dup, 1UL, 7UL),
         12);
  EXPECT(__enzyme_fwddiff((void *)power, enzyme_dup, 2.0, 1.0, enzyme_dupnoneed, 2, 0, enzyme_const,
                          1UL),
         12);
}

CHECK(ignored) {
  EXPECT(partly(3), 30);
  EXPECT(__enzyme_autodiff((void *)partly, 3.0), 9);
  EXPECT(__enzyme_fwddiff((void *)partly, 3.0, 1.0), 9);
}

CHECK(inactive_at_one_place) {
  calls = 0;
  EXPECT(__enzyme_autodiff((void *)inactive_once, 3.0), 9 * 6);
  EXPECT(calls, 1);
  EXPECT(__enzyme_fwddiff((void *)inactive_once, 3.0, 1.0), 9 * 6);
  EXPECT(inactive_once(2), 16);
}

CHECK(inactive_calls_with_promoted_arguments) {
  double x = 1.5, dx = -3 * x + 131070 - 7 + x * x + x * 2 * x;
  EXPECT(__enzyme_autodiff((void *)inactive_promoted, x), dx);
  EXPECT(__enzyme_fwddiff((void *)inactive_promoted, x, 1.0), dx);
}

CHECK(hints) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff_void((void *)hinted, x, dx, enzyme_const, 3L);
  EXPECT(dx[2], 6);
}
