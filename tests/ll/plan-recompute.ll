; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What costs little is computed again: nothing is stored.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
  %a = fadd double %x, 1.0
  %y = fmul double %a, %a
  ret double %y
}
; CHECK-LABEL: plan @f
; CHECK-NOT:     store
; CHECK:         recompute %a
; CHECK-NOT:     store

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
