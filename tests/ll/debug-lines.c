// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* With -g a derivative has a name of its own, its symbol too, and the primal's lines: its sweeps in
 * the caller's frame, a callee's in functions; forward mode too. Without -g there is nothing. */
// RUN: %clang -O1 -g -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -g -c %s -o %t.o
// RUN: llvm-dwarfdump --verify %t.o | FileCheck --check-prefix=VERIFIED %s
// RUN: llvm-dwarfdump -n weigh.reverse %t.o | FileCheck -check-prefix=DWARF %s
// RUN: %clang -O1 -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// NONE-NOT: DISubprogram
// VERIFIED: No errors.
// DWARF: DW_AT_frame_base
// DWARF-NEXT: DW_AT_name ("weigh.reverse")
// DWARF: DW_AT_decl_line (18)
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;
void print(int);

__attribute__((noinline)) static void weigh(int n, double *state, const double *weights) {
  for (int i = 0; i < n; i++)
    state[i] = state[i] * weights[i];
  print(n);
}

static double model(int n, double *state, const double *weights) {
  weigh(n, state, weights);
  weigh(n, state, weights);
  return state[0] * state[1];
}

void gradient(int n, double *s, double *ds, double *w, double *dw) {
  void __enzyme_autodiff_of(void *, ...);
  __enzyme_autodiff_of((void *)model, enzyme_const, n, enzyme_dup, s, ds, enzyme_dup, w, dw);
}

__attribute__((noinline)) static double cube(double x) { return x * x * x; }

double slope(double x) { return __enzyme_fwddiff((void *)cube, x, 1.0); }

// CHECK: define {{.*}}@weigh.reverse({{.*}} !dbg [[REVERSE:![0-9]+]]
// CHECK: fmul double {{.*}} !dbg [[PRODUCT:![0-9]+]]
// CHECK: distinct !DISubprogram(name: "model.reverse", {{.*}}line: 24,
// CHECK: distinct !DISubprogram(name: "cube.forward", {{.*}}line: 35,
// CHECK: [[REVERSE]] = distinct !DISubprogram(name: "weigh.reverse", {{.*}}line: 18,
// CHECK: [[PRODUCT]] = !DILocation(line: 20, column: 25, scope: [[REVERSE]])
