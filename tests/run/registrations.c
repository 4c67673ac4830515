// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What programs register about their functions. The derivatives here are wrong on purpose, so that
 * they can be told from those of the bodies. */
// shows: __enzyme_register_gradient; __enzyme_register_derivative; __enzyme_inactivefn
// shows: __enzyme_inactivenoblockfn; __enzyme_function_like; __enzyme_allocation_like
// shows: __enzyme_nofree; __enzyme_no_escaping_allocation; __enzyme_shouldrecompute
// shows: annotate("enzyme_inactive")
// reals: double
// differences: none
#include "cases.h"

typedef struct {
  double result, tangent;
} Both;
typedef struct {
  void *tape;
  double result;
} TapeAndResult;
typedef struct {
  double tape, result;
} NumberAndResult;
typedef struct {
  double x, y;
} Pair;
typedef struct {
  double x, y, z;
} Triple;

extern int enzyme_nofree;
extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern Pair __enzyme_autodiff_pair(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);

/* --- A function of numbers --- */

static double square(double x) { return x * x; }
static Both square_forward(double x, double dx) {
  Both b = {x * x, 100 * dx};
  return b;
}
static NumberAndResult square_augmented(double x) {
  NumberAndResult n = {x, x * x};
  return n;
}
static double square_reverse(double x, double seed, double tape) { return 100 * seed + tape; }
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_forward};
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_augmented,
                                             (void *)square_reverse};
static double of_square(double x) { return 3 * square(x); }
static double squares_in_a_loop(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += square(x[i]);
  return sum;
}

CHECK(numbers) {
  EXPECT(__enzyme_fwddiff((void *)of_square, 2.0, 1.0), 300);
  EXPECT(__enzyme_autodiff((void *)of_square, 2.0), 302);
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff_void((void *)squares_in_a_loop, x, dx, enzyme_const, 3);
  EXPECT(dx[2], 103);
}

CHECK(asked_for_directly) {
  EXPECT(__enzyme_autodiff((void *)square, 2.0), 102);
  EXPECT(__enzyme_fwddiff((void *)square, 2.0, 1.0), 100);
}

CHECK(in_two_halves) {
  void *tape = __enzyme_augmentfwd((void *)of_square, 2.0);
  EXPECT(__enzyme_reverse((void *)of_square, enzyme_nofree, 2.0, 1.0, tape), 302);
  EXPECT(__enzyme_reverse((void *)of_square, 2.0, 1.0, tape), 302);
}

/* --- The tangent alone, no tape, no result of the augmented forward but the primal's --- */

static double product(double x, double y) { return x * y; }
static double product_forward(double x, double dx, double y, double dy) {
  return 10 * dx + 20 * dy;
}
static double product_augmented(double x, double y) { return x * y; }
static Pair product_reverse(double x, double y, double seed) {
  Pair p = {10 * seed, 20 * seed};
  return p;
}
void *__enzyme_register_derivative_product[] = {(void *)product, (void *)product_forward};
void *__enzyme_register_gradient_product[] = {(void *)product, (void *)product_augmented,
                                              (void *)product_reverse};
static double of_product(double x, double y) { return product(x, y) + y; }

CHECK(without_tape) {
  EXPECT(__enzyme_fwddiff((void *)of_product, 3.0, 1.0, 4.0, 1.0), 31);
  Pair p = __enzyme_autodiff_pair((void *)of_product, 3.0, 4.0);
  EXPECT(p.x, 10);
  EXPECT(p.y, 21);
  EXPECT(__enzyme_autodiff((void *)of_product, enzyme_out, 3.0, enzyme_const, 4.0), 10);
}

/* --- Adjoints that the ABI returns in memory --- */

static double sum3(double x, double y, double z) { return x + y + z; }
static TapeAndResult sum3_augmented(double x, double y, double z) {
  TapeAndResult t = {malloc(8), x + y + z};
  *(double *)t.tape = 7;
  return t;
}
static Triple sum3_reverse(double x, double y, double z, double seed, void *tape) {
  double kept = *(double *)tape;
  free(tape);
  Triple t = {kept * seed, 2 * seed, 3 * seed};
  return t;
}
void *__enzyme_register_gradient_sum3[] = {(void *)sum3, (void *)sum3_augmented,
                                           (void *)sum3_reverse};
static double of_sum3(double x) { return sum3(x, x, 2 * x); }

CHECK(adjoints_in_memory) { EXPECT(__enzyme_autodiff((void *)of_sum3, 1.0), 7 + 2 + 6); }

/* --- A function of memory, with an integer that stands twice or once --- */

static void scale(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}
static void scale_forward(const double *x, const double *dx, double *y, double *dy, int n, int n2) {
  for (int i = 0; i < n2; i++) {
    y[i] = 2 * x[i];
    dy[i] = 50 * dx[i];
  }
}
static double *scale_augmented(const double *x, double *dx, double *y, double *dy, int n) {
  scale(x, y, n);
  double *tape = malloc(sizeof(double));
  *tape = 50;
  return tape;
}
static void scale_reverse(const double *x, double *dx, double *y, double *dy, int n, double *tape) {
  for (int i = 0; i < n; i++) {
    dx[i] += *tape * dy[i];
    dy[i] = 0;
  }
  free(tape);
}
void *__enzyme_register_derivative_scale[] = {(void *)scale, (void *)scale_forward};
void *__enzyme_register_gradient_scale[] = {(void *)scale, (void *)scale_augmented,
                                            (void *)scale_reverse};
static double of_scale(const double *x, int n) {
  double y[4];
  scale(x, y, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i];
  return sum;
}

CHECK(memory) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  __enzyme_autodiff_void((void *)of_scale, x, dx, enzyme_const, 4);
  EXPECT(dx[3], 50);
  EXPECT(__enzyme_fwddiff((void *)of_scale, x, dx, enzyme_const, 4), 50 * 200);
}

/* --- Arguments and the tape through pointers --- */

static double cube(double x, int n) { return n * x * x * x; }
static NumberAndResult cube_augmented(const double *x, int n) {
  NumberAndResult r = {*x + n, n * *x * *x * *x};
  return r;
}
static double cube_reverse(const double *x, int n, double seed, const double *tape) {
  return *x * 1000 + n * 100 + *tape * seed;
}
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_augmented,
                                           (void *)cube_reverse, (void *)"byref_0",
                                           (void *)"byref_3"};
static double of_cube(double x) { return cube(x, 2); }

CHECK(by_reference) { EXPECT(__enzyme_autodiff((void *)of_cube, 3.0), 3000 + 200 + 5); }

/* --- Structs by value --- */

static Pair twist(Pair p, double s) {
  Pair q = {p.y * s, p.x};
  return q;
}
typedef struct {
  Pair result, tangent;
} BothPairs;
static BothPairs twist_forward(double x, double dx, double y, double dy, double s, double ds) {
  BothPairs b = {{y * s, x}, {10 * dx + dy, 20 * ds}};
  return b;
}
void *__enzyme_register_derivative_twist[] = {(void *)twist, (void *)twist_forward};
static double of_twist(double x, double s) {
  Pair p = {x, 2 * x};
  Pair q = twist(p, s);
  return q.x + q.y;
}

CHECK(structs_by_value) {
  EXPECT(__enzyme_fwddiff((void *)of_twist, 3.0, 1.0, 5.0, 1.0), 10 + 2 + 20);
}

/* --- A function of another file --- */

extern double significand(double);
static Both significand_forward(double x, double dx) {
  Both b = {significand(x), 7 * dx};
  return b;
}
static double significand_augmented(double x) { return significand(x); }
static double significand_reverse(double x, double seed) { return 7 * seed + x; }
void *__enzyme_register_derivative_significand[] = {(void *)significand,
                                                    (void *)significand_forward};
void *__enzyme_register_gradient_significand[] = {
    (void *)significand, (void *)significand_augmented, (void *)significand_reverse};
static double of_significand(double x) { return x * significand(x); }

CHECK(of_another_file) {
  EXPECT(__enzyme_autodiff((void *)of_significand, 6.0), 1.5 + 6 * 7 + 6);
  EXPECT(__enzyme_fwddiff((void *)of_significand, 6.0, 1.0), 1.5 + 6 * 7);
  EXPECT(__enzyme_fwddiff((void *)significand, 6.0, 1.0), 7);
}

/* --- Functions without derivative --- */

static int calls;
NOINLINE static double counted(double x) {
  calls++;
  return x;
}
void *__enzyme_inactivefn_counted[] = {(void *)counted};
static double weight(double x) { return x * x; }
void *__enzyme_inactivenoblockfn_weight = (void *)weight;
void *__enzyme_no_escaping_allocation_counted[] = {(void *)counted};
void *__enzyme_shouldrecompute_weight[] = {(void *)weight};
void *__enzyme_shouldrecompute_calls[] = {(void *)&calls};
__attribute__((annotate("enzyme_inactive"))) static double annotated(double x) { return x * x; }
static double first(double x) { return x; }
static double second(double x) { return x; }
void *__enzyme_inactivefn_both[] = {(void *)first, (void *)second};
static double of_both(double x) { return first(x) * second(x) * x; }
static double of_inactive(double x) { return counted(x) * x + weight(x) * x + annotated(x) * x; }

CHECK(inactive_functions) {
  calls = 0;
  EXPECT(__enzyme_autodiff((void *)of_inactive, 2.0), 2 + 4 + 4);
  EXPECT(calls, 1);
  EXPECT(__enzyme_fwddiff((void *)of_inactive, 2.0, 1.0), 2 + 4 + 4);
  EXPECT(__enzyme_autodiff((void *)of_both, 3.0), 9);
}

/* --- Functions like others --- */

static double my_sine(double x) { return x; }
static float my_cosine(float x) { return x; }
void *__enzyme_function_like_sine[] = {(void *)my_sine, (void *)"sin"};
void *__enzyme_function_like_cosine[] = {(void *)my_cosine, (void *)"cos"};
__attribute__((annotate("enzyme_function_like=log"))) static double my_log(double x) { return x; }
static double of_like(double x) { return my_sine(x) + my_cosine((float)x) + my_log(x); }

CHECK(functions_like_others) {
  EXPECT(__enzyme_autodiff((void *)of_like, 2.0), cos(2.0) + (double)-sinf(2.0f) + 1 / 2.0);
}

CHECK(functions_like_others_asked_for_directly) {
  EXPECT(__enzyme_autodiff((void *)my_sine, 2.0), cos(2.0));
  EXPECT(__enzyme_fwddiff((void *)my_sine, 2.0, 1.0), cos(2.0));
  EXPECT(__enzyme_fwddiff((void *)my_log, 2.0, 1.0), 1 / 2.0);
}

/* --- Allocators --- */

static char pool[4096];
static size_t used;
NOINLINE static void *pool_take(int tag, size_t bytes) {
  (void)tag;
  used += bytes;
  return pool + used - bytes;
}
NOINLINE static void pool_give(void *p) { (void)p; }
void *__enzyme_allocation_like_pool[] = {(void *)pool_take, (void *)1, (void *)"-1",
                                         (void *)pool_give};
void *__enzyme_nofree_square[] = {(void *)square};
static double of_pool(double x, int n) {
  double *p = (double *)pool_take(3, (size_t)n * sizeof(double));
  double sum = 0;
  for (int i = 0; i < n; i++)
    p[i] = i * x * x;
  for (int i = 0; i < n; i++)
    sum += p[n - 1 - i] * x;
  pool_give(p);
  return sum;
}

typedef struct {
  char room[1024];
  size_t used;
  int live, wrong;
} Stock;

NOINLINE static void *stock_take(Stock *stock, size_t bytes, int align) {
  stock->used = (stock->used + (size_t)align - 1) / (size_t)align * (size_t)align + bytes;
  stock->live++;
  return stock->room + stock->used - bytes;
}
NOINLINE static void stock_give(int align, void *p, Stock *stock) {
  stock->live--;
  stock->wrong += (char *)p < stock->room || (char *)p >= stock->room + 1024 || align != 16;
}
void *__enzyme_allocation_like_stock[] = {(void *)stock_take, (void *)1, (void *)"2,-1,0",
                                          (void *)stock_give};
static double of_stock(double x, Stock *stocks, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    Stock *stock = stocks + i % 2;
    double *p = (double *)stock_take(stock, 2 * sizeof(double), 16);
    p[0] = i * x;
    p[1] = p[0] * x;
    sum += p[1] * x;
    stock_give(16, p, stock);
  }
  return sum;
}

CHECK(allocators_with_arguments) {
  static Stock stocks[2];
  EXPECT(__enzyme_autodiff((void *)of_stock, 2.0, enzyme_const, stocks, 4), 6 * 12);
  EXPECT(__enzyme_fwddiff((void *)of_stock, 2.0, 1.0, enzyme_const, stocks, 4), 6 * 12);
  EXPECT(stocks[0].used > 0 && stocks[1].used > 0, 1);
  EXPECT(stocks[0].live, 0);
  EXPECT(stocks[1].live, 0);
  EXPECT(stocks[0].wrong + stocks[1].wrong, 0);
}

CHECK(allocators) {
  used = 0;
  EXPECT(__enzyme_autodiff((void *)of_pool, 2.0, enzyme_const, 3), 3 * 12);
  EXPECT(used, 2 * 3 * sizeof(double));
}
