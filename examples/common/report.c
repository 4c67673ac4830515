// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static const double LARGEST_ERROR = 1e-9;
static const double SECONDS_PER_TIMING = 0.1;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double best_seconds(void (*run)(void *context), void *context) {
  double best = HUGE_VAL;
  double begin = now();
  for (int runs = 0; runs < 5 || now() - begin < SECONDS_PER_TIMING; runs++) {
    double start = now();
    run(context);
    best = fmin(best, now() - start);
  }
  return best;
}

double peak_megabytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024;
}

int report_print(const Report *report) {
  printf("%-28s %18.10e %10.1e %11.3f %14.3f %6.2f %8.1f\n", report->name, report->objective,
         report->error, 1e3 * report->primal, 1e3 * report->derivative,
         report->derivative / report->primal, report->megabytes);
  fflush(stdout);
  if (report->error <= LARGEST_ERROR)
    return 0;
  fprintf(stderr, "%s: the derivative is wrong: its error is above %.0e\n", report->name,
          LARGEST_ERROR);
  return 1;
}
