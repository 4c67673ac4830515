// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What matrix descent descends on: the squared length of a matrix times a vector. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

static double descent(int rows, int columns, const double *RESTRICT matrix,
                      const double *RESTRICT vector) {
  double *product = malloc(sizeof(double) * (size_t)rows);
  for (int i = 0; i < rows; i++) {
    product[i] = 0;
    for (int j = 0; j < columns; j++)
      product[i] += matrix[i * columns + j] * vector[j];
  }
  double length = 0;
  for (int i = 0; i < rows; i++)
    length += product[i] * product[i];
  free(product);
  return length;
}

static int vector_at(const Problem *p) { return p->sizes[0] * p->sizes[1]; }

static double primal(const Problem *p) {
  return descent(p->sizes[0], p->sizes[1], p->x, p->x + vector_at(p));
}

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)descent, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_dup, p->x, direction, enzyme_dup, p->x + vector_at(p),
                          direction + vector_at(p));
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)descent, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_dup, p->x, gradient, enzyme_dup, p->x + vector_at(p),
                    gradient + vector_at(p));
}

const Kernel VARIANT(descent) = {primal, forward, reverse};
