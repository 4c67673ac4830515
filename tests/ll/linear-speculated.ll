; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A quotient that only reaches an arm of a select was speculated by the optimiser.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, double %z) {
  %y = fdiv double %z, %x
  %c = fcmp une double %x, 0.0
  %r = select i1 %c, double %y, double 0.0
  ret double %r
}
; CHECK-LABEL: linear @f
; CHECK:         sum      t(%y) = {{.*}} speculated
; CHECK-NEXT:    choose   t(%r) = t(%y) 0 if %c

@enzyme_const = external global i32
declare double @__enzyme_autodiff(...)
define double @use(double %x, double %z) noinline optnone {
  %c = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %c, double %z)
  ret double %r
}
