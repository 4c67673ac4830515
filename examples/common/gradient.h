// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A line of the table for a function with one result. */
#ifndef EXAMPLES_GRADIENT_H
#define EXAMPLES_GRADIENT_H

/* The functions take the `problem`. */
typedef struct {
  const void *problem;
  int size; /* of the parameters, and of the gradient */
  double (*value)(const void *problem);
  void (*gradient)(const void *problem, double *gradient);
  /* writes the LANES derivatives in the given directions, by dual numbers */
  void (*reference)(const void *problem, const double *directions, double *derivatives);
} Gradient;

/* Times the value and the gradient, checks it, and prints; returns the program's exit status. */
int gradient_report(const char *name, const Gradient *functions);

#endif
