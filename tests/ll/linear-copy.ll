; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; memcpy copies the tangents of the floats.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %a, ptr %b, ptr %n) {
  %i = load i64, ptr %n
  %p = getelementptr double, ptr %a, i64 %i
  %v = load double, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 32, i1 false)
  ret double %v
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; CHECK-LABEL: linear @f
; CHECK:         copy     at {{.*}} from {{.*}} bytes {{.*}}32

@enzyme_dup = external global i32
@enzyme_const = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da, ptr %b, ptr %db, ptr %n) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  %c = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da,
      i32 %d, ptr %b, ptr %db, i32 %c, ptr %n)
  ret void
}
