// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is stored with a derivative to memory that is declared constant, and is loaded again, is
 * said once, with both lines; nothing else is. */
// RUN: %clang -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -c %s -w -o /dev/null 2>&1 | count 0

#include <string.h>

extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);
extern double __enzyme_ignore_derivatives(double);
extern int enzyme_dup, enzyme_const;

typedef struct {
  int n;
  double scale, count, *scratch;
} Settings;

static double through_an_array(const double *x, double *w, int n) {
  for (int i = 0; i < n; i++)
    // CHECK: :[[#@LINE+2]]:10: warning: a number with a derivative is stored here to memory that is
    // CHECK-SAME: declared constant, and loaded again in line [[#@LINE+4]]:{{.*}} [nabla: lost]
    w[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++)
    s += w[i];
  return s;
}

static double through_settings(const double *x, Settings *settings) {
  for (int i = 0; i < settings->n; i++)
    // CHECK: :[[#@LINE+1]]:{{.*}}loaded again in line [[#@LINE+4]]:{{.*}} [nabla: lost]
    settings->scratch[i] = x[i] * settings->scale;
  double s = 0;
  for (int i = 0; i < settings->n; i++)
    s += settings->scratch[i] * settings->scratch[i];
  return s;
}

static double through_a_copy(const double *x, double *w, int n) {
  double s = 0;
  // CHECK: :[[#@LINE+1]]:{{.*}}loaded again in line [[#@LINE+3]]:{{.*}} [nabla: lost]
  memcpy(w, x, n * sizeof *x);
  for (int i = 0; i < n; i++)
    s += w[i] * w[i];
  return s;
}

// CHECK-NOT: warning:
static double never_loaded(const double *x, double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += w[i] = x[i] * x[i];
  return s;
}

static double loaded_before(const double *x, double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += w[i] * x[i];
  for (int i = 0; i < n; i++)
    w[i] = s * x[i];
  return s;
}

static double loaded_elsewhere(const double *x, Settings *settings) {
  double s = 0;
  for (int i = 0; i < settings->n; i++) {
    settings->count = x[i];
    s += x[i] * settings->scale;
  }
  return s;
}

static double stored_constants(const double *x, double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    w[i] = i;
  for (int i = 0; i < n; i++)
    s += w[i] * x[i];
  return s;
}

static double compared(const double *x, double *w, int n) {
  int count = 0;
  for (int i = 0; i < n; i++)
    w[i] = x[i];
  for (int i = 0; i < n; i++)
    count += w[i] > 0;
  return count * x[0];
}

static double meant(const double *x, double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    w[i] = __enzyme_ignore_derivatives(x[i]);
  for (int i = 0; i < n; i++)
    s += w[i] * x[i];
  return s;
}

void derivatives(double *x, double *dx, double *w, Settings *settings, int n) {
  __enzyme_autodiff((void *)through_an_array, x, dx, enzyme_const, w, n);
  __enzyme_fwddiff((void *)through_an_array, x, dx, enzyme_const, w, n);
  __enzyme_autodiff((void *)through_settings, x, dx, enzyme_const, settings);
  __enzyme_autodiff((void *)through_a_copy, x, dx, enzyme_const, w, n);
  __enzyme_autodiff((void *)never_loaded, x, dx, enzyme_const, w, n);
  __enzyme_autodiff((void *)loaded_before, x, dx, enzyme_const, w, n);
  __enzyme_autodiff((void *)loaded_elsewhere, x, dx, enzyme_const, settings);
  __enzyme_autodiff((void *)stored_constants, x, dx, enzyme_const, w, n);
  __enzyme_autodiff((void *)compared, x, dx, enzyme_const, w, n);
  __enzyme_autodiff((void *)meant, x, dx, enzyme_const, w, n);
}
