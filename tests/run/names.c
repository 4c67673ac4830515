// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lmvec
// reals: double
/* Functions of the program under names that nabla knows, and functions of libraries under names
 * that follow a pattern. The reference has loops in the place of vectors. */
#include "cases.h"

static NOINLINE real erfcx(real a) { return a * a * sin(a); }
NOINLINE real rootn(real a, int k) { return a * k; }

SCALAR1(name_of_ones_own, 0.5, 1.5) { return erfcx(x) * x; }
SCALAR1(exported_name_of_ones_own, 0.5) { return rootn(x, 3) * rootn(x * x, 5); }

#ifdef __cplusplus
static void sines(const real *x, real *to) {
  for (int i = 0; i < 4; i++)
    to[i] = sin(x[i]);
}
static void powers(const real *x, const real *y, real *to) {
  for (int i = 0; i < 4; i++)
    to[i] = pow(x[i], y[i]);
}
#else
typedef double Two __attribute__((vector_size(16)));
Two _ZGVbN2v_sin(Two);
Two _ZGVbN2vv_pow(Two, Two);

static void sines(const real *x, real *to) {
  for (int i = 0; i < 4; i += 2) {
    Two y = _ZGVbN2v_sin((Two){x[i], x[i + 1]});
    to[i] = y[0];
    to[i + 1] = y[1];
  }
}
static void powers(const real *x, const real *y, real *to) {
  for (int i = 0; i < 4; i += 2) {
    Two z = _ZGVbN2vv_pow((Two){x[i], x[i + 1]}, (Two){y[i], y[i + 1]});
    to[i] = z[0];
    to[i + 1] = z[1];
  }
}
#endif

MAP(vector_library, 4, 4, 0.25, 0.5, 1.0, 1.5) {
  real s[4], t[4];
  sines(x, s);
  for (int i = 0; i < 4; i++)
    t[i] = s[i] * x[n - 1 - i];
  powers(s, t, y);
}
