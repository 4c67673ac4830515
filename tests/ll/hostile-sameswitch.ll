; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A switch with several edges to one block.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %n = fptosi double %x to i64
  switch i64 %n, label %e [ i64 0, label %e
   i64 1, label %e
   i64 2, label %o
   i64 3, label %o ]
o:
  %y = fmul double %x, %x
  br label %e
e:
  %p = phi double [%x, %entry], [%x, %entry], [%x, %entry], [%y, %o]
  ret double %p
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
