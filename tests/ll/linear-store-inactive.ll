; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A constant that is stored over active memory clears its tangent.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %a) {
  store double 3.0, ptr %a
  ret void
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
