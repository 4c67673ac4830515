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

/* The sums of logarithms of ratios, and their numbers, over the kernels. */
typedef struct {
  double forward, reverse, reverse_by_hand;
  int count, by_hand;
  int wrong; /* derivatives */
} Means;

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

/* There may be no adjoint by hand, which comes last. */
static int functions_of(const Work *work) { return work->hand ? FUNCTIONS : HAND; }

static void measure(Work *work, const Settings *settings, Result *result) {
  int repetitions[FUNCTIONS];
  int functions = functions_of(work);
  for (int f = 0; f < functions; f++) {
    heap_start();
    run(work, f);
    result->megabytes[f] = (double)heap_peak() / 1e6;
    repetitions[f] = settings->small ? 1 : 1 + (int)(0.005 / seconds(work, f, 1));
  }
  for (int round = 0; round < settings->rounds; round++)
    for (int f = 0; f < functions; f++)
      result->seconds[f][round] = seconds(work, f, repetitions[f]);
}

static void verify(const Work *work, Result *result) {
  int inputs = work->problem.inputs;
  const double *gradient = work->hand ? work->by_hand : work->gradient;
  double along = dot_product(gradient, work->direction, inputs);
  result->error = larger(worst_error(work->gradient, gradient, inputs),
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
  printf("%-24s %9s %9s %9s %9s %8s %8s %8s %8s %8s %8s %8s\n", "kernel", "primal", "forward",
         "reverse", "hand", "fwd/prim", "rev/prim", "hand/pr", "rev/hand", "rev MB", "hand MB",
         "error");
}

static void print_number(int there, int width, int digits, double number) {
  if (there)
    printf(" %*.*f", width, digits, number);
  else
    printf(" %*s", width, "-");
}

static void print_result(const char *name, const Result *result, int rounds, int hand) {
  printf("%-24s", name);
  for (int f = 0; f < FUNCTIONS; f++)
    print_number(f != HAND || hand, 9, 3, 1e3 * median(result->seconds[f], rounds));
  print_number(1, 8, 2, ratio(result, FORWARD, PRIMAL, rounds));
  print_number(1, 8, 2, ratio(result, REVERSE, PRIMAL, rounds));
  print_number(hand, 8, 2, ratio(result, HAND, PRIMAL, rounds));
  print_number(hand, 8, 2, ratio(result, REVERSE, HAND, rounds));
  print_number(1, 8, 2, result->megabytes[REVERSE]);
  print_number(hand, 8, 2, result->megabytes[HAND]);
  printf(" %8.1e\n", result->error);
  fflush(stdout);
}

static Work work_new(const Case *which, int restricted, int small) {
  Work work = {.problem = problem_new(which, small), .hand = which->hand};
  int inputs = work.problem.inputs;
  work.kernel = restricted ? which->restricted : which->plain;
  work.direction = doubles_new((long)inputs * LANES);
  work.gradient = doubles_new(inputs);
  work.by_hand = doubles_new(inputs);
  Directions set = {inputs, 0, 1};
  directions_fill(&set, 0, work.direction);
  return work;
}

static void work_free(Work *work) {
  free(work->direction);
  free(work->gradient);
  free(work->by_hand);
  problem_free(&work->problem);
}

static void add(Means *means, const Result *result, int rounds, int hand) {
  means->forward += log(ratio(result, FORWARD, PRIMAL, rounds));
  means->reverse += log(ratio(result, REVERSE, PRIMAL, rounds));
  means->reverse_by_hand += hand ? log(ratio(result, REVERSE, HAND, rounds)) : 0;
  means->count++;
  means->by_hand += hand;
}

static void bench(const Case *which, int restricted, const Settings *settings, Means *means) {
  Result result = {0};
  Work work = work_new(which, restricted, settings->small);
  int hand = work.hand != NULL;
  char name[48];
  snprintf(name, sizeof(name), "%s%s", which->name, restricted ? " restrict" : "");
  measure(&work, settings, &result);
  verify(&work, &result);
  if (settings->row)
    print_number(hand, 10, 2, ratio(&result, REVERSE, HAND, settings->rounds));
  else
    print_result(name, &result, settings->rounds, hand);
  add(means, &result, settings->rounds, hand);
  work_free(&work);
  if (result.error <= LARGEST_ERROR)
    return;
  means->wrong++;
  fprintf(stderr, "%s: a derivative is wrong: its error is above %.0e\n", name, LARGEST_ERROR);
}

static void print_means(const char *name, const Means *means) {
  printf("%s: forward/primal %.2f, reverse/primal %.2f", name, exp(means->forward / means->count),
         exp(means->reverse / means->count));
  if (means->by_hand > 0)
    printf(", reverse/hand %.2f", exp(means->reverse_by_hand / means->by_hand));
  printf("\n");
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
  Means means[2] = {0};
  keep_pages();
  if (settings.row)
    printf("%-24s", settings.row);
  else
    print_heading();
  for (const Case *which = cases(); which->name; which++)
    for (int restricted = 0; restricted < 2; restricted++)
      if (wanted(which->name, words))
        bench(which, restricted, &settings, &means[restricted]);
  if (settings.row) {
    for (int restricted = 0; restricted < 2; restricted++)
      printf(" %10.2f", exp(means[restricted].reverse_by_hand / means[restricted].by_hand));
    printf("\n");
  } else {
    print_means("geometric means", &means[0]);
    print_means("  with restrict", &means[1]);
  }
  return means[0].wrong + means[1].wrong > 0;
}
