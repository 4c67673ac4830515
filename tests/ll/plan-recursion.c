// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a recursive function reads, and neither it nor its caller changes, is read again. Where it
 * keeps nothing but the tapes of its own calls, it has none. */
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void kept(const double *restrict w, double *restrict z, int n) {
  if (n == 0)
    return;
  kept(w, z, n - 1);
  z[0] *= w[0];
  kept(w + 1, z + 1, n - 1);
}
// CHECK-LABEL: plan @kept
// CHECK-NOT:     store double
// CHECK-LABEL: plan @halves
// CHECK-NOT:     {{^}}  store
// CHECK-LABEL: plan @changed
// CHECK:         store double

static void halves(const double *restrict w, double *restrict z, int n) {
  if (n <= 1)
    return;
  halves(w, z, n / 2);
  halves(w, z + n / 2, n / 2);
  for (int i = 0; i < n / 2; i++)
    z[i] += w[i] * z[i + n / 2];
}

static void changed(double *restrict w, double *restrict z, int n) {
  if (n == 0)
    return;
  changed(w, z, n - 1);
  z[0] *= w[0];
  w[0] = z[1];
  changed(w + 1, z + 1, n - 1);
}

void use(double *w, double *z, double *dz, int n) {
  __enzyme_autodiff((void *)kept, enzyme_const, w, enzyme_dup, z, dz, enzyme_const, n);
  __enzyme_autodiff((void *)halves, enzyme_const, w, enzyme_dup, z, dz, enzyme_const, n);
  __enzyme_autodiff((void *)changed, enzyme_const, w, enzyme_dup, z, dz, enzyme_const, n);
}
