; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The adjoints reach the call in the type that the ABI gave its result. The primal's result is made
; only where it is wanted. The calls stay, since their callers are not optimised.
; RUN: %opt -passes=nabla,verify -S %s | FileCheck %s

%struct.D3 = type { double, double, double }

declare { double, double } @__enzyme_autodiff_pair(ptr, ...)
declare <2 x float> @__enzyme_autodiff_floats(ptr, ...)
declare void @__enzyme_autodiff_memory(ptr sret(%struct.D3), ptr, ...)
declare float @__enzyme_autodiff_narrow(ptr, ...)
declare void @__enzyme_autodiff_none(ptr, ...)

define double @product(double %x, double %y) {
  %r = fmul double %x, %y
  ret double %r
}

define float @floats(float %x, float %y) {
  %r = fmul float %x, %y
  ret float %r
}

define double @three(double %x, double %y, double %z) {
  %xy = fmul double %x, %y
  %r = fmul double %xy, %z
  ret double %r
}

; CHECK-LABEL: define { double, double } @pair(
; CHECK: [[R:%.*]] = call { double, double } @nabla.combined.product(double %x, double %y,
; CHECK-SAME: {{^}} double 1.000000e+00)
; CHECK: extractvalue { double, double } [[R]], 0
; CHECK: extractvalue { double, double } [[R]], 1
; CHECK: ret { double, double }
define { double, double } @pair(double %x, double %y) noinline optnone {
  %r = call { double, double } (ptr, ...) @__enzyme_autodiff_pair(ptr @product,
      double %x, double %y)
  ret { double, double } %r
}

; Floats come promoted to double and return in one vector.
; CHECK-LABEL: define <2 x float> @vector(
; CHECK: fptrunc double %x to float
; CHECK: call { float, float } @nabla.combined.floats(
; CHECK: load <2 x float>
define <2 x float> @vector(double %x, double %y) noinline optnone {
  %r = call <2 x float> (ptr, ...) @__enzyme_autodiff_floats(ptr @floats, double %x,
      double %y)
  ret <2 x float> %r
}

; CHECK-LABEL: define void @memory(
; CHECK: call { double, double, double } @nabla.combined.three(
; CHECK: store double
; CHECK: store double
; CHECK: store double
define void @memory(ptr %out, double %x) noinline optnone {
  call void (ptr, ptr, ...) @__enzyme_autodiff_memory(ptr sret(%struct.D3) %out, ptr @three,
      double %x, double 2.0, double 3.0)
  ret void
}

; CHECK-LABEL: define float @narrow(
; CHECK: [[R:%.*]] = call { double } @nabla.combined.single(double %x, double 1.000000e+00)
; CHECK: [[D:%.*]] = extractvalue { double } [[R]], 0
; CHECK: fptrunc double [[D]] to float
define float @narrow(double %x) noinline optnone {
  %r = call float (ptr, ...) @__enzyme_autodiff_narrow(ptr @single, double %x)
  ret float %r
}

define double @single(double %x) {
  %r = fmul double %x, %x
  ret double %r
}

; CHECK-LABEL: define void @none(
; CHECK: call { double } @nabla.combined.single(
; CHECK: ret void
define void @none(double %x) noinline optnone {
  call void (ptr, ...) @__enzyme_autodiff_none(ptr @single, double %x)
  ret void
}

; CHECK-NOT: __enzyme_
; CHECK-NOT: __nabla_
