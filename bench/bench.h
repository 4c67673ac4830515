// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Kernels and their derivatives. A kernel is a function with one result, made from numbers of
 * which `inputs` are differentiated; each is there with restrict and without.
 */
#ifndef BENCH_H
#define BENCH_H

enum { SIZES = 3 };

typedef struct {
  int sizes[SIZES];
  int inputs, states;
  double *x;       /* inputs */
  double *data;    /* numbers without a derivative */
  int *labels;     /* classes, each below the second size */
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

extern const Kernel diffusion_restrict, diffusion_plain;
extern const Kernel logistic_restrict, logistic_plain;
extern const Kernel nbody_restrict, nbody_plain;
extern const Kernel recurrence_restrict, recurrence_plain;
extern const Kernel gmm_restrict, gmm_plain;

void diffusion_hand(const Problem *problem, double *gradient);
void logistic_hand(const Problem *problem, double *gradient);
void nbody_hand(const Problem *problem, double *gradient);
void recurrence_hand(const Problem *problem, double *gradient);
void gmm_hand(const Problem *problem, double *gradient);

#endif
