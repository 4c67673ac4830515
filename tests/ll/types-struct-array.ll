; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The primal still has the extents of arrays that simplification takes away: an array of structs.
; RUN: %opt -passes=nabla -nabla-print=types -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

%struct.S = type { i32, [3 x double] }
define double @f(ptr %s, i64 %i, i64 %j) {
  %p = getelementptr inbounds %struct.S, ptr %s, i64 %i, i32 1, i64 %j
  %v = load double, ptr %p
  %q = getelementptr inbounds %struct.S, ptr %s, i64 %i, i32 0
  %n = load i32, ptr %q
  %m = sitofp i32 %n to double
  %r = fmul double %v, %m
  ret double %r
}
; CHECK-LABEL: types of @nabla.work.f
; CHECK:         {param s}: {{.*}}8+8x3+32k double{{.*}}0+32k integer32

declare void @__enzyme_autodiff(...)
define void @use(ptr %s, ptr %ds) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %s, ptr %ds, i64 1, i64 2)
  ret void
}
