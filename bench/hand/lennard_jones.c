// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/lennard_jones.c by hand. The cells are kept; what each pair needs is
 * computed again from the two places, and the pairs come in the same order as on the way forth.
 */
#include "../bench.h"
#include "../cells.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  double x, y, z;
} Vector;

static Vector difference(Vector a, Vector b) { return (Vector){a.x - b.x, a.y - b.y, a.z - b.z}; }

static double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static void add(Vector *to, double factor, Vector a) {
  to->x += factor * a.x;
  to->y += factor * a.y;
  to->z += factor * a.z;
}

static void forces_of(int i, int first, int last, const int *restrict atoms,
                      const Vector *restrict at, Vector *restrict force) {
  for (int k = first; k < last; k++) {
    int j = atoms[k];
    Vector d = difference(at[i], at[j]);
    double squared = dot(d, d);
    if (j >= i || squared >= CUTOFF * CUTOFF)
      continue;
    double inverse = 1 / squared;
    double sixth = inverse * inverse * inverse;
    double strength = 48 * sixth * (sixth - 0.5) * inverse;
    add(force + i, strength, d);
    add(force + j, -strength, d);
  }
}

/* The adjoint of the forces, half of whose squares were added up, is they themselves. */
static void forces_back(int i, int first, int last, const int *restrict atoms,
                        const Vector *restrict at, const Vector *restrict force,
                        Vector *restrict d_at) {
  for (int k = first; k < last; k++) {
    int j = atoms[k];
    Vector d = difference(at[i], at[j]);
    double squared = dot(d, d);
    if (j >= i || squared >= CUTOFF * CUTOFF)
      continue;
    double inverse = 1 / squared;
    double sixth = inverse * inverse * inverse;
    double strength = 48 * sixth * (sixth - 0.5) * inverse;
    double slope = -96 * sixth * (7 * sixth - 2) * inverse * inverse;
    Vector pull = difference(force[i], force[j]);
    double along = slope * dot(pull, d);
    add(d_at + i, strength, pull);
    add(d_at + i, along, d);
    add(d_at + j, -strength, pull);
    add(d_at + j, -along, d);
  }
}

void lennard_jones_hand(const Problem *problem, double *gradient) {
  int n = problem->inputs / 3;
  const Vector *at = (const Vector *)problem->x;
  Cells cells = cells_new(n, problem->sizes[1], problem->x);
  Vector *force = calloc((size_t)n, sizeof(Vector));
  memset(gradient, 0, sizeof(double) * (size_t)problem->inputs);
  for (int back = 0; back < 2; back++)
    for (int i = 0; i < n; i++)
      for (int near = 0; near < NEAR; near++) {
        int cell = cells_near(&cells, cells.of[i], near);
        if (cell < 0)
          continue;
        int first = cells.starts[cell];
        int last = cells.starts[cell + 1];
        if (back)
          forces_back(i, first, last, cells.atoms, at, force, (Vector *)gradient);
        else
          forces_of(i, first, last, cells.atoms, at, force);
      }
  free(force);
  cells_free(&cells);
}
