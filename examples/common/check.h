// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* In which directions a derivative is compared with the reference, and how the difference counts.
 */
#ifndef EXAMPLES_CHECK_H
#define EXAMPLES_CHECK_H

#ifdef __cplusplus
extern "C" {
#endif

/* The reference moves in LANES directions at a time. */
enum { LANES = 8 };

/*
 * Directions in the space of `size` parameters: the first `coordinates` are unit vectors, the
 * others random. Few parameters: all unit vectors, which is the full derivative.
 */
typedef struct {
  int size, coordinates, count;
} Directions;

Directions directions_of(int size);

/* Writes the directions first .. first + LANES - 1, one after another; zeros beyond the last. */
void directions_fill(const Directions *set, int first, double *out);

double dot_product(const double *a, const double *b, int count);

/* The maximum over i of |a_i - b_i| / (|b_i| + 1e-3 max_j |b_j|); NaN if anything is NaN. */
double worst_error(const double *a, const double *b, int count);

/* The larger of two errors; NaN if either is. */
double larger(double a, double b);

#ifdef __cplusplus
}
#endif
#endif
