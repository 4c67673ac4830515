; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One of several functions: a call for each. An alias is the function that it names. The calls
; stay, since their callers are not optimised.
; RUN: %opt -passes=nabla,verify -S %s | FileCheck %s

declare double @__enzyme_autodiff(ptr, double)
@alias = alias double (double), ptr @square

define double @square(double %x) {
  %r = fmul double %x, %x
  ret double %r
}

define double @triple(double %x) {
  %r = fmul double %x, 3.0
  ret double %r
}

; CHECK-LABEL: @selected(
; CHECK: [[SAME:%.*]] = icmp eq ptr %f, @triple
; CHECK: br i1 [[SAME]]
; CHECK: call { double } @nabla.combined.triple(double %x, double 1.000000e+00)
; CHECK: call { double } @nabla.combined.square(double %x, double 1.000000e+00)
; CHECK: phi double
define double @selected(i1 %c, double %x) noinline optnone {
  %f = select i1 %c, ptr @triple, ptr @alias
  %r = call double @__enzyme_autodiff(ptr %f, double %x)
  ret double %r
}

; CHECK-LABEL: @stored(
; CHECK: call { double } @nabla.combined.triple(
define double @stored(double %x) noinline optnone {
  %variable = alloca ptr
  store ptr @triple, ptr %variable
  %f = load ptr, ptr %variable
  %r = call double @__enzyme_autodiff(ptr %f, double %x)
  ret double %r
}
