; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The transpose of a load adds to the adjoint of the memory.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %a) {
  %v = load double, ptr %a
  %y = fmul double %v, %v
  ret double %y
}
; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(ptr %0, ptr %1, double %2)
; CHECK:         %[[OLD:.*]] = load double, ptr %1
; CHECK-NEXT:    %[[NEW:.*]] = fadd {{.*}}%[[OLD]]
; CHECK-NEXT:    store double %[[NEW]], ptr %1

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da)
  ret void
}
