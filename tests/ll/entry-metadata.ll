; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What front ends say by metadata and by attributes of functions is noted as what registers the same.
; shows: -passes=enzyme
; RUN: %opt -passes=nabla-collect -S %s | FileCheck %s
; RUN: %opt -passes=nabla -S %s | FileCheck --check-prefix=DERIVED %s
; RUN: %opt -passes=enzyme -S %s | FileCheck --check-prefix=DERIVED %s

target triple = "x86_64-unknown-linux-gnu"

@quiet = global double 0.0, !enzyme_inactive !0
@loud = global double 0.0, !enzyme_shadow !1
@loud_shadow = global double 0.0

define double @f(double %x) !enzyme_augment !2 !enzyme_gradient !3 !enzyme_derivative !4 {
  ret double %x
}

define internal double @f_augmented(double %x) {
  ret double %x
}

define internal double @f_reverse(double %x, double %seed) {
  %r = fmul double %seed, 3.0
  ret double %r
}

define internal double @f_forward(double %x, double %dx) {
  ret double %dx
}

define double @h(double %x) !enzyme_augment !5 !enzyme_splitderivative !6 {
  ret double %x
}

define internal double @h_augmented(double %x) {
  ret double %x
}

define internal double @h_split(double %x, double %dx) {
  ret double %dx
}

define double @g(double %x) #0 {
  ret double %x
}

define double @my_sine(double %x) #1 {
  ret double %x
}

; DERIVED-LABEL: define double @slope_of_sine(
; DERIVED: call double @{{llvm.cos.f64|cos}}(double %x)
define double @slope_of_sine(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @of_sine, double %x)
  ret double %r
}

define internal double @of_sine(double %x) {
  %r = call double @my_sine(double %x)
  ret double %r
}

; CHECK-DAG: !{!"__enzyme_function_like", ptr @my_sine, !"llvm.sin.f64"}
; CHECK-DAG: !{!"__enzyme_inactivefn", ptr @g}
; CHECK-DAG: !{!"__enzyme_nofree", ptr @g}
; CHECK-DAG: !{!"__enzyme_inactive_global", ptr @quiet}
; CHECK-DAG: !{!"__enzyme_shadow_global", ptr @loud, ptr @loud_shadow}
; CHECK-DAG: !{!"__enzyme_register_gradient", ptr @f, ptr @f_augmented, ptr @f_reverse}
; CHECK-DAG: !{!"__enzyme_register_derivative", ptr @f, ptr @f_forward}
; CHECK-DAG: !{!"__enzyme_register_splitderivative", ptr @h, ptr @h_augmented, ptr @h_split}

; DERIVED-LABEL: define double @slope(
; DERIVED: call double @f_reverse(double %x, double 1.0
define double @slope(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}

declare double @__enzyme_autodiff(ptr, ...)

attributes #0 = { "enzyme_inactive" "enzyme_nofree" }
attributes #1 = { "implements"="llvm.sin.f64" }
!0 = !{}
!1 = !{ptr @loud_shadow}
!2 = !{ptr @f_augmented}
!3 = !{ptr @f_reverse}
!4 = !{ptr @f_forward}
!5 = !{ptr @h_augmented}
!6 = !{ptr @h_split}
