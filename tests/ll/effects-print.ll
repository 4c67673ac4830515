; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A load of what is overwritten later is not to be repeated; one of what stays is.
; RUN: %opt -passes=nabla -nabla-print=request,effects,tidy -disable-output %s 2>&1 | FileCheck %s

declare void @__enzyme_autodiff(ptr, ...)

define void @f(ptr noalias %x, ptr noalias %y) {
  %kept = load double, ptr %x
  %gone = load double, ptr %y
  %product = fmul double %kept, %gone
  store double %product, ptr %y
  ret void
}

define void @g(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

; CHECK: request @f reverse (dup, dup) -> const
; CHECK: effects @f
; CHECK-NEXT: reload {{.*}}%kept = load
; CHECK-NEXT: overwritten {{.*}}%gone = load
; CHECK: define internal void @nabla.combined.f(
