// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Forward mode in several directions that lie side by side behind the arguments. */
// shows: __enzyme_fwdinterleaved
// reals: double
// differences: none
// split: none
#include "cases.h"

extern int enzyme_const, enzyme_dup, enzyme_width, enzyme_dupv;
extern int __enzyme_fwdinterleaved(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);

enum { SIZE = 6, WIDTH = 4 };

typedef void Function(const double *x, double *y, int n);

typedef struct {
  double apart[WIDTH][SIZE], beside[SIZE][WIDTH];
} Tangents;

static void seed(Tangents *dx, Tangents *dy) {
  memset(dy, 0, sizeof *dy);
  for (int i = 0; i < SIZE; i++)
    for (int lane = 0; lane < WIDTH; lane++) {
      dx->apart[lane][i] = dx->beside[i][lane] = sin(1.0 + i * WIDTH + lane);
      dy->apart[lane][i] = dy->beside[i][lane] = lane - i;
    }
}

static const double start[SIZE] = {0.5, 1.25, 2, 0.75, 1.5, 3};

/* What comes of the function in all directions, and what is expected. */
typedef struct {
  Tangents dx, dy;
  double y[SIZE], expected[SIZE];
} Run;

static void start_run(Run *run) {
  *run = (Run){0};
  seed(&run->dx, &run->dy);
}

#define INTERLEAVED(f, run)                                                                        \
  __enzyme_fwdinterleaved((void *)f, enzyme_width, WIDTH, enzyme_dup, start, &run.dx.beside[0][0], \
                          enzyme_dup, run.y, &run.dy.beside[0][0], enzyme_const, SIZE)

/* Are both the same, and the primal, too? */
#define EXPECT_SAME(f)                                                                             \
  {                                                                                                \
    Run run;                                                                                       \
    start_run(&run);                                                                               \
    EXPECT(INTERLEAVED(f, run), 1);                                                                \
    __enzyme_fwddiff_void((void *)f, enzyme_width, WIDTH, enzyme_dupv, sizeof run.dx.apart[0],     \
                          start, &run.dx.apart[0][0], enzyme_dupv, sizeof run.dy.apart[0],         \
                          run.expected, &run.dy.apart[0][0], enzyme_const, SIZE);                  \
    expect_same(&run);                                                                             \
  }

static void expect_same(const Run *run) {
  for (int i = 0; i < SIZE; i++) {
    EXPECT(run->y[i], run->expected[i]);
    for (int lane = 0; lane < WIDTH; lane++)
      EXPECT(run->dy.beside[i][lane], run->dy.apart[lane][i]);
  }
}

static void star(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    double sum = 4 * x[i] - exp(x[i]);
    sum -= i > 0 ? x[i - 1] : 0;
    sum -= i + 1 < n ? x[i + 1] : 0;
    y[i] = sum;
  }
}

static void accumulated(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      y[i] += x[i] * x[j];
}

static double product(const double *x, int count) {
  return count > 1 ? *x * product(x + 1, count - 1) : *x;
}
static void through_memory(const double *x, double *y, int n) {
  double kept[SIZE];
  memcpy(kept, x, (size_t)n * sizeof *x);
  for (int i = 1; i < n; i++)
    kept[i] *= kept[i - 1];
  memset(y, 0, 2 * sizeof *y);
  memcpy(y + 2, kept + 2, (size_t)(n - 2) * sizeof *y);
}

static void backwards(const double *x, double *y, int n) {
  const double *end = x + n;
  while (end != x)
    *y++ = sin(*--end);
}

typedef struct {
  double first, second;
} Pair;
static void pairs(const double *x, double *y, int n) {
  const Pair *from = (const Pair *)x;
  Pair *to = (Pair *)y;
  for (int i = 0; i < n / 2; i++) {
    to[i].first = from[i].first * from[i].second;
    to[i].second = from[i].first / from[i].second;
  }
}

static void nothing(const double *x, double *y, int n) {
  y[0] = n;
  (void)x;
}

CHECK(tangents_side_by_side) {
  EXPECT_SAME(star);
  EXPECT_SAME(accumulated);
  EXPECT_SAME(through_memory);
  EXPECT_SAME(backwards);
  EXPECT_SAME(pairs);
  EXPECT_SAME(nothing);
}

const double *interleaved_kept;
static void keeps(const double *x, double *y, int n) {
  interleaved_kept = x;
  for (int i = 0; i < n; i++)
    y[i] = 2 * interleaved_kept[i] * product(interleaved_kept, 3);
}
static void either(const double *x, double *y, int n) {
  const double *from = n > 3 ? x : y;
  double *to = n > 3 ? y : (double *)x;
  for (int i = 0; i < n; i++)
    to[i] = from[i] * from[0];
}

/* Where it cannot be had, nothing is done. */
#define EXPECT_DECLINED(f)                                                                         \
  {                                                                                                \
    Run run;                                                                                       \
    start_run(&run);                                                                               \
    EXPECT(INTERLEAVED(f, run), 0);                                                                \
    expect_same(&run);                                                                             \
  }

CHECK(nothing_done) {
  EXPECT_DECLINED(keeps);
  EXPECT_DECLINED(either);
}

static void scaled(const double *x, double by, double *y) { *y = *x * by; }

CHECK(numbers_and_one_direction) {
  double x = 3, dx[2] = {1, 2}, y = 0, dy[2] = {0};
  EXPECT(__enzyme_fwdinterleaved((void *)scaled, enzyme_width, 2, enzyme_dup, &x, dx, enzyme_dup,
                                 5.0, 10.0, 20.0, enzyme_dup, &y, dy),
         1);
  EXPECT(y, 15);
  EXPECT(dy[0], 35);
  EXPECT(dy[1], 70);
  EXPECT(__enzyme_fwdinterleaved((void *)scaled, enzyme_dup, &x, dx, enzyme_const, 5.0, enzyme_dup,
                                 &y, dy),
         1);
  EXPECT(dy[0], 5);
}
