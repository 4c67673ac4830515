// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Split reverse mode: where the tape lies, how often and in which order tapes are read. */
// shows: __enzyme_augmentfwd; __enzyme_reverse; __enzyme_augmentsize; enzyme_not_overwritten
// shows: enzyme_nofree; enzyme_allocated; enzyme_tape
// reals: double
// differences: none
#include "cases.h"

#include <pthread.h>

typedef struct {
  void *tape;
  double primal;
} Forward;
typedef struct {
  void *tape;
  double *primal, *shadow;
} ForwardPointer;
typedef struct {
  double *primal, *shadow;
} Pointers;
typedef struct {
  double x, y;
} Pair;

extern int enzyme_nofree, enzyme_tape, enzyme_allocated, enzyme_not_overwritten;
extern int enzyme_const_return;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_augmentfwd_void(void *, ...);
extern double __enzyme_augmentfwd_primal(void *, ...);
extern Forward __enzyme_augmentfwd_forward(void *, ...);
extern ForwardPointer __enzyme_augmentfwd_pointer(void *, ...);
extern Pointers __enzyme_augmentfwd_pointers(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern double __enzyme_reverse_double(void *, ...);
extern Pair __enzyme_reverse_pair(void *, ...);
extern int __enzyme_augmentsize(void *, ...);

static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}
static void square_two(const double *restrict x, double *restrict y) {
  y[0] = x[0] * x[0];
  y[1] = x[0] * x[1];
}
static double cube(double x) { return x * x * x; }
static double product(double x, double y) { return x * y; }

/* Residuals in a loop whose trips are not known. */
static double until(const double *x, int n) {
  double sum = 0;
  for (int i = 0; sum < 100 && i < n; i++)
    sum += sum * x[i] + x[i] * x[i];
  return sum;
}

/* A stack array, and an address in it that is only known when the program runs. */
static double through_pointer(const double *x, int first) {
  double a[2] = {x[0] * x[0], x[1] * x[1]};
  double b[2] = {x[0], x[1]};
  double *chosen[2] = {a, b};
  double *p = chosen[first != 0];
  p[0] *= x[1];
  return p[0] * p[1];
}

NOINLINE static double recursive(const double *x, int n) {
  return n == 0 ? 1 : x[0] * recursive(x + 1, n - 1) * x[0];
}

static const double *element(const double *x, int i) { return x + i; }

NOINLINE static void overwrite(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = NAN;
}

CHECK(opaque_tape) {
  double x[3] = {1, 2, 3}, dx[3] = {0}, y[3], dy[3] = {1, 1, 1};
  void *tape = __enzyme_augmentfwd((void *)squares, x, dx, y, dy, enzyme_const, 3);
  EXPECT(y[2], 9);
  overwrite(x, 3);
  __enzyme_reverse((void *)squares, x, dx, y, dy, enzyme_const, 3, tape);
  for (int i = 0; i < 3; i++) {
    EXPECT(dx[i], 2 * (i + 1));
    EXPECT(dy[i], 0);
  }
}

CHECK(primal_and_seed) {
  Forward forward = __enzyme_augmentfwd_forward((void *)cube, 2.0);
  EXPECT(forward.primal, 8);
  EXPECT(__enzyme_reverse_double((void *)cube, 2.0, 0.5, forward.tape), 6);
  void *tape = __enzyme_augmentfwd((void *)cube, 3.0);
  EXPECT(__enzyme_reverse_double((void *)cube, 3.0, 1.0, tape), 27);
}

CHECK(several_adjoints) {
  void *tape = __enzyme_augmentfwd((void *)product, 2.0, 3.0);
  Pair a = __enzyme_reverse_pair((void *)product, 2.0, 3.0, 10.0, tape);
  EXPECT(a.x, 30);
  EXPECT(a.y, 20);
}

CHECK(constant_result) {
  double x[2] = {2, 3}, dx[2] = {0};
  void *tape = __enzyme_augmentfwd((void *)until, enzyme_const_return, x, dx, enzyme_const, 2);
  __enzyme_reverse((void *)until, enzyme_const_return, x, dx, enzyme_const, 2, tape);
  EXPECT(dx[0], 0);
}

CHECK(tapes_in_any_order) {
  double x[2] = {1, 2}, dx[2] = {0};
  void *tapes[3];
  for (int i = 0; i < 3; i++) {
    x[0] = i + 1;
    tapes[i] = __enzyme_augmentfwd((void *)until, x, dx, enzyme_const, 1);
  }
  static const int order[3] = {1, 2, 0};
  for (int i = 0; i < 3; i++) {
    dx[0] = 0;
    __enzyme_reverse((void *)until, x, dx, enzyme_const, 1, 1.0, tapes[order[i]]);
    EXPECT(dx[0], 2 * (order[i] + 1));
  }
}

CHECK(read_many_times) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  Forward forward = __enzyme_augmentfwd_forward((void *)until, x, dx, enzyme_const, 3);
  EXPECT(forward.primal, ((1 * 3 + 4) * 4 + 9));
  overwrite(x, 3);
  for (int i = 0; i < 4; i++)
    __enzyme_reverse((void *)until, enzyme_nofree, x, dx, enzyme_const, 3, 1.0, forward.tape);
  EXPECT(dx[2], 4 * (7 + 6));
  __enzyme_reverse((void *)until, x, dx, enzyme_const, 3, 1.0, forward.tape);
  EXPECT(dx[2], 5 * (7 + 6));
  EXPECT(dx[0], 5 * 2 * 3 * 4);
}

CHECK(tape_in_own_memory) {
  double x[2] = {2, 3}, dx[2] = {0}, y[2], dy[2] = {1, 1};
  char memory[100], elsewhere[101];
  __enzyme_augmentfwd_void((void *)square_two, enzyme_allocated, sizeof memory, enzyme_tape, memory,
                           x, dx, y, dy);
  overwrite(x, 2);
  memcpy(elsewhere + 1, memory, sizeof memory);
  memset(memory, 0, sizeof memory);
  __enzyme_reverse((void *)square_two, x, dx, y, dy, enzyme_allocated, sizeof memory, enzyme_tape,
                   elsewhere + 1);
  EXPECT(dx[0], 7);
  EXPECT(dx[1], 2);
}

CHECK(size_of_the_tape) {
  double x[2] = {2, 3}, dx[2] = {0}, y[2], dy[2] = {1, 1};
  int size = __enzyme_augmentsize((void *)square_two, enzyme_dup, enzyme_dup);
  EXPECT(size, 2 * sizeof(double));
  EXPECT(__enzyme_augmentsize((void *)square_two), size);
  EXPECT(__enzyme_augmentsize((void *)square_two, enzyme_const, enzyme_dup), 0);
  void *memory = malloc((size_t)size);
  __enzyme_augmentfwd_void((void *)square_two, enzyme_allocated, size, enzyme_tape, memory, x, dx,
                           y, dy);
  overwrite(x, 2);
  __enzyme_reverse((void *)square_two, enzyme_allocated, size, enzyme_tape, memory, x, dx, y, dy);
  free(memory);
  EXPECT(dx[0], 7);
}

CHECK(address_of_the_tape_in_own_memory) {
  double x[2] = {2, 3}, dx[2] = {0}, y[2], dy[2] = {1, 1};
  void *tape;
  __enzyme_augmentfwd_void((void *)square_two, enzyme_tape, &tape, x, dx, y, dy);
  overwrite(x, 2);
  __enzyme_reverse((void *)square_two, enzyme_tape, &tape, x, dx, y, dy);
  EXPECT(dx[0], 7);
}

CHECK(result_beside_own_memory) {
  double x[2] = {2, 3}, dx[2] = {0};
  char memory[64];
  double primal = __enzyme_augmentfwd_primal((void *)until, enzyme_allocated, sizeof memory,
                                             enzyme_tape, memory, x, dx, enzyme_const, 2);
  EXPECT(primal, 4 * 3 + 4 + 9);
  __enzyme_reverse((void *)until, enzyme_allocated, sizeof memory, enzyme_tape, memory, x, dx,
                   enzyme_const, 2, 1.0);
  EXPECT(dx[0], 4 * 4);
}

CHECK(not_overwritten) {
  double x[2] = {2, 3}, dx[2] = {0}, y[2], dy[2] = {1, 1};
  EXPECT(__enzyme_augmentsize((void *)square_two, enzyme_not_overwritten, enzyme_dup, enzyme_dup),
         0);
  void *tape =
      __enzyme_augmentfwd((void *)square_two, enzyme_not_overwritten, x, dx, enzyme_dup, y, dy);
  overwrite(y, 2);
  __enzyme_reverse((void *)square_two, enzyme_not_overwritten, x, dx, y, dy, tape);
  EXPECT(dx[0], 7);
}

CHECK(tape_that_cannot_move) {
  for (int first = 0; first < 2; first++) {
    double x[2] = {2, 3}, dx[2] = {0};
    int size = __enzyme_augmentsize((void *)through_pointer, enzyme_dup, enzyme_const);
    char memory[256], elsewhere[256];
    EXPECT(size <= (int)sizeof memory, 1);
    __enzyme_augmentfwd_void((void *)through_pointer, enzyme_allocated, sizeof memory, enzyme_tape,
                             memory, x, dx, enzyme_const, first);
    overwrite(x, 2);
    memcpy(elsewhere, memory, sizeof memory);
    memset(memory, 0, sizeof memory);
    __enzyme_reverse((void *)through_pointer, enzyme_allocated, sizeof memory, enzyme_nofree,
                     enzyme_tape, elsewhere, x, dx, enzyme_const, first, 1.0);
    dx[0] = dx[1] = 0;
    __enzyme_reverse((void *)through_pointer, enzyme_allocated, sizeof memory, enzyme_tape,
                     elsewhere, x, dx, enzyme_const, first, 1.0);
    EXPECT(dx[0], first ? 9 : 4 * 27);
    EXPECT(dx[1], first ? 12 : 4 * 27);
  }
}

static double weighted(const double *x) { return 3 * x[0] + 2 * x[1]; }

/* What needs no tape writes none. */
CHECK(no_tape_in_no_memory) {
  double x[2] = {2, 3}, dx[2] = {0};
  char memory[sizeof(void *)], before[sizeof(void *)];
  int size = __enzyme_augmentsize((void *)weighted, enzyme_dup);
  memset(memory, 0x55, sizeof memory);
  memcpy(before, memory, sizeof memory);
  __enzyme_augmentfwd((void *)weighted, enzyme_allocated, size, enzyme_tape, memory, x, dx);
  EXPECT(size, 0);
  EXPECT(memcmp(memory, before, sizeof memory), 0);
  __enzyme_reverse((void *)weighted, enzyme_allocated, size, enzyme_tape, memory, x, dx, 1.0);
  EXPECT(dx[0], 3);
  EXPECT(dx[1], 2);
}

CHECK(tapes_of_recursion) {
  double x[3] = {2, 3, 5}, dx[3] = {0};
  void *tape = __enzyme_augmentfwd((void *)recursive, x, dx, enzyme_const, 3);
  overwrite(x, 3);
  __enzyme_reverse((void *)recursive, enzyme_nofree, x, dx, enzyme_const, 3, 1.0, tape);
  __enzyme_reverse((void *)recursive, x, dx, enzyme_const, 3, 1.0, tape);
  EXPECT(dx[0], 2 * 4 * 9 * 25);
  EXPECT(dx[2], 2 * 10 * 4 * 9);
}

CHECK(shadow_of_a_returned_pointer) {
  double x[3] = {2, 3, 5}, dx[3] = {7, 8, 9};
  ForwardPointer forward =
      __enzyme_augmentfwd_pointer((void *)element, enzyme_dup, x, dx, enzyme_const, 1);
  EXPECT(forward.primal == x + 1, 1);
  EXPECT(forward.shadow == dx + 1, 1);
  __enzyme_reverse((void *)element, enzyme_dup, x, dx, enzyme_const, 1, forward.tape);
  EXPECT(dx[1], 8);
  void *tape;
  Pointers pointers = __enzyme_augmentfwd_pointers((void *)element, enzyme_tape, &tape, enzyme_dup,
                                                   x, dx, enzyme_const, 2);
  EXPECT(pointers.shadow == dx + 2, 1);
  __enzyme_reverse((void *)element, enzyme_tape, &tape, enzyme_dup, x, dx, enzyme_const, 2);
}

typedef struct {
  double x[8], dx[8], y[8], dy[8];
  void *tape;
} Work;

static void *first_half(void *user) {
  Work *w = user;
  w->tape = __enzyme_augmentfwd((void *)squares, w->x, w->dx, w->y, w->dy, enzyme_const, 8);
  overwrite(w->x, 8);
  return NULL;
}

static void *second_half(void *user) {
  Work *w = user;
  __enzyme_reverse((void *)squares, w->x, w->dx, w->y, w->dy, enzyme_const, 8, w->tape);
  return NULL;
}

/* Made in one thread and read in another, several at a time. */
CHECK(several_threads) {
  enum { THREADS = 4 };
  Work work[THREADS];
  pthread_t threads[THREADS];
  for (int half = 0; half < 2; half++) {
    for (int i = 0; i < THREADS; i++) {
      for (int k = 0; k < 8 && half == 0; k++) {
        work[i].x[k] = i + k;
        work[i].dx[k] = 0;
        work[i].dy[k] = 1;
      }
      pthread_create(&threads[i], NULL, half ? second_half : first_half, &work[i]);
    }
    for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < THREADS; i++)
    EXPECT(work[i].dx[7], 2 * (i + 7));
}
