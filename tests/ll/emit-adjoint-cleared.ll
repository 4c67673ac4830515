; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The adjoint of a value that one block knows is cleared where the reverse of that block begins, so
; that LLVM makes it a value in linear time. What goes around a loop is cleared at the entry.
; RUN: %opt -passes=nabla -disable-output -nabla-print=emit %s 2>&1 | FileCheck %s

declare double @__enzyme_autodiff(ptr, ...)

; CHECK-LABEL: @nabla.reverse.power(
; CHECK: variables:
; CHECK-COUNT-3: store double 0.000000e+00, ptr %adjoint
; CHECK-NOT: store double 0.000000e+00, ptr %adjoint
; CHECK: reverse.loop:
; CHECK-NEXT: store double 0.000000e+00, ptr [[T:%adjoint.*]], align
; CHECK: load double, ptr [[T]]
define double @power(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %r, %loop ]
  %t = fmul double %s, %x
  %r = fmul double %t, %t
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %r
}

define double @derivative(double %x, i64 %n) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @power, double %x, i64 %n)
  ret double %r
}
