; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A phi takes the tangent of the edge; a constant has none.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
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

; CHECK-LABEL: linear @f
; CHECK:         phi      t(%s) = {{(t\(%t\) t\(%x\)|t\(%x\) t\(%t\))}}
; CHECK:         sum      t(%t) = %x * t(%s) %s * t(%x)

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %r
}
