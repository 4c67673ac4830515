// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Times, memory, and one line of the table. */
#ifndef EXAMPLES_REPORT_H
#define EXAMPLES_REPORT_H

typedef struct {
  const char *name;
  double objective;
  double error;              /* see worst_error() */
  double primal, derivative; /* seconds */
  double megabytes;          /* at the peak, before the reference ran */
} Report;

/* The shortest of several runs of run(context), in seconds. */
double best_seconds(void (*run)(void *context), void *context);

/* The most memory that this process has held so far. */
double peak_megabytes(void);

/* Prints the line; returns the program's exit status: 1 if the error is larger than 1e-9. */
int report_print(const Report *report);

#endif
