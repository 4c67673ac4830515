; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A constant stored over active memory clears its adjoint, and nothing else.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %a) {
  store double 3.0, ptr %a
  ret void
}
; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(ptr %0, ptr %1)
; CHECK:         store double 3.000000e+00, ptr %0
; CHECK-NEXT:    store double 0.000000e+00, ptr %1
; CHECK-NEXT:    ret void

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da)
  ret void
}
