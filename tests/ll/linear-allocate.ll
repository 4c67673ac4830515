; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Heap memory with active content has a shadow.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i64 %i) {
  %m = call ptr @malloc(i64 64)
  %p = getelementptr double, ptr %m, i64 %i
  store double %x, ptr %p
  %v = load double, ptr %m
  call void @free(ptr %m)
  ret double %v
}
declare ptr @malloc(i64)
declare void @free(ptr)
; CHECK-LABEL: linear @f
; CHECK:         allocate at
; CHECK:         store    t(%x) at
; CHECK:         load     t(%v) = at

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %i) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %i)
  ret double %r
}
