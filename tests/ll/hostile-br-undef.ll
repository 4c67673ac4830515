; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A branch on an undefined condition.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  br i1 undef, label %a, label %b
a:
  %y = fmul double %x, %x
  br label %b
b:
  %p = phi double [%y, %a], [%x, %entry]
  switch i32 poison, label %c [ i32 0, label %d ]
c:
  ret double %p
d:
  ret double %x
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
