; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A counter of seven bits.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  br label %l
l:
  %i = phi i7 [-3, %entry], [%n, %l]
  %p = phi double [%x, %entry], [%q, %l]
  %q = fmul double %p, %x
  %n = add i7 %i, 5
  %c = icmp ne i7 %n, 11
  br i1 %c, label %l, label %e
e:
  ret double %q
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
