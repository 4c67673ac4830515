; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Forward mode is the primal and its tangents side by side, without a tape.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %s = phi double [%x, %entry], [%t, %loop]
  %t = fmul double %s, %x
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-LABEL: define internal { double, double } @nabla.forward.f(double %x, i64 %n, double %0)
; CHECK-NOT:     alloca
; CHECK-NOT:     __nabla
; CHECK:         phi double [ %0, %{{.*}} ]
; CHECK:         ret { double, double }

declare double @__enzyme_fwddiff(...)
define double @use(double %x, double %dx, i64 %n) noinline optnone {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double %dx, i64 %n)
  ret double %r
}
