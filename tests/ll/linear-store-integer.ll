; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An integer that is stored over active memory clears its tangent.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %a) {
  %v = load double, ptr %a
  store i64 0, ptr %a
  ret double %v
}
; CHECK-LABEL: linear @f
; CHECK:         store    {{(0 )?}}at

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da)
  ret void
}
