; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that needs no residual but its arguments has no tape and no branch.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, double %z) {
  %y = fmul double %x, %z
  ret double %y
}
; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(double %0, double %1, double %2)
; CHECK-NOT:     alloca
; CHECK-NOT:     call
; CHECK-NOT:     br
; CHECK:         insertvalue {{.*}} double %1, 0
; CHECK-NOT:     alloca
; CHECK-NOT:     call
; CHECK-NOT:     br
; CHECK:         ret {{.*}}double, double

declare {double, double} @__enzyme_autodiff(...)
define {double, double} @use(double %x, double %z) noinline optnone {
  %r = call {double, double} (...) @__enzyme_autodiff(ptr @f, double %x, double %z)
  ret {double, double} %r
}
