// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * `bench [--small] [--rounds=N] [--row=TITLE] [kernel...]` prints a line for each kernel, with
 * restrict and without, or one row of a table of ratios; it fails where a derivative is wrong. In
 * each round the four functions run one after another, so that what slows the machine slows them
 * all: times are medians over the rounds, and a ratio is the median of the rounds' ratios.
 */
#include "heap.h"
#include "problem.h"

#include "../examples/common/check.h"
#include "../examples/common/input.h"

#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PRIMAL, FORWARD, REVERSE, HAND, FUNCTIONS };

enum { LEAST_ROUNDS = 9, MOST_ROUNDS = 99 };

static const double LARGEST_ERROR = 1e-9;

typedef struct {
  Problem problem;
  const Kernel *kernel;
  Adjoint hand;
  double *direction, *gradient, *by_hand;
  double derivative; /* along the direction, by forward mode */
} Work;

typedef struct {
  int small, rounds;
  const char *row; /* the title of the only row that is wanted, or NULL */
} Settings;

typedef struct {
  double seconds[FUNCTIONS][MOST_ROUNDS];
  double megabytes[FUNCTIONS];
  double error;
} Result;

/* The time that this process has run, in which what else the machine does has little part. */
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void run(Work *work, int function) {
  if (function == PRIMAL)
    work->kernel->primal(&work->problem);
  else if (function == FORWARD)
    work->derivative = work->kernel->forward(&work->problem, work->direction);
  else if (function == REVERSE)
    work->kernel->reverse(&work->problem, work->gradient);
  else
    work->hand(&work->problem, work->by_hand);
}

static double seconds(Work *work, int function, int repetitions) {
  double start = now();
  for (int i = 0; i < repetitions; i++)
    run(work, function);
  return (now() - start) / repetitions;
}

static void measure(Work *work, const Settings *settings, Result *result) {
  int repetitions[FUNCTIONS];
  for (int f = 0; f < FUNCTIONS; f++) {
    heap_start();
    run(work, f);
    result->megabytes[f] = (double)heap_peak() / 1e6;
    repetitions[f] = settings->small ? 1 : 1 + (int)(0.005 / seconds(work, f, 1));
  }
  for (int round = 0; round < settings->rounds; round++)
    for (int f = 0; f < FUNCTIONS; f++)
      result->seconds[f][round] = seconds(work, f, repetitions[f]);
}

static void verify(const Work *work, Result *result) {
  int inputs = work->problem.inputs;
  double along = dot_product(work->by_hand, work->direction, inputs);
  result->error = larger(worst_error(work->gradient, work->by_hand, inputs),
                         worst_error(&work->derivative, &along, 1));
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const double *numbers, int count) {
  double sorted[MOST_ROUNDS];
  memcpy(sorted, numbers, sizeof(double) * (size_t)count);
  qsort(sorted, (size_t)count, sizeof(double), ascending);
  return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

static double ratio(const Result *result, int above, int below, int rounds) {
  double ratios[MOST_ROUNDS];
  for (int i = 0; i < rounds; i++)
    ratios[i] = result->seconds[above][i] / result->seconds[below][i];
  return median(ratios, rounds);
}

static void print_heading(void) {
  printf("%-22s %9s %9s %9s %9s %8s %8s %8s %8s %8s %8s %8s\n", "kernel", "primal", "forward",
         "reverse", "hand", "fwd/prim", "rev/prim", "hand/pr", "rev/hand", "rev MB", "hand MB",
         "error");
}

static void print_result(const char *name, const Result *result, int rounds) {
  printf("%-22s", name);
  for (int f = 0; f < FUNCTIONS; f++)
    printf(" %9.3f", 1e3 * median(result->seconds[f], rounds));
  printf(" %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %8.1e\n", ratio(result, FORWARD, PRIMAL, rounds),
         ratio(result, REVERSE, PRIMAL, rounds), ratio(result, HAND, PRIMAL, rounds),
         ratio(result, REVERSE, HAND, rounds), result->megabytes[REVERSE], result->megabytes[HAND],
         result->error);
  fflush(stdout);
}

/* Returns the ratio of reverse mode and the adjoint by hand; NaN where a derivative is wrong. */
static double bench(const Case *which, int restricted, const Settings *settings) {
  Result result;
  Work work = {.problem = problem_new(which, settings->small), .hand = which->hand};
  int inputs = work.problem.inputs;
  char name[48];
  snprintf(name, sizeof(name), "%s%s", which->name, restricted ? " restrict" : "");
  work.kernel = restricted ? which->restricted : which->plain;
  work.direction = doubles_new((long)inputs * LANES);
  work.gradient = doubles_new(inputs);
  work.by_hand = doubles_new(inputs);
  Directions set = {inputs, 0, 1};
  directions_fill(&set, 0, work.direction);
  measure(&work, settings, &result);
  verify(&work, &result);
  double reverse_by_hand = ratio(&result, REVERSE, HAND, settings->rounds);
  if (settings->row)
    printf(" %10.2f", reverse_by_hand);
  else
    print_result(name, &result, settings->rounds);
  free(work.direction);
  free(work.gradient);
  free(work.by_hand);
  problem_free(&work.problem);
  if (result.error <= LARGEST_ERROR)
    return reverse_by_hand;
  fprintf(stderr, "%s: a derivative is wrong: its error is above %.0e\n", name, LARGEST_ERROR);
  return NAN;
}

static int wanted(const char *name, char **words) {
  for (char **word = words; *word; word++)
    if (!strcmp(*word, name))
      return 1;
  return !*words;
}

/*
 * The heap keeps what is given back to it: else large blocks come as fresh pages in every call, or
 * do not, by what ran before.
 */
static void keep_pages(void) {
  mallopt(M_MMAP_THRESHOLD, INT_MAX);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

static char **read_settings(char **words, Settings *settings) {
  for (; *words && !strncmp(*words, "--", 2); words++) {
    if (!strcmp(*words, "--small"))
      settings->small = 1;
    else if (!strncmp(*words, "--row=", 6))
      settings->row = *words + 6;
    else if (sscanf(*words, "--rounds=%d", &settings->rounds) != 1)
      input_fail(*words, "is not an option; there are --small, --rounds=N and --row=TITLE");
  }
  if (settings->rounds < LEAST_ROUNDS || settings->rounds > MOST_ROUNDS)
    input_fail("--rounds", "must be between 9 and 99");
  return words;
}

int main(int argc, char **argv) {
  Settings settings = {0, 25, NULL};
  char **words = read_settings(argv + (argc > 0), &settings);
  double logarithms[2] = {0, 0};
  keep_pages();
  int count = 0;
  if (settings.row)
    printf("%-24s", settings.row);
  else
    print_heading();
  for (const Case *which = cases(); which->name; which++) {
    if (!wanted(which->name, words))
      continue;
    logarithms[0] += log(bench(which, 0, &settings));
    logarithms[1] += log(bench(which, 1, &settings));
    count++;
  }
  double plain = exp(logarithms[0] / count);
  double restricted = exp(logarithms[1] / count);
  if (settings.row)
    printf(" %10.2f %10.2f\n", plain, restricted);
  else
    printf("reverse/hand, geometric mean: %.2f, with restrict %.2f\n", plain, restricted);
  return isnan(plain) || isnan(restricted);
}
