// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Growth and diffusion (Fisher, 1937) in a cube of n * n * n cells, whose border stays as it is:
 * explicit steps from one array to another. The result is half the squared length of the last.
 */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

static const double STEP = 0.05;

static void advance(int n, const double *RESTRICT rates, const double *RESTRICT u,
                    double *RESTRICT next) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        int at = (i * n + j) * n + k;
        double spread = u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + u[at - n * n] +
                        u[at + n * n] - 6 * u[at];
        next[at] = u[at] + STEP * (spread + rates[at] * u[at] * (1 - u[at]));
      }
}

static double stencil(int n, int steps, const double *RESTRICT rates, double *RESTRICT u) {
  int cells = n * n * n;
  double *room = malloc(sizeof(double) * (size_t)cells);
  double *now = u;
  double *next = room;
  memcpy(next, now, sizeof(double) * (size_t)cells);
  for (int t = 0; t < steps; t++) {
    advance(n, rates, now, next);
    double *swap = now;
    now = next;
    next = swap;
  }
  double length = 0;
  for (int i = 0; i < cells; i++)
    length += 0.5 * now[i] * now[i];
  free(room);
  return length;
}

static double primal(const Problem *p) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  return stencil(p->sizes[0], p->sizes[1], p->x + p->states, p->state);
}

static double forward(const Problem *p, const double *direction) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memcpy(p->tangent, direction, sizeof(double) * (size_t)p->states);
  return __enzyme_fwddiff((void *)stencil, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_dup, p->x + p->states, direction + p->states, enzyme_dup, p->state,
                          p->tangent);
}

static void reverse(const Problem *p, double *gradient) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)stencil, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_dup, p->x + p->states, gradient + p->states, enzyme_dup, p->state,
                    gradient);
}

const Kernel VARIANT(stencil) = {primal, forward, reverse};
