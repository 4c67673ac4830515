// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bundle adjustment: n cameras have seen m points in p observations. */
#ifndef EXAMPLES_BA_H
#define EXAMPLES_BA_H

#ifdef __cplusplus
extern "C" {
#endif

enum { CAMERA = 11, POINT = 3, FEATURE = 2, BLOCK = CAMERA + POINT + 1 };

/* The parameters stand one after another: all cameras, all points, one weight an observation. */
typedef struct {
  int n, m, p;
  int size;           /* of the parameters: columns of the Jacobian */
  int rows;           /* two residuals an observation, then one of its weight */
  double *parameters; /* size */
  double *features;   /* p * FEATURE: what was measured */
} Ba;

/* Compressed rows: row i holds values[start[i]] .. values[start[i + 1] - 1]. */
typedef struct {
  int rows;
  int *start;     /* rows + 1 */
  int *columns;   /* one a value */
  double *values; /* zeros where nothing has been computed yet */
  void *owner;    /* of the arrays; NULL: they are this struct's own */
} Sparse;

typedef struct Input Input;

/* The problem in a file, or one of the given sizes made from a fixed seed; owned by the caller. */
Ba ba_new(const Input *input);
void ba_free(Ba *ba);

/* Where in the parameters observation i finds its camera, its point and its weight. */
static inline int ba_camera(const Ba *ba, int i) { return CAMERA * (i % ba->n); }
static inline int ba_point(const Ba *ba, int i) { return CAMERA * ba->n + POINT * (i % ba->m); }
static inline int ba_weight(const Ba *ba, int i) { return CAMERA * ba->n + POINT * ba->m + i; }

/* The Jacobian's pattern as it is known beforehand, with values zero; owned by the caller. */
Sparse ba_pattern(const Ba *ba);
void sparse_free(Sparse *sparse);
void sparse_times(const Sparse *sparse, const double *vector, double *out);

/* Writes `rows` residuals. */
void ba_residuals(const Ba *ba, double *residuals);

/* The derivative, made in one of two ways: derivative.c knows the pattern, and computes blocks by
 * reverse mode and weights by forward mode; found.c lets nabla/sparse.h find the pattern. The name
 * stands behind that of the input. */
extern const char *const ba_method;
Sparse ba_jacobian_new(const Ba *ba);
void ba_jacobian(const Ba *ba, Sparse *jacobian);
void ba_jacobian_free(Sparse *jacobian);

/* Writes, for LANES directions one after another, the derivatives of all residuals. */
void ba_reference(const Ba *ba, const double *directions, double *derivatives);

#ifdef __cplusplus
}
#endif
#endif
