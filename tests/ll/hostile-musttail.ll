; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call that must be a jump.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @k(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @f(double %x) {
  %y = musttail call double @k(double %x)
  ret double %y
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
