// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The random programs, each made a function of its inputs that is differentiated twice: forward
 * mode of reverse mode, compared with divided differences of the gradient, which are not compared
 * where they depend on the step (a kink is near). In the place of tests/run/cases.h, with a main
 * program of its own; each case runs in a process of its own, and is reported as check.c does. */
#ifndef NB_FUZZ_TWICE_H
#define NB_FUZZ_TWICE_H

#include "formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

enum { MOST_INPUTS = 16, MOST_CASES = 64, STEPS = 3, MOST_SECONDS = 10 };

extern void __enzyme_autodiff_case(void *, ...);
extern void __enzyme_fwddiff_case(void *, ...);
int enzyme_dup;

typedef struct {
  const char *name;
  int inputs, numbers;
  const double *samples; /* the points, one after the other */
  void (*gradient)(real *x, real *g);
  void (*directed)(real *x, real *v, real *g, real *h);
} Case;

static const Case *cases[MOST_CASES];
static int case_count;

/* The slope of the gradient along v, by differences over `step`. */
static void slope_at(const Case *c, const double *x, const double *v, double step, double *slope) {
  real above[MOST_INPUTS], below[MOST_INPUTS];
  real up[MOST_INPUTS] = {0}, down[MOST_INPUTS] = {0};
  for (int i = 0; i < c->inputs; i++) {
    above[i] = (real)(x[i] + step * v[i]);
    below[i] = (real)(x[i] - step * v[i]);
  }
  c->gradient(above, up);
  c->gradient(below, down);
  for (int i = 0; i < c->inputs; i++)
    slope[i] = (up[i] - down[i]) / (2 * step);
}

/* How many coordinates of the product were compared; -1 where one of them is wrong, of which the
 * report tells. */
static int compare(const Case *c, const double *x) {
  static const double steps[STEPS] = {1e-5, 1e-6, 3e-6};
  double v[MOST_INPUTS], slopes[STEPS][MOST_INPUTS];
  real at[MOST_INPUTS], along[MOST_INPUTS], g[MOST_INPUTS] = {0}, h[MOST_INPUTS] = {0};
  int compared = 0;
  for (int i = 0; i < c->inputs; i++) {
    v[i] = cos(1.3 * i + 0.4);
    at[i] = (real)x[i];
    along[i] = (real)v[i];
  }
  c->directed(at, along, g, h);
  for (int k = 0; k < STEPS; k++)
    slope_at(c, x, v, steps[k], slopes[k]);
  for (int i = 0; i < c->inputs; i++) {
    double last = slopes[STEPS - 1][i], scale = 1 + fabs(last);
    int smooth = fabs(slopes[0][i] - last) < 1e-4 * scale;
    smooth = smooth && fabs(slopes[1][i] - last) < 1e-4 * scale;
    if (!smooth)
      continue;
    compared++;
    if (!(fabs(h[i] - last) < 1e-3 * scale)) {
      fprintf(stderr, "\n@fail %s: product[%d]: %.17g, expected %.17g\n", c->name, i, (double)h[i],
              last);
      return -1;
    }
  }
  return compared;
}

static void run_case(const Case *c) {
  int compared = 0;
  for (int k = 0; k + c->inputs <= c->numbers; k += c->inputs) {
    int more = compare(c, c->samples + k);
    if (more < 0)
      return;
    compared += more;
  }
  if (compared)
    fprintf(stderr, "\n@ok %s\n", c->name);
  else
    fprintf(stderr, "\n@fail %s: the reference is not smooth\n", c->name);
}

static void run_apart(const Case *c) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    struct rlimit limit = {MOST_SECONDS, MOST_SECONDS};
    setrlimit(RLIMIT_CPU, &limit);
    run_case(c);
    _exit(0);
  }
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    fprintf(stderr, "\n@fail %s: signal %d\n", c->name, WTERMSIG(status));
  else if (WEXITSTATUS(status))
    fprintf(stderr, "\n@fail %s: exit status %d\n", c->name, WEXITSTATUS(status));
}

/* The arguments are those of check.c: what it is to do, how exactly, whether ties are kinks; then
 * the names of cases, of which none means all. */
int main(int count, char **arguments) {
  enum { NAMES = 4 };
  for (int i = 0; i < case_count; i++) {
    int wanted = count <= NAMES;
    for (int k = NAMES; k < count; k++)
      wanted |= strcmp(arguments[k], cases[i]->name) == 0;
    if (wanted)
      run_apart(cases[i]);
  }
  return 0;
}

#define NB_TWICE(id, size, ...)                                                                    \
  static void id##_gradient(real *x, real *g) {                                                    \
    real sum = 0, seed = 1;                                                                        \
    __enzyme_autodiff_case((void *)id##_whole, enzyme_dup, x, g, enzyme_dup, &sum, &seed);         \
  }                                                                                                \
  static void id##_directed(real *x, real *v, real *g, real *h) {                                  \
    __enzyme_fwddiff_case((void *)id##_gradient, enzyme_dup, x, v, enzyme_dup, g, h);              \
  }                                                                                                \
  static const double id##_samples[] = {__VA_ARGS__};                                              \
  static const Case id##_case = {                                                                  \
      .name = #id,                                                                                 \
      .inputs = size,                                                                              \
      .numbers = sizeof id##_samples / sizeof id##_samples[0],                                     \
      .samples = id##_samples,                                                                     \
      .gradient = id##_gradient,                                                                   \
      .directed = id##_directed,                                                                   \
  };                                                                                               \
  __attribute__((constructor)) static void id##_enter(void) { cases[case_count++] = &id##_case; }

/* The inputs may be written to, and count in the end. */
static void copy_inputs(int count, real *to, const real *from) {
  for (int i = 0; i < count; i++)
    to[i] = from[i];
}

static real weighed(int count, const real *values, real first, real step) {
  real sum = 0;
  for (int i = 0; i < count; i++)
    sum += (first + step * i) * values[i];
  return sum;
}

#define MAP(name, size, results, ...)                                                              \
  static void name(int n, real *x, real *y);                                                       \
  static void name##_whole(real *x, real *sum) {                                                   \
    real inputs[size], outputs[results] = {0};                                                     \
    copy_inputs(size, inputs, x);                                                                  \
    name(size, inputs, outputs);                                                                   \
    *sum = weighed(results, outputs, 1, 0.3) + weighed(size, inputs, 0.7, -0.2);                   \
  }                                                                                                \
  NB_TWICE(name, size, __VA_ARGS__)                                                                \
  static void name(int n, real *x, real *y)

#define SUM(name, size, ...)                                                                       \
  static real name(int n, real *x);                                                                \
  static void name##_whole(real *x, real *sum) {                                                   \
    real inputs[size];                                                                             \
    copy_inputs(size, inputs, x);                                                                  \
    *sum = name(size, inputs);                                                                     \
    *sum += weighed(size, inputs, 0.7, -0.2);                                                      \
  }                                                                                                \
  NB_TWICE(name, size, __VA_ARGS__)                                                                \
  static real name(int n, real *x)

#define TWIN(name, size, ...)                                                                      \
  static real name(int n, const real *x, const real *y);                                           \
  static void name##_whole(real *x, real *sum) { *sum = name(size, x, x); }                        \
  NB_TWICE(name, size, __VA_ARGS__)                                                                \
  static real name(int n, const real *x, const real *y)

#define OMIT_MAP(name, ...) __attribute__((unused)) static void name(int n, real *x, real *y)
#define OMIT_SUM(name, ...) __attribute__((unused)) static real name(int n, real *x)
#define OMIT_TWIN(name, ...)                                                                       \
  __attribute__((unused)) static real name(int n, const real *x, const real *y)

#endif
