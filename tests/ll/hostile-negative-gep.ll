; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Addresses far outside of an array.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %a = alloca [4 x double]
  %p = getelementptr double, ptr %a, i64 -9223372036854775808
  %q = getelementptr i8, ptr %p, i64 9223372036854775807
  store double %x, ptr %q
  %k = load double, ptr %q
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
