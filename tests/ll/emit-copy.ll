; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The transpose of memcpy adds the target's adjoint to the source's and clears it.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %a, ptr %b, ptr %n) {
  %i = load i64, ptr %n
  %p = getelementptr double, ptr %a, i64 %i
  store double 1.0, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 32, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4)
; CHECK:         call void @llvm.memcpy{{.*}}(ptr {{.*}}%1, ptr {{.*}}%0, i64 32
; CHECK:         store double 0.000000e+00, ptr
; CHECK:         fadd
; CHECK:         store double

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
