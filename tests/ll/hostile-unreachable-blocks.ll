; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Blocks that cannot be reached, one of which uses itself.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %y = fmul double %x, %x
  ret double %y
dead:
  %z = fadd double %w, 1.0
  %w = fadd double %z, 1.0
  br label %dead
dead2:
  %s = fadd double %s, 1.0
  br label %dead
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
