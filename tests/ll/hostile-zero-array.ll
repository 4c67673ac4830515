; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Arrays without elements.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %a = alloca [0 x double]
  %e = alloca {}
  %b = alloca double, i32 0
  store double %x, ptr %a
  %l = load double, ptr %a
  %m = load {}, ptr %e
  %n = load [0 x double], ptr %b
  store [0 x double] %n, ptr %b
  ret double %l
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
