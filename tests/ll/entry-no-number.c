// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What has a shadow, and is moved as integers without a sign of numbers, is told of at
 * the call. */
// RUN: %clang -O0 -fno-strict-aliasing -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -fno-strict-aliasing -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O1 -fno-strict-aliasing -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=PLAIN %s
// PLAIN: warning: in 'derivatives': parameter 1 of 'whole' has a shadow{{.*}} [nabla: no-number]

extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

struct word {
  long bits;
};
struct entry {
  long key;
  double value;
};

static void whole(struct word *to, const struct word *from, int n) {
  for (int i = 0; i < n; i++)
    to[i].bits = from[i].bits;
}

static void compared(struct word *to, const struct word *from, int n) {
  for (int i = 0; i < n; i++)
    if (from[i].bits != 0)
      to[i].bits = from[i].bits;
}

static void pointers(void **to, void **from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from[n - 1 - i];
}

struct view {
  double *at;
  long count;
};

static void views(struct view *to, const struct view *from) {
  to->at = from->at;
  to->count = from->count;
}

static void mixed(struct entry *to, const struct entry *from, int n) {
  for (int i = 0; i < n; i++) {
    to[i].key = from[i].key;
    to[i].value = from[i].value * from[i].value;
  }
}

static void counted(const struct word *at, const double *from, double *to) {
  to[at->bits] = from[at->bits] * from[at->bits];
}

void derivatives(void *to, void *dto, void *from, void *dfrom, int n) {
  // CHECK: :[[#@LINE+2]]:3: warning: parameter 1 of 'whole' has a shadow{{.*}} [nabla: no-number]
  // CHECK: :[[#@LINE+1]]:3: warning: parameter 2 of 'whole' has a shadow
  __enzyme_autodiff((void *)whole, enzyme_dup, to, dto, enzyme_dup, from, dfrom, n);
  // CHECK: :[[#@LINE+2]]:3: warning: parameter 1 of 'compared' has a shadow
  // CHECK: :[[#@LINE+1]]:3: warning: parameter 2 of 'compared' has a shadow
  __enzyme_autodiff((void *)compared, enzyme_dup, to, dto, enzyme_dup, from, dfrom, n);
  // CHECK-NOT: warning:
  __enzyme_autodiff((void *)pointers, enzyme_dup, to, dto, enzyme_dup, from, dfrom, n);
  __enzyme_autodiff((void *)views, enzyme_dup, to, dto, enzyme_dup, from, dfrom);
  __enzyme_autodiff((void *)whole, enzyme_const, to, enzyme_const, from, n);
  __enzyme_autodiff((void *)mixed, enzyme_dup, to, dto, enzyme_dup, from, dfrom, n);
  __enzyme_autodiff((void *)counted, enzyme_dup, to, dto, enzyme_dup, from, dfrom, enzyme_dup, to,
                    dto);
}
