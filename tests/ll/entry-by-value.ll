; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A struct passed by value in two parameters is one argument: both its parts stand before both parts
; of its shadow. The call stays, since its caller is not optimised.
; RUN: %opt -passes=nabla-collect -S %s | FileCheck --check-prefix=NOTE %s
; RUN: %opt -passes=nabla,verify -S %s | FileCheck %s

%struct.D2 = type { double, double }

declare double @__enzyme_fwddiff(ptr, ...)

; NOTE: "nabla-by-value"=".+."
; CHECK-NOT: nabla-by-value
define double @f(double %a, double %b, double %x) {
  %s = alloca %struct.D2
  %at.a = getelementptr { double, double }, ptr %s, i32 0, i32 0
  store double %a, ptr %at.a
  %at.b = getelementptr { double, double }, ptr %s, i32 0, i32 1
  store double %b, ptr %at.b
  %p = getelementptr %struct.D2, ptr %s, i32 0, i32 1
  %v = load double, ptr %p
  %r = fmul double %v, %x
  ret double %r
}

; CHECK-LABEL: @use(
; CHECK: call { double, double } @nabla.forward.f(double %a, double %b, double %x, double %da,
; CHECK-SAME: {{^}} double %db, double %dx)
define double @use(double %a, double %b, double %da, double %db, double %x, double %dx)
    noinline optnone {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %a, double %b,
      double %da, double %db, double %x, double %dx)
  ret double %r
}
