; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; printf reads active memory, and is inactive.
; RUN: %opt -passes=nabla -nabla-print=activity -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

@format = private constant [4 x i8] c"%g\0A\00"
define double @f(double %x) {
  %b = alloca [4 x double]
  store double %x, ptr %b
  %n = call i32 (ptr, ...) @printf(ptr @format, double %x)
  %r = fmul double %x, %x
  ret double %r
}
declare i32 @printf(ptr, ...)
; CHECK-LABEL: activity of @nabla.work.f
; CHECK-NEXT:    active %x
; CHECK-NEXT:    active %r = fmul

declare double @__enzyme_autodiff(...)
define double @use(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
