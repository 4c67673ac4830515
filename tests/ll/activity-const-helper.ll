; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One helper for constant and for active memory: each call has classes of its own.
; RUN: %opt -passes=nabla -nabla-print=activity -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @first(ptr %p) noinline {
  %v = load double, ptr %p
  ret double %v
}
define double @f(ptr %x, ptr %c) {
  %a = call double @first(ptr %x)
  %b = call double @first(ptr %c)
  %r = fmul double %a, %b
  ret double %r
}
; CHECK-LABEL: activity of @nabla.work.f
; CHECK-NOT:     param c
; CHECK:         active class {{.*}} {param x}
; CHECK-NOT:     @first(ptr %c)
; CHECK:         active %a = call double @first(ptr %x)
; CHECK-NOT:     @first(ptr %c)
; CHECK:         active %r = fmul

@enzyme_const = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx, ptr %c) {
  %m = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i32 %m, ptr %c)
  ret void
}
