; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The transpose of a store takes the adjoint of the memory and clears it.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %a, double %x) {
  %y = fmul double %x, 3.0
  store double %y, ptr %a
  ret void
}
; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(ptr %0, double %1, ptr %2)
; CHECK:         %[[B:.*]] = load double, ptr %2
; CHECK-NEXT:    store double 0.000000e+00, ptr %2
; CHECK:         fmul {{.*}}double %[[B]], 3.000000e+00

@enzyme_dup = external global i32
declare double @__enzyme_autodiff(...)
define double @use(ptr %a, ptr %da, double %x) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da, double %x)
  ret double %r
}
