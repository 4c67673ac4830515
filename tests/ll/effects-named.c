// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is written to a variable of the file by its name, whose address nobody takes, is not what a
 * pointer leads to, also behind calls; if anybody takes it, it may be. */
// RUN: %clang -O1 -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O0 -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_const;
#define CALLED static __attribute__((noinline))

static long count;
static double history[64], shared[64];
double *place(void) { return shared + 3; }
long counted(void) { return count; }

CALLED double cubes(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[i];
  return s;
}
CALLED void note(double v) {
  count++;
  history[count & 63] = v;
}
CALLED void share(double v) { shared[3] = v; }

// CHECK:     plan @{{.*}}cubes
// CHECK-NOT:   store double
// CHECK:     plan @{{.*}}stays
double stays(const double *x, int n) {
  double s = cubes(x, n);
  note(1);
  history[2] = s;
  return s + history[5];
}

// CHECK:     plan @{{.*}}cubes
// CHECK:       store double
// CHECK:     plan @{{.*}}taken
double taken(const double *x, int n) {
  double s = cubes(x, n);
  share(1);
  return s + history[5];
}

void gradients(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)stays, x, dx, enzyme_const, n);
  __enzyme_autodiff((void *)taken, x, dx, enzyme_const, n);
}
