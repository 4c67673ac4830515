; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Several returns become one.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %c = fcmp ogt double %x, 1.0
  br i1 %c, label %left, label %right
left:
  %l = call double @sin(double %x)
  ret double %l
right:
  %r = call double @cos(double %x)
  ret double %r
}
declare double @sin(double)
declare double @cos(double)
; CHECK-LABEL: @nabla.work.f(
; CHECK:         ret double
; CHECK-NOT:     ret double
; CHECK:       }

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
