; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Facts flow between the ends of a copy, in both directions, within its length.
; RUN: %opt -passes=nabla -nabla-print=types -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %x, i64 %i) {
  %b = alloca [4 x double]
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %x, i64 32, i1 false)
  %p = getelementptr inbounds double, ptr %b, i64 %i
  %v = load double, ptr %p
  ret double %v
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; CHECK-LABEL: types of @nabla.work.f
; CHECK-DAG:     {param x}: 0+8x4 double
; CHECK-DAG:     {local b}: {{.*}}0+8k double

declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 1)
  ret void
}
