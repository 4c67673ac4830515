; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What flang's tags are named after is no type: a number that the optimiser moves as an integer is not
; known to be one. Tags of C say what is moved.
; RUN: %opt -passes=nabla -nabla-print=types -disable-output %s 2>&1 | FileCheck %s

; CHECK: types of @nabla.work.of_fortran
; CHECK-NEXT: {{.*}}{param x}: 8 double
; CHECK-NEXT: {{.*}}{param y}: 0+8x2 double
; CHECK: types of @nabla.work.of_c
; CHECK-NEXT: {{.*}}{param x}: 8 integer64

declare void @__enzyme_fwddiff(ptr, ...)

define void @of_fortran(ptr %x, ptr %y) {
  %from = getelementptr i8, ptr %x, i64 8
  %to = getelementptr i8, ptr %y, i64 8
  %moved = load i64, ptr %from, !tbaa !0
  store i64 %moved, ptr %to, !tbaa !0
  %value = load double, ptr %from, !tbaa !0
  store double %value, ptr %y, !tbaa !0
  ret void
}

define void @of_c(ptr %x, ptr %y) {
  %from = getelementptr i8, ptr %x, i64 8
  %to = getelementptr i8, ptr %y, i64 8
  %moved = load i64, ptr %from, !tbaa !4
  store i64 %moved, ptr %to, !tbaa !4
  %value = load double, ptr %x
  store double %value, ptr %y
  ret void
}

define void @ask(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__enzyme_fwddiff(ptr @of_fortran, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void (ptr, ...) @__enzyme_fwddiff(ptr @of_c, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"any data access", !2, i64 0}
!2 = !{!"any access", !3, i64 0}
!3 = !{!"Flang function root _QPf"}
!4 = !{!5, !5, i64 0}
!5 = !{!"long", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
