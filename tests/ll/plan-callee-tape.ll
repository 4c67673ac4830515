; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a call needs for its reverse is a field of the caller's tape.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @g(ptr %a) noinline {
  %v = load double, ptr %a
  %y = fmul double %v, %v
  store double %y, ptr %a
  ret void
}
define void @f(ptr %a) {
  call void @g(ptr %a)
  ret void
}
; CHECK-LABEL: plan @g
; CHECK:         store double %v
; CHECK-LABEL: plan @f
; CHECK:         store {{.*}} a callee's tape

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da)
  ret void
}
