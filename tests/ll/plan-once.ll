; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A value that is needed twice is stored once.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %a) {
  %v = load double, ptr %a
  %y = fmul double %v, %v
  %b = getelementptr double, ptr %a, i64 1
  %z = fmul double %v, %y
  store double %z, ptr %a
  store double %y, ptr %b
  ret void
}
; CHECK-LABEL: plan @f
; CHECK:         store double %v
; CHECK-NOT:     store
; CHECK:         recompute %y

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da)
  ret void
}
