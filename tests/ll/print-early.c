// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the users' calls are rewritten to, and the classes of memory; a misspelt stage is an error.
// RUN: %clang -O1 -fno-discard-value-names -mllvm -nabla-print=collect,objects -c %s -o %t.o \
// RUN:   2>&1 | FileCheck %s
// RUN: not %clang -O1 -mllvm -nabla-print=object -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WORD
// RUN: not %clang -O1 -mllvm -nabla-without=folds -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// CHECK: call void @"__nabla_request.reverse(aa) void (ptr, ptr, ptr)"
// CHECK: objects of @nabla.work.first
// CHECK-DAG: class {{[0-9]+}} {param rows} -> class [[ROW:[0-9]+]] at 0, class {{[0-9]+}} at 8
// CHECK-DAG: class [[ROW]] {}
// WORD: error: {{.*}}-nabla-print= knows no 'object'{{.*}}[nabla: option]
// OTHER: error: {{.*}}-nabla-without= knows no 'folds'{{.*}}[nabla: option]
void __enzyme_autodiff(void *, ...);
static double first(double **rows) { return rows[0][0] * rows[1][0]; }
void slope(double **rows, double **shadows) {
  __enzyme_autodiff((void *)first, rows, shadows);
}
