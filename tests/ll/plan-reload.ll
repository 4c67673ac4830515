; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is still in memory is read again.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %a) {
  %v = load double, ptr %a
  %y = fmul double %v, %v
  ret double %y
}
; CHECK-LABEL: plan @f
; CHECK-NOT:     store
; CHECK:         recompute %v
; CHECK-NOT:     store

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da)
  ret void
}
