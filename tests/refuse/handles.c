// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Objects with numbers, known to their users by integers that are their addresses. */
#include <stdint.h>
#include <stdlib.h>
extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);
#define NOINLINE __attribute__((noinline))

static NOINLINE uintptr_t made(double a) {
  double *made = malloc(sizeof *made);
  *made = a;
  return (uintptr_t)made;
}

static NOINLINE double read_marked(uintptr_t handle) { return *(double *)(handle & ~(uintptr_t)1); }

static NOINLINE void write_next(uintptr_t handle, double a) { *(double *)(handle + 8) = a; }

static double of_a_result(double *x) {
  return read_marked(made(x[0])); // error: a derivative ... [nabla: unknown-memory]
}

static double marked(double *x) {
  double a = x[0] * x[1]; // error: a derivative ... [nabla: unknown-memory]
  return read_marked((uintptr_t)&a | 1);
}

static double written(double *x) {
  double a[2] = {x[0], 0}; // error: a derivative ... [nabla: unknown-memory]
  write_next((uintptr_t)a, x[1]);
  return a[1] * a[0];
}

/* --- Addresses in a table of integers. --- */

typedef struct {
  size_t keys[4], values[4];
} Table;

static NOINLINE void put(Table *table, int i, size_t key, size_t value) {
  table->keys[i] = key;
  table->values[i] = value;
}

static NOINLINE size_t get(const Table *table, size_t key) {
  for (int i = 0; i < 4; i++)
    if (table->keys[i] == key)
      return table->values[i];
  return 0;
}

static double kept(double *x) {
  double a[2] = {x[0], x[1]}, sum = 0;
  Table table = {{0}, {0}};
  for (int i = 0; i < 2; i++)
    put(&table, i, (size_t)i * 10 + 1, (size_t)&a[i]);
  for (int i = 0; i < 2; i++)
    sum += *(double *)get(&table, (size_t)i * 10 + 1); // error: a ... [nabla: unknown-memory]
  return sum;
}

/* --- What a callback is given. --- */

typedef double (*Integrand)(double t, size_t user);

static double quadrature(Integrand f, size_t user, double a, double b, int depth) {
  double middle = (a + b) / 2;
  if (depth == 0)
    return (b - a) / 6 * (f(a, user) + 4 * f(middle, user) + f(b, user));
  return quadrature(f, user, a, middle, depth - 1) + quadrature(f, user, middle, b, depth - 1);
}

static double scaled(double t, size_t user) { return t * *(const double *)user; }

static double integral(double *x) {
  double factor = x[0]; // error: a derivative ... [nabla: unknown-memory]
  return quadrature(scaled, (size_t)&factor, 0, x[1], 3);
}

void gradients(double *x, double *dx) {
  __enzyme_fwddiff((void *)of_a_result, enzyme_dup, x, dx);
  __enzyme_autodiff((void *)marked, enzyme_dup, x, dx);
  __enzyme_autodiff((void *)written, enzyme_dup, x, dx);
  __enzyme_autodiff((void *)kept, enzyme_dup, x, dx);
  __enzyme_autodiff((void *)integral, enzyme_dup, x, dx);
}
