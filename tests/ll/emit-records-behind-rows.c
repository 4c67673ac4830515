// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The caller's records are moved and never read. That an index might lead from the rows before them
 * to where they are does not make them pointers. */
// RUN: %clang -w -O1 -mllvm -nabla-print=emit -c %s -o /dev/null 2>&1 | FileCheck %s
typedef struct {
  long key;
  double value;
} Record;
typedef struct {
  double *rows[4];
  Record records[6];
  int k;
} Given;
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

static double f(Given *g) {
  char *base = (char *)g->records;
  for (unsigned long i = 3 * sizeof(Record); i-- > 0;)
    base[sizeof(Record) + i] = base[i];
  return g->rows[g->k & 1][1];
}

void gradient(Given *g, Given *shadow) { __enzyme_autodiff((void *)f, enzyme_dup, g, shadow); }
// CHECK-LABEL: define {{.*}}@nabla.{{.*}}.f(
// CHECK: call void @__nabla_move_adjoint_double(
