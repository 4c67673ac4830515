// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls through pointers: functions given as arguments, kept in tables and in structs, chosen when
 * the program runs, and calling each other through pointers. */
#include "cases.h"

typedef real (*Function)(real);
typedef real (*Weight)(const void *context, real);

static NOINLINE real square(real a) { return a * a; }
static NOINLINE real sine(real a) { return sin(a) + a; }
static NOINLINE real shifted(real a) { return a * a * a - 2 * a; }

static NOINLINE real apply(Function f, real a) { return f(a) * a; }
static NOINLINE real apply_twice(Function f, real a) { return apply(f, apply(f, a)); }

SCALAR1(function_as_argument, 1.5) { return apply(square, x); }
SCALAR1(function_through_levels, 0.7) { return apply_twice(sine, x) + apply(square, x); }

static const Function table[] = {square, sine, shifted};

SUM(function_from_table, 5, 0.3, 0.1, -0.4, 1.2, 0.9) {
  real r = 0;
  for (int i = 0; i < n; i++)
    r += table[i % 3](x[i]) * apply(table[(i + 1) % 3], x[i]);
  return r;
}

static int chosen(real a) { return VALUE(a) > 0 ? 2 : 0; }

SUM(function_chosen_by_value, 4, 0.3, -0.1, -0.4, 1.2) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    Function f = table[chosen(x[i])];
    r = f(r) + x[i];
  }
  return r;
}

typedef struct {
  Function inner, outer;
  int factor;
} Pair;

static NOINLINE real through_pair(const Pair *pair, real a) {
  return pair->outer(pair->inner(a) * pair->factor);
}

SCALAR1(function_in_struct, 0.4) {
  Pair p = {sine, square, 3};
  Pair q = {shifted, sine, 2};
  return through_pair(&p, x) * through_pair(&q, x);
}

typedef struct {
  Weight weigh;
  real *weights;
  int count;
} Model;

static NOINLINE real weigh_linear(const void *context, real a) {
  const Model *m = (const Model *)context;
  real r = 0;
  for (int i = 0; i < m->count; i++)
    r += m->weights[i] * a;
  return r;
}

static NOINLINE real weigh_sine(const void *context, real a) {
  const Model *m = (const Model *)context;
  return m->weights[0] * sin(a) + m->weights[m->count - 1];
}

static NOINLINE real run_model(const Model *m, real a) { return m->weigh(m, a) * a; }

SUM(callback_with_active_context, 4, 0.3, 0.1, 0.4, 1.2) {
  Model m = {VALUE(x[0]) > 0.2 ? weigh_linear : weigh_sine, x + 1, n - 1};
  Model k = {weigh_sine, x, n};
  return run_model(&m, x[0]) + run_model(&k, x[1]);
}

typedef void (*Visit)(void *context, int i, real a);

static NOINLINE void visit_all(int n, const real *x, Visit visit, void *context) {
  for (int i = 0; i < n; i++)
    visit(context, i, x[i]);
}

static NOINLINE void add_square(void *context, int i, real a) {
  *(real *)context += a * a * (i + 1);
}

static NOINLINE void multiply(void *context, int i, real a) {
  (void)i;
  *(real *)context *= a;
}

SUM(callback_that_accumulates, 4, 0.3, 0.1, 0.4, 1.2) {
  real sum = 0, product = 1;
  visit_all(n, x, add_square, &sum);
  visit_all(n, x, multiply, &product);
  return sum * product + sum;
}

typedef real (*Step)(int depth, real a, const void *other);

static NOINLINE real step_even(int depth, real a, const void *other) {
  Step next = *(const Step *)other;
  return depth ? next(depth - 1, a * a + 0.1, other) * a : a;
}

static NOINLINE real step_odd(int depth, real a, const void *other) {
  Step next = depth % 2 ? step_even : *(const Step *)other;
  return depth ? next(depth - 1, sin(a), other) + a : 2 * a;
}

SCALAR1(mutual_recursion_through_pointers, 0.6) {
  Step next = step_odd;
  return step_even(5, x, &next);
}

static NOINLINE Function pick(int which) { return which ? square : sine; }

SUM(function_returned, 3, 0.3, 0.1, 0.4) {
  real r = 0;
  for (int i = 0; i < n; i++)
    r += pick(i & 1)(x[i]);
  return r;
}

#ifdef __cplusplus
static
#endif
    Function callback_hook = square;

SCALAR1(function_from_visible_global, 0.6) { return callback_hook(x) * x; }

static Function registered[2];

static NOINLINE void enter(int i, Function f) { registered[i] = f; }

SUM(function_registered, 3, 0.3, 0.1, 0.4) {
  enter(0, shifted);
  enter(1, sine);
  return registered[n & 1](x[0]) * registered[0](x[1]) + registered[1](x[2]);
}

static NOINLINE void sort(int n, real *x, int (*less)(const real *, const real *)) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && less(&x[k], &x[k - 1]); k--) {
      real t = x[k];
      x[k] = x[k - 1];
      x[k - 1] = t;
    }
}

static NOINLINE int smaller(const real *a, const real *b) { return VALUE(*a) < VALUE(*b); }
static NOINLINE int larger(const real *a, const real *b) { return VALUE(*a) > VALUE(*b); }

MAP(sorted_by_callback, 4, 4, 0.3, 0.1, 0.4, 1.2, 0, 0, 0, 0) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
  sort(n, y, smaller);
  sort(n / 2, y, larger);
  for (int i = 0; i < n; i++)
    y[i] *= i + 1;
}

typedef struct Shape Shape;
struct Shape {
  real (*area)(const Shape *);
  real a, b;
};

static NOINLINE real area_of_box(const Shape *s) { return s->a * s->b; }
static NOINLINE real area_of_disc(const Shape *s) { return 3 * s->a * s->a; }

SUM(methods, 4, 0.3, 0.1, 0.4, 1.2) {
  Shape shapes[4];
  for (int i = 0; i < n; i++) {
    shapes[i].area = i & 1 ? area_of_box : area_of_disc;
    shapes[i].a = x[i];
    shapes[i].b = x[(i + 1) % n] + 1;
  }
  real r = 0;
  for (int i = 0; i < n; i++)
    r += shapes[i].area(&shapes[i]) * x[i];
  return r;
}
