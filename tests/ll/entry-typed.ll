; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What front ends say of the memory behind a parameter is what tells the types of bytes that are
; only copied; kinds that say nothing of derivatives are left out.
; RUN: %opt -passes=nabla-collect -S %s | FileCheck --check-prefix=COLLECT %s
; RUN: %opt -passes=nabla -S %s | FileCheck %s
; RUN: not %opt -passes=nabla -enzyme-strict-aliasing=0 -S %s 2>&1 | FileCheck --check-prefix=LOOSE %s

target triple = "x86_64-unknown-linux-gnu"

; COLLECT-LABEL: define internal void @move(
; COLLECT-DAG: call void @__nabla_hint.double.0.8.0(ptr %from)
; COLLECT-DAG: %[[AT:.*]] = getelementptr i8, ptr %to, i64 8
; COLLECT-DAG: call void @__nabla_hint.double.1.8.0(ptr %to)
; COLLECT-DAG: call void @__nabla_hint.ptr.1.8.0(ptr %[[AT]])
define internal void @move(ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %from, ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,16]:Integer}" %to) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 false)
  ret void
}

; TBAA says that the bytes are a double's, which is what -enzyme-strict-aliasing=0 takes back.
define internal void @move_told(ptr %from, ptr %to) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 false), !tbaa.struct !0
  ret void
}

; LOOSE: 'move_told'{{.*}} [nabla: unknown-type]
define void @slope_told(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @move_told, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

; CHECK-LABEL: define void @slope(
; CHECK-NOT: __nabla_hint
; CHECK: ret void
define void @slope(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @move, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

declare void @__enzyme_autodiff(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{i64 0, i64 8, !1}
!1 = !{!2, !2, i64 0}
!2 = !{!"double", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
