; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses through null.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  store double %x, ptr null
  %k = load double, ptr null
  %u = load double, ptr undef
  %y = fmul double %x, %k
  %z = fmul double %y, %u
  ret double %z
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
