; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A branch on an integer parameter is decided again, nothing is stored.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i32 %k) {
entry:
  %c = icmp sgt i32 %k, 3
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
; CHECK-LABEL: plan @f
; CHECK-NOT:     store i1
; CHECK:         recompute %c

declare double @__enzyme_autodiff(...)
define double @use(double %x, i32 %k) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %k)
  ret double %r
}
