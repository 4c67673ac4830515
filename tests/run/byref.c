// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arguments that the call has as pointers to their values. */
// shows: enzyme_byref
// reals: double
// differences: none
#include "cases.h"

#include <complex.h>

extern int enzyme_byref, enzyme_width, enzyme_scalar, enzyme_vector;
extern double __enzyme_autodiff_byref(void *, ...);
extern double __enzyme_fwddiff_byref(void *, ...);
extern void *__enzyme_augmentfwd_byref(void *, ...);
extern double __enzyme_reverse_byref(void *, ...);
extern double _Complex __enzyme_reverse_complex(void *, ...);
typedef struct {
  double x, y;
} Two;
extern Two __enzyme_batch_byref(void *, ...);

static double product(double x, int n, double y) { return x * x * y * n; }

CHECK(in_any_order_with_the_role) {
  double x = 3, y = 5;
  int n = 2;
  EXPECT(__enzyme_autodiff_byref((void *)product, enzyme_byref, 8, enzyme_out, &x, enzyme_byref, 4,
                                 &n, enzyme_const, enzyme_byref, 8, &y),
         60);
  EXPECT(__enzyme_fwddiff_byref((void *)product, enzyme_dup, enzyme_byref, 8, &x, 10.0, n,
                                enzyme_const, y),
         600);
}

CHECK(the_seed) {
  double x = 3, seed = 10;
  void *tape = __enzyme_augmentfwd_byref((void *)product, x, 1, enzyme_const, 1.0);
  EXPECT(__enzyme_reverse_byref((void *)product, x, 1, enzyme_const, 1.0, enzyme_byref, sizeof seed,
                                &seed, tape),
         60);
}

CHECK(in_batches) {
  double x = 3, y = 5;
  Two r = __enzyme_batch_byref((void *)product, enzyme_width, 2, enzyme_vector, enzyme_byref, 8, &x,
                               enzyme_byref, 8, &y, enzyme_scalar, 1, enzyme_scalar, 2.0);
  EXPECT(r.x, 18);
  EXPECT(r.y, 50);
}

typedef struct {
  double v[3];
} Three;
static double squares(Three s, double k) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    s.v[i] *= k * s.v[i];
    sum += s.v[i];
  }
  return sum;
}

CHECK(a_struct_in_memory) {
  Three s = {{1, 2, 3}}, ds = {{1, 0, 1}};
  EXPECT(
      __enzyme_fwddiff_byref((void *)squares, enzyme_byref, sizeof s, enzyme_const, &s, 2.0, 1.0),
      14);
  EXPECT(s.v[1], 2);
  EXPECT(__enzyme_fwddiff_byref((void *)squares, enzyme_byref, sizeof s, enzyme_dup, &s, &ds,
                                enzyme_const, 2.0),
         4 + 12);
  ds = (Three){{0, 0, 0}};
  __enzyme_autodiff_byref((void *)squares, enzyme_byref, sizeof s, enzyme_dup, &s, &ds, 2.0);
  EXPECT(ds.v[2], 12);
  EXPECT(s.v[2], 3);
}

/* The ABI passes the parts of a complex number, and of a small struct, in registers. */
typedef struct {
  double x;
  int n;
} Counted;
extern double _Complex __enzyme_autodiff_complex(void *, ...);
static double weighed(double _Complex z, Counted c, float _Complex w) {
  return creal(z * z) * c.x * c.n + (double)crealf(w);
}

CHECK(parts_in_registers) {
  double _Complex z = 2 + 3 * I, dz = 1 + 2 * I;
  float _Complex w = 1;
  Counted c = {2, 5};
  EXPECT(__enzyme_fwddiff_byref((void *)weighed, enzyme_dup, enzyme_byref, 16, &z, dz, enzyme_const,
                                enzyme_byref, sizeof c, &c, enzyme_const, enzyme_byref, 8, &w),
         10 * (4 - 12));
  EXPECT(__enzyme_fwddiff_byref((void *)weighed, enzyme_dup, enzyme_byref, 16, &z, enzyme_byref, 16,
                                &dz, enzyme_const, c, enzyme_const, w),
         10 * (4 - 12));
  double _Complex adjoint = __enzyme_autodiff_complex(
      (void *)weighed, enzyme_out, enzyme_byref, sizeof z, &z, enzyme_const, enzyme_byref, sizeof c,
      &c, enzyme_const, enzyme_byref, sizeof w, &w);
  EXPECT(creal(adjoint), 40);
  EXPECT(cimag(adjoint), -60);
}

static double _Complex squared(double _Complex z) { return z * z; }

CHECK(a_seed_in_parts) {
  double _Complex z = 2 + 3 * I, seed = 10;
  void *tape = __enzyme_augmentfwd_byref((void *)squared, z);
  double _Complex adjoint = __enzyme_reverse_complex((void *)squared, enzyme_byref, 16, &z,
                                                     enzyme_byref, sizeof seed, &seed, tape);
  EXPECT(creal(adjoint), 40);
  EXPECT(cimag(adjoint), -60);
}

static double real_part(double _Complex z, double k) { return creal(z * z) * k; }

CHECK(batches_of_parts) {
  double _Complex z = 2 + 3 * I, w = 1 + 2 * I;
  Two r = __enzyme_batch_byref((void *)real_part, enzyme_width, 2, enzyme_vector, enzyme_byref, 16,
                               &z, enzyme_byref, 16, &w, enzyme_scalar, 2.0);
  EXPECT(r.x, -10);
  EXPECT(r.y, -6);
}
