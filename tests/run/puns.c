// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bytes of numbers that are copied into arrays of integers, moved there as these, and copied back,
 * as C allows: what the compiler says of integers tells nothing of them. */
#include "cases.h"

#include <stdint.h>

#ifdef __cplusplus
typedef real Bits;
#define CLEARED(b) fabs(b)
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (uint64_t)0, (uint32_t)0)) Bits;
#define CLEARED(b) ((b) & ~((Bits)1 << (8 * sizeof(Bits) - 1)))
#endif

typedef struct {
  Bits a;
} Word;

typedef struct {
  Bits keys[3];
  real scale;
} Keys;

static NOINLINE void turn(Bits *to, const Bits *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from[n - 1 - i];
}

static void square(real *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] *= y[i];
}

MAP(arrays, 3, 3, 0.5, -1.5, 2.5) {
  Bits t[3], u[3];
  memcpy(t, x, (size_t)n * sizeof *t);
  for (int i = 0; i < n; i++)
    u[i] = t[n - 1 - i];
  memcpy(y, u, (size_t)n * sizeof *u);
  square(y, n);
}

MAP(arrays_of_structs, 3, 3, 0.5, -1.5, 2.5) {
  Word t[3], u[3];
  memcpy(t, x, sizeof t);
  for (int i = 0; i < n; i++)
    u[i].a = t[n - 1 - i].a;
  memcpy(y, u, sizeof u);
  square(y, n);
}

MAP(structs_one_by_one, 3, 3, 0.5, -1.5, 2.5) {
  Word t[3], u[3];
  for (int i = 0; i < n; i++)
    memcpy(&t[i], &x[i], sizeof t[i]);
  for (int i = 0; i < n; i++)
    u[i] = t[n - 1 - i];
  memcpy(y, u, (size_t)n * sizeof *u);
  square(y, n);
}

MAP(arrays_in_structs, 3, 3, 0.5, -1.5, 2.5) {
  Keys a, b;
  memcpy(a.keys, x, sizeof a.keys);
  for (int i = 0; i < n; i++)
    b.keys[i] = a.keys[n - 1 - i];
  b.scale = x[0];
  memcpy(y, b.keys, sizeof b.keys);
  square(y, n);
  y[0] *= b.scale;
}

MAP(by_a_function, 3, 3, 0.5, -1.5, 2.5) {
  Bits t[3], u[3];
  memcpy(t, x, (size_t)n * sizeof *t);
  turn(u, t, n);
  memcpy(y, u, (size_t)n * sizeof *u);
  square(y, n);
}

MAP(without_signs, 3, 3, 0.5, -1.5, 2.5) {
  Bits t[3], u[3];
  memcpy(t, x, (size_t)n * sizeof *t);
  for (int i = 0; i < n; i++)
    u[i] = CLEARED(t[i]);
  memcpy(y, u, (size_t)n * sizeof *u);
  for (int i = 0; i < n; i++)
    y[i] *= y[i] * y[i];
}
