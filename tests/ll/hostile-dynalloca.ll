; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Stack arrays that pile up.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  br label %l
l:
  %i = phi i64 [0, %entry], [%n, %l]
  %a = alloca double, i64 %i
  store double %x, ptr %a
  %k = load double, ptr %a
  %n = add i64 %i, 1
  %c = icmp ult i64 %n, 10
  br i1 %c, label %l, label %e
e:
  ret double %k
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
