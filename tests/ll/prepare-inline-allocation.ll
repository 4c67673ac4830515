; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A helper that allocates for its caller is inlined.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define ptr @make(i64 %n) noinline {
  %bytes = shl i64 %n, 3
  %m = call ptr @malloc(i64 %bytes)
  ret ptr %m
}
define double @f(double %x, i64 %n) {
  %m = call ptr @make(i64 %n)
  store double %x, ptr %m
  %v = load double, ptr %m
  %y = fmul double %v, %v
  call void @free(ptr %m)
  ret double %y
}
declare ptr @malloc(i64)
declare void @free(ptr)
; CHECK-LABEL: @nabla.work.f(
; CHECK-NOT:     @make
; CHECK:         call ptr @malloc
; CHECK:         call void @free

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %r
}
