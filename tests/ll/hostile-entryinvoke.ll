; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An entry point called where an exception may be caught.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__gxx_personality_v0(...)
define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @u(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %y = invoke double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x) to label %ok unwind label %bad
ok:
  ret double %y
bad:
  %lp = landingpad { ptr, i32 } catch ptr null
  ret double 0.0
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
