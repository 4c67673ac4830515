; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A stack array that the reverse sweep reads is part of the tape.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i64 %i) {
  %a = alloca [4 x double]
  %p = getelementptr double, ptr %a, i64 %i
  %y = fmul double %x, %x
  store double %y, ptr %p
  %v = load double, ptr %a
  %z = fmul double %v, %v
  ret double %z
}
; CHECK-LABEL: plan @f
; CHECK:         keep %a

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %i) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %i)
  ret double %r
}
