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

/* Those ending in _early are differentiated before they are optimised; a program may lack them. */
#define ALONE(name, sizes, small, low, high, fill)                                                 \
  extern const Kernel name##_restrict, name##_plain;                                               \
  extern const Kernel name##_restrict_early __attribute__((weak));                                 \
  extern const Kernel name##_plain_early __attribute__((weak));
#define KERNEL(name, sizes, small, low, high, fill)                                                \
  ALONE(name, sizes, small, low, high, fill)                                                       \
  void name##_hand(const Problem *problem, double *gradient);
#include "kernels.def"

#endif
