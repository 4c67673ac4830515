; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An index into an array in a struct may lead on into the next member, and overwrite it.
; RUN: %opt -passes=nabla -nabla-print=effects -disable-output %s 2>&1 | FileCheck %s

declare void @__enzyme_autodiff(ptr, ...)

%two = type { [2 x double], double, double }

define double @f(ptr noalias %t, i64 %i) {
  %next = getelementptr inbounds %two, ptr %t, i64 0, i32 1
  %gone = load double, ptr %next
  %element = getelementptr inbounds [2 x double], ptr %t, i64 0, i64 %i
  %square = fmul double %gone, %gone
  store double 0.0, ptr %element
  ret double %square
}

define void @g(ptr %t, ptr %dt) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %t, ptr %dt, i64 2)
  ret void
}

; CHECK: effects @f
; CHECK-NEXT: overwritten {{.*}}%gone = load
