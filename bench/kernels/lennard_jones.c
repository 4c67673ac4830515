// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Forces between atoms by the potential of Lennard and Jones, cut off at a distance; those that are
 * near are found by cells as wide as that. The result is half the squared length of all forces.
 */
#include "../cells.h"
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  double x, y, z;
} Vector;

/* Atom i with those at first .. last - 1 of the cells' order that come before it. */
static void forces_of(int i, int first, int last, const int *RESTRICT atoms,
                      const Vector *RESTRICT at, Vector *RESTRICT force) {
  for (int k = first; k < last; k++) {
    int j = atoms[k];
    double dx = at[i].x - at[j].x;
    double dy = at[i].y - at[j].y;
    double dz = at[i].z - at[j].z;
    double squared = dx * dx + dy * dy + dz * dz;
    if (j >= i || squared >= CUTOFF * CUTOFF)
      continue;
    double inverse = 1 / squared;
    double sixth = inverse * inverse * inverse;
    double strength = 48 * sixth * (sixth - 0.5) * inverse;
    force[i].x += strength * dx;
    force[i].y += strength * dy;
    force[i].z += strength * dz;
    force[j].x -= strength * dx;
    force[j].y -= strength * dy;
    force[j].z -= strength * dz;
  }
}

static double lennard_jones(int n, int side, const Vector *RESTRICT at) {
  Cells cells = cells_new(n, side, &at->x);
  Vector *force = calloc((size_t)n, sizeof(Vector));
  for (int i = 0; i < n; i++)
    for (int near = 0; near < NEAR; near++) {
      int cell = cells_near(&cells, cells.of[i], near);
      if (cell >= 0)
        forces_of(i, cells.starts[cell], cells.starts[cell + 1], cells.atoms, at, force);
    }
  double length = 0;
  for (int i = 0; i < n; i++)
    length += 0.5 * (force[i].x * force[i].x + force[i].y * force[i].y + force[i].z * force[i].z);
  free(force);
  cells_free(&cells);
  return length;
}

static int atoms(const Problem *p) { return p->sizes[0] * p->sizes[0] * p->sizes[0]; }

static double primal(const Problem *p) {
  return lennard_jones(atoms(p), p->sizes[1], (const Vector *)p->x);
}

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)lennard_jones, enzyme_const, atoms(p), enzyme_const, p->sizes[1],
                          enzyme_dup, p->x, direction);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)lennard_jones, enzyme_const, atoms(p), enzyme_const, p->sizes[1],
                    enzyme_dup, p->x, gradient);
}

const Kernel VARIANT(lennard_jones) = {primal, forward, reverse};
