; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The inner request is served before the function that makes it is differentiated.
; RUN: %opt -passes=nabla,verify -S %s | FileCheck %s

declare double @__enzyme_autodiff(ptr, double)

define double @cube(double %x) {
  %s = fmul double %x, %x
  %r = fmul double %s, %x
  ret double %r
}

; CHECK-LABEL: define double @second(
; CHECK: @nabla.combined.first(
define double @second(double %x) noinline optnone {
  %r = call double @__enzyme_autodiff(ptr @first, double %x)
  ret double %r
}

; CHECK-LABEL: define double @first(
; CHECK: @nabla.combined.cube(
define double @first(double %x) noinline optnone {
  %r = call double @__enzyme_autodiff(ptr @cube, double %x)
  ret double %r
}
