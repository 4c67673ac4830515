/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sparse Jacobians and Hessians, in compressed rows (docs/sparse.md).
 *
 *   static void residual(const double *x, double *y, void *data);
 *   NABLA_SPARSE_JACOBIAN(residual_jacobian, residual)
 *
 *   NablaSparse *jacobian = nabla_sparse_new(&residual_jacobian, rows, columns, x, data);
 *   nabla_sparse_fill(jacobian, x, NULL, data);
 *
 * nabla_sparse_new runs the function at x with a set of inputs in place of each tangent, so that
 * the pattern has every entry that x's path through the function allows, also those that happen to
 * be zero there. Columns that share no row get one colour, and nabla_sparse_fill computes all
 * columns of a colour in one direction of forward mode.
 *
 * On another path, where a branch or a choice of min or max is taken otherwise, an entry may be
 * missing: nabla_sparse_extend finds what a point adds. What nabla_sparse_fill gives is right at
 * the points that were added, and at those that take a path of one of them.
 *
 * All memory is the matrix's own. Functions that can fail set errno: ENOMEM, EOVERFLOW where an int
 * cannot count the entries, EDOM where the function takes different paths at the same point. */
#ifndef NABLA_SPARSE_H
#define NABLA_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "nabla/markers.h"

/* Directions of forward mode that run at once. Defined before the header is included, or so. */
#ifndef NABLA_SPARSE_WIDTH
#define NABLA_SPARSE_WIDTH 8
#endif

/* The most places of a function that read x, of which directions are made (docs/sparse.md). */
#ifndef NABLA_SPARSE_SITES
#define NABLA_SPARSE_SITES 16
#endif

/* What is made of a function by the macros below. `y` is zero when they are called. */
typedef struct NablaSparseFunction {
  /* y = f(x); the bits of my[i] are the union of those of mx[j], for all x[j] that y[i] is computed
   * from (__enzyme_sparsity). */
  void (*masks)(const double *x, const double *mx, double *y, double *my, void *data);
  /* y = f(x) and `width` tangents; their arrays lie x_bytes and y_bytes apart. */
  void (*tangents)(const double *x, const double *dx, size_t x_bytes, double *y, double *dy,
                   size_t y_bytes, void *data);
  int width;
  bool symmetric; /* the derivative, which is that of a gradient */
  /* The same as `tangents`, but the `width` tangents of each number lie side by side
   * (__enzyme_fwdinterleaved). `*done` is 0 where that cannot be had, and then nothing is done. May
   * be NULL. */
  void (*interleaved)(const double *x, const double *dx, double *y, double *dy, void *data,
                      int *done);
  /* y = f(x), and its partial derivatives by what some of its loads of x give, where there are as
   * many directions as `*done` says, or 0, as above: that of y[i] in direction k goes to
   * value[place[i * *done + k]] (__enzyme_fwdsites). The same of masks, which lie side by side
   * in `site_width` directions (__enzyme_sparsitysites). 0, and NULL: there are none. */
  void (*sites)(const double *x, double *value, double *y, const int *place, void *data, int *done);
  void (*site_masks)(const double *x, const double *mx, double *y, double *my, void *data,
                     int *done);
  int site_width;
} NablaSparseFunction;

/* A matrix: row i has the entries start[i] to start[i + 1] - 1, in ascending order of columns. */
typedef struct NablaSparse {
  int rows, columns;
  int *start;    /* rows + 1 */
  int *column;   /* of each entry */
  double *value; /* of each entry; zero until they are computed */
  int colours;   /* directions that computing them takes */
  struct NablaSparsePlan *plan;
} NablaSparse;

/* The matrix of the function's derivative, rows by columns, with the pattern at x; NULL: errno. */
static inline NablaSparse *nabla_sparse_new(const NablaSparseFunction *function, int rows,
                                            int columns, const double *x, void *data);
/* Adds to the pattern what the function's path at x needs, and returns how many entries that is: 0
 * where the pattern was right for x. Where it is more, all values are zero again. -1: errno, and
 * the matrix is as it was. */
static inline int nabla_sparse_extend(NablaSparse *matrix, const double *x, void *data);
/* Computes all values at x. `y` receives f(x), or the gradient; NULL: it is not wanted. */
static inline void nabla_sparse_fill(NablaSparse *matrix, const double *x, double *y, void *data);
static inline void nabla_sparse_free(NablaSparse *matrix);

/* `name` is the NablaSparseFunction of `void f(const double *x, double *y, void *data)`, which
 * writes y without reading it before. */
#define NABLA_SPARSE_JACOBIAN(name, f)                                                             \
  NABLA_SPARSE_PARTS(name, f)                                                                      \
  __attribute__((unused)) static const NablaSparseFunction name = {                                \
      name##_masks,       name##_tangents, NABLA_SPARSE_WIDTH, false,                              \
      name##_interleaved, name##_sites,    name##_site_masks,  NABLA_SPARSE_SITES};

/* The same of the gradient of `double f(const double *x, void *data)`. */
#define NABLA_SPARSE_HESSIAN(name, f)                                                              \
  static void name##_gradient(const double *x, double *y, void *data) {                            \
    __enzyme_autodiff_sparse((void *)(f), enzyme_dup, x, y, enzyme_const, data);                   \
  }                                                                                                \
  NABLA_SPARSE_PARTS(name, name##_gradient)                                                        \
  __attribute__((unused)) static const NablaSparseFunction name = {                                \
      name##_masks,       name##_tangents, NABLA_SPARSE_WIDTH, true,                               \
      name##_interleaved, name##_sites,    name##_site_masks,  NABLA_SPARSE_SITES};

#define NABLA_SPARSE_PARTS(name, f)                                                                \
  static void name##_masks(const double *x, const double *mx, double *y, double *my, void *data) { \
    __enzyme_sparsity_sparse((void *)(f), enzyme_dup, x, mx, enzyme_dup, y, my, enzyme_const,      \
                             data);                                                                \
  }                                                                                                \
  static void name##_tangents(const double *x, const double *dx, size_t x_bytes, double *y,        \
                              double *dy, size_t y_bytes, void *data) {                            \
    __enzyme_fwddiff_sparse((void *)(f), enzyme_width, NABLA_SPARSE_WIDTH, enzyme_dupv, x_bytes,   \
                            x, dx, enzyme_dupv, y_bytes, y, dy, enzyme_const, data);               \
  }                                                                                                \
  static void name##_interleaved(const double *x, const double *dx, double *y, double *dy,         \
                                 void *data, int *done) {                                          \
    *done =                                                                                        \
        __enzyme_fwdinterleaved_sparse((void *)(f), enzyme_width, NABLA_SPARSE_WIDTH, enzyme_dup,  \
                                       x, dx, enzyme_dup, y, dy, enzyme_const, data);              \
  }                                                                                                \
  static void name##_sites(const double *x, double *value, double *y, const int *place,            \
                           void *data, int *done) {                                                \
    *done = __enzyme_fwdsites_sparse((void *)(f), enzyme_width, NABLA_SPARSE_SITES, enzyme_dupv,   \
                                     0, x, value, enzyme_dup, y, place, enzyme_const, data);       \
  }                                                                                                \
  static void name##_site_masks(const double *x, const double *mx, double *y, double *my,          \
                                void *data, int *done) {                                           \
    *done =                                                                                        \
        __enzyme_sparsitysites_sparse((void *)(f), enzyme_width, NABLA_SPARSE_SITES, enzyme_dupv,  \
                                      0, x, mx, enzyme_dup, y, my, enzyme_const, data);            \
  }

#ifdef __cplusplus
extern "C" {
#endif
void __enzyme_sparsity_sparse(void *, ...);
void __enzyme_fwddiff_sparse(void *, ...);
int __enzyme_fwdinterleaved_sparse(void *, ...);
int __enzyme_fwdsites_sparse(void *, ...);
int __enzyme_sparsitysites_sparse(void *, ...);
void __enzyme_autodiff_sparse(void *, ...);
#ifdef __cplusplus
}
#endif

#include "nabla/sparse/matrix.h"

#endif
