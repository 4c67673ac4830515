// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A library of bitcode. */
#ifndef EXAMPLES_MAG_H
#define EXAMPLES_MAG_H

/* The length of a vector of n numbers. */
double mag(const double *in, int n);

/* Scales a vector to length one. */
void norm(double *restrict out, const double *restrict in, int n);

#endif
