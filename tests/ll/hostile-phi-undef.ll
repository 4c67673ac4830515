; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Values that are undefined.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %c = fcmp ogt double %x, 1.0
  br i1 %c, label %a, label %b
a:
  %y = fmul double %x, %x
  br label %b
b:
  %p = phi double [%y, %a], [undef, %entry]
  %p2 = phi double [%y, %a], [poison, %entry]
  %s = select i1 %c, double %p, double 0.0
  %s2 = select i1 undef, double %s, double %p2
  %r = fadd double %s, %s2
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
