; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What was speculated keeps its own guard: folded, a zero adjoint would no longer stop an infinite
; coefficient.
; RUN: %opt -passes=nabla -nabla-print=simplify -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, double %z) {
  %q = fdiv reassoc double 1.0, %x
  %y = fmul reassoc double %q, %z
  %c = fcmp une double %x, 0.0
  %r = select i1 %c, double %y, double 0.0
  ret double %r
}
; CHECK-LABEL: simplify @f
; CHECK:         sum      t(%q) = {{.*}} * t(%x) speculated
; CHECK-NEXT:    sum      t(%y) = %z * t(%q) speculated
; CHECK-NEXT:    choose   t(%r) = t(%y) 0 if %c

@enzyme_const = external global i32
declare double @__enzyme_autodiff(...)
define double @use(double %x, double %z) noinline optnone {
  %c = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %c, double %z)
  ret double %r
}
