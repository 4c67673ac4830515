; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A stack array that no stack can hold.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %a = alloca [1000000000000 x double]
  %p = getelementptr double, ptr %a, i64 999999999999
  store double %x, ptr %p
  %k = load double, ptr %p
  %y = fmul double %k, %k
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
