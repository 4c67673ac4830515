// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs whose floats the ABI returns in an integer with other members, in each mode. */
// shows: enzyme_active_return; enzyme_primal_return
// reals: double
// differences: none
#include "cases.h"

typedef struct {
  float x;
  int n;
} Counted;
typedef struct {
  int n;
  float x, y;
} CountedPair;
typedef struct {
  float x;
  short n;
  char c;
  double d;
} Several;
typedef struct {
  const double *p;
  float x;
  int n;
} Pointing;
typedef struct {
  Counted primal, tangent;
} Both;
typedef struct {
  Counted first, second;
} TwoCounted;
typedef struct {
  void *tape;
  Counted primal;
} Forward;
typedef struct {
  void *tape;
  CountedPair primal;
} ForwardPair;

extern int enzyme_const, enzyme_dup, enzyme_active_return, enzyme_primal_return, enzyme_width;
extern int enzyme_const_return;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_autodiff_double(void *, ...);
extern Counted __enzyme_fwddiff(void *, ...);
extern CountedPair __enzyme_fwddiff_pair(void *, ...);
extern Several __enzyme_fwddiff_several(void *, ...);
extern Both __enzyme_fwddiff_both(void *, ...);
extern TwoCounted __enzyme_fwddiff_two(void *, ...);
extern Forward __enzyme_augmentfwd(void *, ...);
extern ForwardPair __enzyme_augmentfwd_pair(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern double __enzyme_reverse_double(void *, ...);

static Counted squared(double x) {
  Counted c = {(float)(x * x), 3};
  return c;
}

static CountedPair summed(const double *x, int n) {
  CountedPair r = {n, 0, 1};
  for (int i = 0; i < n; i++) {
    r.x += (float)x[i];
    r.y *= (float)x[i];
  }
  return r;
}

static Several several(double x) {
  Several s = {(float)(2 * x), 7, 'c', x * x};
  return s;
}

static Pointing pointing(const double *x) {
  Pointing p = {x, (float)(x[0] * x[1]), 1};
  return p;
}

/* Calls itself, so that it stays a call. */
static Counted halved(double x, int times) {
  if (times == 0)
    return squared(x);
  Counted c = halved(x / 2, times - 1);
  c.n++;
  return c;
}

CHECK(beside_an_integer) {
  Counted d = __enzyme_fwddiff((void *)squared, 3.0, 1.0);
  EXPECT(d.x, 6);
  Both both = __enzyme_fwddiff_both((void *)squared, enzyme_primal_return, 3.0, 1.0);
  EXPECT(both.primal.x, 9);
  EXPECT(both.primal.n, 3);
  EXPECT(both.tangent.x, 6);
  EXPECT(__enzyme_autodiff_double((void *)squared, 3.0), 6);
  EXPECT(__enzyme_autodiff_double((void *)squared, enzyme_active_return, 3.0), 6);
}

CHECK(behind_an_integer) {
  double x[3] = {2, 3, 4}, dx[3] = {1, 0, 0};
  CountedPair d = __enzyme_fwddiff_pair((void *)summed, enzyme_dup, x, dx, enzyme_const, 3);
  EXPECT(d.x, 1);
  EXPECT(d.y, 12);
  dx[0] = 0;
  __enzyme_autodiff((void *)summed, enzyme_dup, x, dx, enzyme_const, 3);
  EXPECT(dx[0], 1 + 12);
  EXPECT(dx[2], 1 + 6);
}

CHECK(in_two_registers) {
  Several d = __enzyme_fwddiff_several((void *)several, 3.0, 1.0);
  EXPECT(d.x, 2);
  EXPECT(d.d, 6);
  EXPECT(__enzyme_autodiff_double((void *)several, 3.0), 2 + 6);
}

CHECK(beside_a_pointer) {
  double x[2] = {3, 4}, dx[2] = {0};
  __enzyme_autodiff((void *)pointing, x, dx);
  EXPECT(dx[0], 4);
  EXPECT(dx[1], 3);
}

CHECK(of_a_function_that_calls_itself) {
  Both both = __enzyme_fwddiff_both((void *)halved, enzyme_primal_return, 8.0, 1.0, 2);
  EXPECT(both.primal.x, 4);
  EXPECT(both.primal.n, 5);
  EXPECT(both.tangent.x, 1);
  EXPECT(__enzyme_autodiff_double((void *)halved, 8.0, 2), 1);
}

CHECK(in_two_directions) {
  TwoCounted lanes = __enzyme_fwddiff_two((void *)squared, enzyme_width, 2, 3.0, 1.0, 10.0);
  EXPECT(lanes.first.x, 6);
  EXPECT(lanes.second.x, 60);
}

CHECK(in_halves) {
  Forward forward = __enzyme_augmentfwd((void *)squared, 3.0);
  Counted seed = {2, 0};
  EXPECT(forward.primal.x, 9);
  EXPECT(forward.primal.n, 3);
  EXPECT(__enzyme_reverse_double((void *)squared, 3.0, seed, forward.tape), 12);
  double x[3] = {2, 3, 4}, dx[3] = {0};
  ForwardPair pair = __enzyme_augmentfwd_pair((void *)summed, enzyme_dup, x, dx, enzyme_const, 3);
  CountedPair seeds = {0, 10, 1};
  EXPECT(pair.primal.n, 3);
  EXPECT(pair.primal.y, 24);
  __enzyme_reverse((void *)summed, enzyme_dup, x, dx, enzyme_const, 3, seeds, pair.tape);
  EXPECT(dx[1], 10 + 8);
}

CHECK(without_derivative) {
  double x[2] = {3, 4}, dx[2] = {5, 5};
  __enzyme_autodiff((void *)pointing, enzyme_const_return, x, dx);
  EXPECT(dx[0], 5);
}
