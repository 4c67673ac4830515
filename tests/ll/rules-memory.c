// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions read and write by rows of the user's: numbers that are written without a tangent
// have none, and numbers that are read, or are of another format, are refused where active.
// RUN: %clang -O0 -DBOXES -c %s -o %t.o
// RUN: %clang -O0 -mllvm -nabla-rules=%S/Inputs/memory.rules %s %t.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -mllvm -nabla-rules=%S/Inputs/memory.rules %s %t.o -o %t && %t | FileCheck %s
// RUN: not %clang -O0 -g1 -mllvm -nabla-rules=%S/Inputs/memory.rules -DREFUSED -c %s -o /dev/null \
// RUN:   2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not %clang -O2 -g1 -mllvm -nabla-rules=%S/Inputs/memory.rules -DREFUSED -c %s -o /dev/null \
// RUN:   2>&1 | FileCheck --check-prefix=ERROR %s
#include <stdio.h>

#ifdef BOXES
double polar(double x, double y, double *radius) { return *radius = x * y; }
double scaled(const double *p, double x) { return p[0] * x; }
void weigh(const double *p, double x, double *q) { *q = p[0] + 2 * x; }
void fresh(double *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] = i;
}
double counted(const int *p, double x) { return x + *p; }
void count(void *p, int n) { *((int *)p + 2) = n; }
void halve(double *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] /= 2;
}
int pinned = 0;
void pin(double *p) { pinned++; }
#else
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double polar(double x, double y, void *radius);
double scaled(const void *p, double x);
void weigh(const void *p, double x, double *q);
void fresh(double *p, int n);
double counted(const int *p, double x);
void mark(void *p, int n);
void count(void *p, int n);
void halve(double *p, int n);
void pin(double *p);
extern int pinned;

static const double table[] = {5};

static double reads(double x) { return scaled(table, x) + counted((const int[]){3}, x); }

static double overwrites(double x) {
  double p[3] = {x, x, x}, q[3] = {x, x, x};
  fresh(p, 2);
  fresh(q, -1);
  return p[0] + p[1] + 10 * p[2] + 100 * q[0];
}

typedef struct {
  double x;
  int n;
} Counted;

static double with_count(double x) {
  Counted c = {x, 1};
  count(&c, 3);
  return c.x * c.n;
}

static double halved(double x) {
  double p[3] = {x, 2 * x, 4 * x};
  halve(p, 2);
  return p[0] + p[1] + p[2];
}

static double with_pins(double x) {
  double p[1] = {x};
  pin(p);
  return p[0] * p[0];
}

int main(void) {
  // CHECK: 6 6
  printf("%g %g\n", __enzyme_autodiff((void *)reads, 2.0),
         __enzyme_fwddiff((void *)reads, 2.0, 1.0));
  // CHECK: 110 110
  printf("%g %g\n", __enzyme_autodiff((void *)overwrites, 2.0),
         __enzyme_fwddiff((void *)overwrites, 2.0, 1.0));
  // CHECK: 3 3
  printf("%g %g\n", __enzyme_autodiff((void *)with_count, 2.0),
         __enzyme_fwddiff((void *)with_count, 2.0, 1.0));
  // CHECK: 5.5
  printf("%g\n", __enzyme_fwddiff((void *)halved, 2.0, 1.0));
  // CHECK: 4 4 in 4
  double slope = __enzyme_autodiff((void *)with_pins, 2.0);
  double tangent = __enzyme_fwddiff((void *)with_pins, 2.0, 1.0);
  printf("%g %g in %d\n", slope, tangent, pinned);
}

#ifdef REFUSED
static double in_float(double x) {
  float radius[2] = {x, x};
  // ERROR-DAG: [[@LINE+1]]:{{.*}} writes a number of 8 bytes through its argument 3,
  return polar(x, 2, &radius[0]) + radius[0] + radius[1];
}

static double of_active(double x) {
  double p[1] = {x};
  // ERROR-DAG: [[@LINE+1]]:{{.*}}active numbers that it reads through its argument 1
  return scaled(p, 2);
}

__attribute__((noinline)) static double helper(const double *p) {
  // ERROR-DAG: [[@LINE+1]]:{{.*}}active numbers that it reads through its argument 1
  return scaled(p, 2);
}

static double of_active_in_helper(double x) {
  double p[1] = {x * x};
  return helper(p);
}

static double into_active(double x) {
  double p[1] = {x}, q[1];
  // ERROR-DAG: [[@LINE+1]]:{{.*}}active numbers that it reads through its argument 1
  weigh(p, 2, q);
  return q[0];
}

static double into_numbers(double x) {
  double p[2] = {x, x};
  // ERROR-DAG: [[@LINE+1]]:{{.*}}'mark' writes to active memory in a way that its rule does not
  mark(p, 2);
  return p[0] + p[1];
}

static double halved_in_reverse(double x) {
  double p[1] = {x};
  // ERROR-DAG: [[@LINE+1]]:{{.*}}'halve' runs on the shadows, too, by its rule, and what
  halve(p, 1);
  return p[0];
}

double refused(void) {
  return __enzyme_autodiff((void *)of_active_in_helper, 2.0) +
         __enzyme_autodiff((void *)halved_in_reverse, 2.0) +
         __enzyme_autodiff((void *)into_numbers, 2.0) +
         __enzyme_fwddiff((void *)into_numbers, 2.0, 1.0) +
         __enzyme_autodiff((void *)in_float, 2.0) + __enzyme_fwddiff((void *)in_float, 2.0, 1.0) +
         __enzyme_autodiff((void *)of_active, 2.0) + __enzyme_fwddiff((void *)of_active, 2.0, 1.0) +
         __enzyme_autodiff((void *)into_active, 2.0) +
         __enzyme_fwddiff((void *)into_active, 2.0, 1.0);
}
#endif
#endif
