; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Copies vanish into all their users, phis and calls too. What is returned is defined.
; RUN: %opt -passes=nabla -nabla-print=simplify -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

@sink = global i32 0

define double @f(double %x, i1 %c) {
entry:
  %y = fadd double %x, 1.0
  br i1 %c, label %then, label %end
then:
  store volatile i32 0, ptr @sink
  %z = fmul double %y, %y
  br label %end
end:
  %p = phi double [ %y, %entry ], [ %z, %then ]
  %r = fsub double %p, 2.0
  ret double %r
}
; CHECK-LABEL: simplify @f
; CHECK:         sum      t(%z) = %y * t(%x) %y * t(%x)
; CHECK:         phi      t(%p) = t(%x) t(%z)
; CHECK:         sum      t(%r) = (double 1.000000e+00) * t(%p)
; CHECK-NOT:     t(

declare double @__enzyme_autodiff(...)
define double @use(double %x, i1 %c) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i1 %c)
  ret double %r
}
