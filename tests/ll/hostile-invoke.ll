; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An unknown function that may throw.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK-NOT: Stack dump
; CHECK: error: {{.*}}[nabla: no-rule]
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__gxx_personality_v0(...)
declare double @may(double)
define double @f(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %y = invoke double @may(double %x) to label %ok unwind label %bad
ok:
  ret double %y
bad:
  %lp = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lp
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
