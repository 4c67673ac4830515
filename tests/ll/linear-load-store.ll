; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loads and stores go to the shadow memory.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %a) {
  %v = load double, ptr %a
  %y = fmul double %v, %v
  store double %y, ptr %a
  ret void
}
; CHECK-LABEL: linear @f
; CHECK:         load     t(%v) = at {{.*}}
; CHECK-NEXT:    sum      t(%y) = %v * t(%v) %v * t(%v)
; CHECK-NEXT:    store    t(%y) at {{.*}}

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da)
  ret void
}
