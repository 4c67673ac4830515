// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* -Rpass=nabla: what is kept, of which bytes, why, and what could be written instead; each thing at
 * its line, at all levels. */
// RUN: %clang -O2 -g -Rpass=nabla -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O0 -g -Rpass=nabla -c %s -o %t.o 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_number(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
extern int enzyme_const, enzyme_dup;
double measure(void);

static void weigh(int n, double *state, const double *weights) {
  for (int i = 0; i < n; i++)
    state[i] = state[i] * weights[i];
}
// CHECK-DAG: [[@LINE-2]]:16: {{.*}} arguments overlap, {{.*}} 8 bytes {{.*}} in line [[@LINE-3]]
// CHECK-DAG: [[@LINE-3]]:16: {{.*}} apart, {{.*}} by the store in line [[@LINE-3]] {{.*}}; a result
// CHECK-DAG: [[@LINE-4]]:27: {{.*}} arguments overlap, {{.*}} 8 bytes {{.*}} declare them restrict

static double power(double x) {
  double y = x;
  for (int i = 0; i < 1000; i++)
    y = y * y + x;
  return y;
}
// CHECK-DAG: [[@LINE-3]]:{{.*}} 8 {{.*}} (8000 bytes in all): each {{.*}}; a checkpointed loop

static double turn(double x, int n) {
  for (int i = 0; i < n; i++) {
    if (x > 1)
      x = x * measure();
    else
      x = x + 2;
  }
  return x;
}
// CHECK-DAG: [[@LINE-7]]:{{.*}}: a bit is kept {{.*}} line [[@LINE-8]]{{.*}} from the one before
// CHECK-DAG: [[@LINE-7]]:{{.*}}: 8 bytes {{.*}} have effects, {{.*}}; a row in a file

__attribute__((noinline)) static double squares(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}
static double called(double *x, int n) {
  double s = squares(x, n);
  for (int i = 0; i < n; i++)
    x[i] = s;
  return s;
}
// CHECK-DAG: [[@LINE-9]]:{{.*}}: 8 bytes {{.*}}; callers that write to other memory
// CHECK-DAG: [[@LINE-6]]:{{.*}}: 16 bytes, the tape of the call of squares, {{.*}}; inlined, the

static double local(const double *x, int n) {
  double w[64];
  for (int i = 0; i < 64; i++)
    w[i] = x[i * n] * x[i];
  double s = 0;
  for (int i = 0; i < 64; i++)
    s += w[i % n] * w[i];
  return s;
}
// CHECK-DAG: 512 bytes, a local array, {{.*}} reads what lies in it; nothing that you could
// CHECK-DAG: 512 bytes, a local array, are kept for the reverse sweep: the adjoints of an array

static double until(double x) {
  while (x < 100)
    x = x * x + 0.1;
  return x;
}
// CHECK-DAG: [[@LINE-3]]:{{.*}}: 8 bytes {{.*}} how often the loop ran, {{.*}}; a loop up to

static double both(const double *x) { return x[0] * x[0]; }
// CHECK-DAG: [[@LINE-1]]:{{.*}}: 8 bytes {{.*}} enzyme_not_overwritten says that

double gradients(int n, double *s, double *ds, double *w, double *dw) {
  __enzyme_autodiff((void *)weigh, enzyme_const, n, s, ds, w, dw);
  __enzyme_autodiff((void *)called, s, ds, enzyme_const, n);
  __enzyme_autodiff((void *)local, s, ds, enzyme_const, n);
  void *tape = __enzyme_augmentfwd((void *)both, s, ds);
  __enzyme_reverse((void *)both, s, ds, 1.0, tape);
  double sum = __enzyme_autodiff_number((void *)power, 1.5);
  sum += __enzyme_autodiff_number((void *)until, 1.5);
  return sum + __enzyme_autodiff_number((void *)turn, 1.5, enzyme_const, n);
}
