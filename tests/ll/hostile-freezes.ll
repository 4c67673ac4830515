; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Freeze, remainder, bit casts and rounding.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %a = freeze double %x
  %b = fneg double %a
  %c = frem double %b, 3.0
  %v = bitcast double %c to <2 x i32>
  %w = bitcast <2 x i32> %v to double
  %n = fptosi double %w to i32
  %o = sitofp i32 %n to double
  %r = fmul double %o, %w
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
define double @g(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
define double @h(double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %r
}
