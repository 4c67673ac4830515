; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A product that only reaches an arm of a select, or a phi behind a switch, was speculated, whatever
; is computed of it for a comparison.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

declare double @llvm.fabs.f64(double)

define double @f(double %x, double %z, i1 %known) {
  %y = fmul double %z, %x
  %r = select i1 %known, double %y, double 0.0
  %a = call double @llvm.fabs.f64(double %y)
  %h = fmul double %a, 0.5
  %c = fcmp ogt double %h, 3.0
  %s = select i1 %c, double 0.0, double %r
  ret double %s
}
; CHECK-LABEL: linear @f
; CHECK:         sum      t(%y) = {{.*}} speculated

define double @g(double %x, double %z, i1 %known) {
  %y = fmul double %z, %x
  br i1 %known, label %first, label %second

first:
  br label %second

second:
  %s = phi double [ %y, %first ], [ 0.0, %0 ]
  %r = fmul double %s, %x
  ret double %r
}
; CHECK-LABEL: linear @g
; CHECK:         sum      t(%y) = {{.*}} speculated

@enzyme_const = external global i32
declare double @__enzyme_autodiff(...)
define double @use(double %x, double %z, i1 %k) noinline optnone {
  %c = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %c, double %z, i32 %c, i1 %k)
  %g = call double (...) @__enzyme_autodiff(ptr @g, double %x, i32 %c, double %z, i32 %c, i1 %k)
  %s = fadd double %r, %g
  ret double %s
}
