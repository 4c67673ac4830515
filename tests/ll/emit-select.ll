; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The chosen source of a select gets the adjoint.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, double %z) {
  %c = fcmp ogt double %x, 1.0
  %y = select i1 %c, double %x, double %z
  ret double %y
}
; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(double %0, double %1, double %2)
; CHECK:         %[[C:.*]] = fcmp ogt double %0, 1.000000e+00
; CHECK-DAG:     %[[X:.*]] = select i1 %[[C]], double 1.000000e+00, double 0.000000e+00
; CHECK-DAG:     %[[Z:.*]] = select i1 %[[C]], double 0.000000e+00, double 1.000000e+00
; CHECK:         insertvalue {{.*}}, double %[[X]], 0
; CHECK:         insertvalue {{.*}}, double %[[Z]], 1

declare {double, double} @__enzyme_autodiff(...)
define {double, double} @use(double %x, double %z) noinline optnone {
  %r = call {double, double} (...) @__enzyme_autodiff(ptr @f, double %x, double %z)
  ret {double, double} %r
}
