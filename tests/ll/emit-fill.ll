; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The transpose of memset clears the adjoint.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %a, ptr %n) {
  %i = load i64, ptr %n
  %p = getelementptr double, ptr %a, i64 %i
  %v = load double, ptr %p
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 32, i1 false)
  ret double %v
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(ptr %0, ptr %1, ptr %2, double %3)
; CHECK:         call void @llvm.memset{{.*}}(ptr {{.*}}%0, i8 0, i64 32
; CHECK:         call void @llvm.memset{{.*}}(ptr {{.*}}%2, i8 0, i64 32

@enzyme_dup = external global i32
@enzyme_const = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da, ptr %n) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  %c = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da, i32 %c, ptr %n)
  ret void
}
