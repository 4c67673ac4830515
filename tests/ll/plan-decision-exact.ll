; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A decision is never computed again by arithmetic that another copy may round differently.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, double %z) {
entry:
  %a = fmul fast double %x, %z
  %b = fsub fast double %a, %x
  %c = fcmp ogt double %b, 1.0
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
; CHECK:         store {{i1|double}} %{{a|b|c}}
; CHECK-NOT:     recompute %b

@enzyme_const = external global i32
declare double @__enzyme_autodiff(...)
define double @use(double %x, double %z) noinline optnone {
  %c = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %c, double %z)
  ret double %r
}
