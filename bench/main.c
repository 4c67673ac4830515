// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * `bench [--small] [--rounds=N] [--row=TITLE] [kernel...]` prints a line for each kernel, with
 * restrict and without, or one row of a table of ratios; it fails where a derivative is wrong. In
 * each round the functions run one after another, so that what slows the machine slows them
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

enum { PRIMAL, FORWARD, REVERSE, EARLY, HAND, FUNCTIONS };

enum { LEAST_ROUNDS = 9, MOST_ROUNDS = 99 };

static const double LARGEST_ERROR = 1e-9;

typedef struct {
  Problem problem;
  const Kernel *kernel, *early; /* there may be no early one */
  Adjoint hand;                 /* there may be none */
  double *direction, *gradient, *by_hand;
  double *early_gradient;
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
  double forward, reverse, early, by_hand;
  int count, earlies, hands;
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
  else if (function == EARLY)
    work->early->reverse(&work->problem, work->early_gradient);
  else
    work->hand(&work->problem, work->by_hand);
}

static double seconds(Work *work, int function, int repetitions) {
  double start = now();
  for (int i = 0; i < repetitions; i++)
    run(work, function);
  return (now() - start) / repetitions;
}

static int has(const Work *work, int function) {
  return function == EARLY ? work->early != NULL : function == HAND ? work->hand != NULL : 1;
}

static void measure(Work *work, const Settings *settings, Result *result) {
  int repetitions[FUNCTIONS];
  for (int f = 0; f < FUNCTIONS; f++) {
    if (!has(work, f))
      continue;
    heap_start();
    run(work, f);
    result->megabytes[f] = (double)heap_peak() / 1e6;
    repetitions[f] = settings->small ? 1 : 1 + (int)(0.005 / seconds(work, f, 1));
  }
  for (int round = 0; round < settings->rounds; round++)
    for (int f = 0; f < FUNCTIONS; f++)
      if (has(work, f))
        result->seconds[f][round] = seconds(work, f, repetitions[f]);
}

static void verify(const Work *work, Result *result) {
  int inputs = work->problem.inputs;
  const double *gradient = work->hand ? work->by_hand : work->gradient;
  double along = dot_product(gradient, work->direction, inputs);
  result->error = larger(worst_error(work->gradient, gradient, inputs),
                         worst_error(&work->derivative, &along, 1));
  if (work->early)
    result->error = larger(result->error, worst_error(work->early_gradient, gradient, inputs));
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
  static const char *const titles[] = {"fwd/prim", "rev/prim", "early/rev", "hand/pr",
                                       "rev/hand", "rev MB",   "hand MB",   "error"};
  printf("%-24s %9s %9s %9s %9s", "kernel", "primal", "forward", "reverse", "hand");
  for (unsigned i = 0; i < sizeof(titles) / sizeof(*titles); i++)
    printf(" %9s", titles[i]);
  printf("\n");
}

static void print_number(int there, int digits, double number) {
  if (there)
    printf(" %9.*f", digits, number);
  else
    printf(" %9s", "-");
}

static void print_result(const char *name, const Work *work, const Result *result, int rounds) {
  static const int pairs[][2] = {
      {FORWARD, PRIMAL}, {REVERSE, PRIMAL}, {EARLY, REVERSE}, {HAND, PRIMAL}, {REVERSE, HAND}};
  printf("%-24s", name);
  for (int f = 0; f < FUNCTIONS; f++)
    if (f != EARLY)
      print_number(has(work, f), 3, 1e3 * median(result->seconds[f], rounds));
  for (unsigned i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
    print_number(has(work, pairs[i][0]) && has(work, pairs[i][1]), 2,
                 ratio(result, pairs[i][0], pairs[i][1], rounds));
  print_number(1, 2, result->megabytes[REVERSE]);
  print_number(has(work, HAND), 2, result->megabytes[HAND]);
  printf(" %9.1e\n", result->error);
  fflush(stdout);
}

static Work work_new(const Case *which, int restricted, int small) {
  Work work = {.problem = problem_new(which, small),
               .kernel = which->kernels[restricted],
               .early = which->early[restricted],
               .hand = which->hand};
  int inputs = work.problem.inputs;
  work.direction = doubles_new((long)inputs * LANES);
  work.gradient = doubles_new(inputs);
  work.by_hand = doubles_new(inputs);
  work.early_gradient = doubles_new(inputs);
  Directions set = {inputs, 0, 1};
  directions_fill(&set, 0, work.direction);
  return work;
}

static void work_free(Work *work) {
  free(work->direction);
  free(work->gradient);
  free(work->by_hand);
  free(work->early_gradient);
  problem_free(&work->problem);
}

static void add(Means *means, const Work *work, const Result *result, int rounds) {
  means->forward += log(ratio(result, FORWARD, PRIMAL, rounds));
  means->reverse += log(ratio(result, REVERSE, PRIMAL, rounds));
  means->early += has(work, EARLY) ? log(ratio(result, EARLY, REVERSE, rounds)) : 0;
  means->by_hand += has(work, HAND) ? log(ratio(result, REVERSE, HAND, rounds)) : 0;
  means->count++;
  means->earlies += has(work, EARLY);
  means->hands += has(work, HAND);
}

static void bench(const Case *which, int restricted, const Settings *settings, Means *means) {
  Result result = {0};
  Work work = work_new(which, restricted, settings->small);
  char name[48];
  snprintf(name, sizeof(name), "%s%s", which->name, restricted ? " restrict" : "");
  measure(&work, settings, &result);
  verify(&work, &result);
  if (settings->row)
    print_number(has(&work, HAND), 2, ratio(&result, REVERSE, HAND, settings->rounds));
  else
    print_result(name, &work, &result, settings->rounds);
  add(means, &work, &result, settings->rounds);
  work_free(&work);
  if (result.error <= LARGEST_ERROR)
    return;
  means->wrong++;
  fprintf(stderr, "%s: a derivative is wrong: its error is above %.0e\n", name, LARGEST_ERROR);
}

static void print_means(const char *name, const Means *means) {
  printf("%s: forward/primal %.2f, reverse/primal %.2f", name, exp(means->forward / means->count),
         exp(means->reverse / means->count));
  if (means->earlies > 0)
    printf(", early/reverse %.2f", exp(means->early / means->earlies));
  if (means->hands > 0)
    printf(", reverse/hand %.2f", exp(means->by_hand / means->hands));
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
      print_number(1, 2, exp(means[restricted].by_hand / means[restricted].hands));
    printf("\n");
  } else {
    print_means("geometric means", &means[0]);
    print_means("  with restrict", &means[1]);
  }
  return means[0].wrong + means[1].wrong > 0;
}
