; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where the two arms of a branch meet, its condition is the decision.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %c = fcmp ogt double %x, 1.0
  br i1 %c, label %left, label %right
left:
  %l = call double @sin(double %x)
  br label %end
right:
  %r = call double @cos(double %x)
  br label %end
end:
  %y = phi double [%l, %left], [%r, %right]
  ret double %y
}
declare double @sin(double)
declare double @cos(double)
; CHECK-LABEL: @nabla.work.f(
; CHECK-NOT:     %decision
; CHECK:         ret double

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
