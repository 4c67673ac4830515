; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Parts of vectors move as they do in the primal.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %a) {
  %v = load <2 x double>, ptr %a
  %y = extractelement <2 x double> %v, i32 1
  ret double %y
}
; CHECK-LABEL: linear @f
; CHECK:         load     t(%v) =
; CHECK:         shuffle  t(%y) = t(%v)

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da)
  ret void
}
