// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Kernels and their derivatives. A kernel is a function with one result, made from numbers of
 * which `inputs` are differentiated; each is there with restrict and without.
 */
#ifndef BENCH_H
#define BENCH_H

enum { SIZES = 4 };

typedef struct {
  int sizes[SIZES];
  int inputs, states;
  int numbers, integers;
  double *x;       /* inputs */
  double *data;    /* numbers: without a derivative */
  int *labels;     /* integers: classes, each below the second size */
  double *state;   /* states: room for what the kernel overwrites; it begins as inputs do */
  double *tangent; /* states: the same for its tangents */
} Problem;

typedef struct {
  double (*primal)(const Problem *problem);
  /* Returns the derivative in a direction in the space of the inputs. */
  double (*forward)(const Problem *problem, const double *direction);
  /* Writes the gradient. */
  void (*reverse)(const Problem *problem, double *gradient);
} Kernel;

typedef void (*Adjoint)(const Problem *problem, double *gradient);

#define ALONE(name, sizes, small, low, high, fill)                                                 \
  extern const Kernel name##_restrict, name##_plain;
#define KERNEL(name, sizes, small, low, high, fill)                                                \
  extern const Kernel name##_restrict, name##_plain;                                               \
  void name##_hand(const Problem *problem, double *gradient);
#include "kernels.def"

#endif
