; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A word that no access names, of a union of a number and a pointer, is moved as bytes in reverse
; mode: the run tells what it was.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define {{.*}}nabla.work.unnamed
; CHECK: %[[WORD:.*]] = alloca [8 x i8]
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 1 %[[WORD]], ptr align 1 %[[FROM:.*]], i64 8
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 1 %{{.*}}, ptr align 1 %[[WORD]], i64 8
; CHECK: ret double
define double @unnamed(double %x, ptr %other, i1 %number, i64 %i, i64 %k) {
  %froms = alloca [2 x i64]
  %tos = alloca [2 x i64]
  call void @llvm.memset(ptr %froms, i8 0, i64 16, i1 false)
  call void @llvm.memset(ptr %tos, i8 0, i64 16, i1 false)
  %from = getelementptr i64, ptr %froms, i64 %i
  %to = getelementptr i64, ptr %tos, i64 %i
  %found = getelementptr i64, ptr %tos, i64 %k
  br i1 %number, label %as.number, label %as.pointer
as.number:
  store double %x, ptr %from, !tbaa !3
  br label %move
as.pointer:
  store ptr %other, ptr %from, !tbaa !5
  br label %move
move:
  %word = load ptr, ptr %from, !tbaa !1
  store ptr %word, ptr %to, !tbaa !1
  br i1 %number, label %from.number, label %from.pointer
from.number:
  %y = load double, ptr %found, !tbaa !3
  %yy = fmul double %y, %y
  ret double %yy
from.pointer:
  %p = load ptr, ptr %found, !tbaa !5
  %z = load double, ptr %p, !tbaa !3
  %zz = fmul double %z, %x
  ret double %zz
}

declare void @llvm.memset(ptr, i8, i64, i1)
declare double @__enzyme_autodiff(...)
define double @use(double %x, ptr %p, ptr %d, i1 %b, i64 %i) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @unnamed, double %x, metadata !"enzyme_dup", ptr %p, ptr %d, i1 %b, i64 %i, i64 %i)
  ret double %r
}

!0 = !{!"Simple C++ TBAA"}
!1 = !{!2, !2, i64 0}
!2 = !{!"omnipotent char", !0, i64 0}
!3 = !{!4, !4, i64 0}
!4 = !{!"double", !2, i64 0}
!5 = !{!6, !6, i64 0}
!6 = !{!"p1 double", !7, i64 0}
!7 = !{!"any pointer", !2, i64 0}
