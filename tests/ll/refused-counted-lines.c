// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message stands where #line says, with the text of the line that is counted so.
// RUN: rm -rf %t && split-file %s %t
// RUN: cd %t && not %clang -O1 -g -c own.c -o own.o 2>&1 | FileCheck --check-prefix=OWN %s
// RUN: cd %t && not %clang -O1 -g -c other.c -o other.o 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: cd %t && not %clang -O1 -g -c -x c - -o input.o < own.c 2>&1 | \
// RUN:   FileCheck --check-prefix=OWN %s
// OWN: own.c:102:10: error: 'unknown' {{.*}}[nabla: no-rule]
// OWN-NEXT: return unknown(y);
// OTHER: nowhere.y:7:10: error: 'unknown' {{.*}}[nabla: no-rule]
// OTHER-NEXT: return unknown(y);
// OTHER-NOT: note:
//--- own.c
double __enzyme_autodiff(void *, ...);
double unknown(double);
#line 100 "own.c"
static double f(double x) {
  double y = x * x;
  return unknown(y);
}
double g(double x) { return __enzyme_autodiff((void *)f, x); }
//--- other.c
double __enzyme_autodiff(void *, ...);
double unknown(double);
static double f(double x) {
  double y = x * x;
#line 7 "nowhere.y"
  return unknown(y);
#line 8 "other.c"
}
double g(double x) { return __enzyme_autodiff((void *)f, x); }
