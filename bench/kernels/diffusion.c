// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Diffusion on a square whose conductivity c (1 + u^2) depends on what is diffused: explicit steps
 * in place. The result is half the squared distance from a target at the end.
 */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

static double flux(double conductivity, double from, double to) {
  double middle = 0.5 * (from + to);
  return conductivity * (1 + middle * middle) * (to - from);
}

static void fluxes(int n, const double *RESTRICT u, const double *RESTRICT c, double *RESTRICT east,
                   double *RESTRICT south) {
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n - 1; j++) {
      int at = i * n + j;
      east[at] = flux(c[at], u[at], u[at + 1]);
      south[at] = flux(c[at], u[at], u[at + n]);
    }
}

static void advance(int n, double step, double *RESTRICT u, const double *RESTRICT east,
                    const double *RESTRICT south) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      int at = i * n + j;
      u[at] += step * (east[at] - east[at - 1] + south[at] - south[at - n]);
    }
}

static double diffusion(int n, int steps, double step, double *RESTRICT u, const double *RESTRICT c,
                        const double *RESTRICT target) {
  double *east = malloc(sizeof(double) * (size_t)n * (size_t)n);
  double *south = malloc(sizeof(double) * (size_t)n * (size_t)n);
  for (int t = 0; t < steps; t++) {
    fluxes(n, u, c, east, south);
    advance(n, step, u, east, south);
  }
  free(east);
  free(south);
  double misfit = 0;
  for (int i = 0; i < n * n; i++)
    misfit += 0.5 * (u[i] - target[i]) * (u[i] - target[i]);
  return misfit;
}

static const double STEP = 0.05;

static double primal(const Problem *p) {
  int n = p->sizes[0];
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  return diffusion(n, p->sizes[1], STEP, p->state, p->x + n * n, p->data);
}

static double forward(const Problem *p, const double *direction) {
  int n = p->sizes[0];
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memcpy(p->tangent, direction, sizeof(double) * (size_t)p->states);
  return __enzyme_fwddiff((void *)diffusion, enzyme_const, n, enzyme_const, p->sizes[1],
                          enzyme_const, STEP, enzyme_dup, p->state, p->tangent, enzyme_dup,
                          p->x + n * n, direction + n * n, enzyme_const, p->data);
}

static void reverse(const Problem *p, double *gradient) {
  int n = p->sizes[0];
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)diffusion, enzyme_const, n, enzyme_const, p->sizes[1], enzyme_const,
                    STEP, enzyme_dup, p->state, gradient, enzyme_dup, p->x + n * n,
                    gradient + n * n, enzyme_const, p->data);
}

const Kernel VARIANT(diffusion) = {primal, forward, reverse};
