; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What overwrites a part of a number that may be another member of a union: in reverse mode the
; number may have no adjoint then, in forward mode its tangent is no number.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @one(ptr %a, i1 %number, double %x) {
  br i1 %number, label %as_number, label %as_integer
as_number:
  store double %x, ptr %a
  br label %end
as_integer:
  store i32 7, ptr %a
  br label %end
end:
  ret void
}

define void @some(ptr %a, i64 %bytes, double %x) {
  store double %x, ptr %a
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %bytes, i1 false)
  ret void
}

; CHECK-LABEL: define {{.*}}@nabla.reverse.one(
; CHECK:         fcmp une double
; CHECK:         call void @__nabla_whole(i32

; CHECK-LABEL: define {{.*}}@nabla.forward.one(
; CHECK:         store double 0x7FF8000000000000, ptr

; CHECK-LABEL: define {{.*}}@nabla.reverse.some(
; CHECK:         call void @__nabla_whole_ends_double(ptr

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
declare void @__enzyme_fwddiff(...)
define void @use(ptr %a, ptr %da, i1 %number, double %x) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @one, ptr %a, ptr %da, i1 %number, double %x)
  call void (...) @__enzyme_fwddiff(ptr @one, ptr %a, ptr %da, i1 %number, double %x, double 1.0)
  call void (...) @__enzyme_autodiff(ptr @some, ptr %a, ptr %da, i64 8, double %x)
  ret void
}
