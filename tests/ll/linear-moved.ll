; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Bytes that are a pointer or a number are moved as a pointer, as the program says. In reverse mode,
; where they come to rest they have no adjoint, unless they are a number that is read; in forward
; mode the tangent goes where the shadow of a pointer goes.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

%union.Slot = type { ptr }

define double @move(ptr %x, i1 %pointer, i64 %i) {
  %from = alloca %union.Slot, align 8
  %slots = alloca [2 x %union.Slot], align 8
  %to = getelementptr [2 x %union.Slot], ptr %slots, i64 0, i64 %i
  br i1 %pointer, label %as_pointer, label %as_number
as_pointer:
  store ptr %x, ptr %from
  br label %copy
as_number:
  %value = load double, ptr %x
  %square = fmul double %value, %value
  store double %square, ptr %from
  br label %copy
copy:
  %moved = load ptr, ptr %from, !tbaa !0
  store ptr %moved, ptr %to, !tbaa !0
  br i1 %pointer, label %from_pointer, label %from_number
from_pointer:
  %other = load double, ptr %moved
  ret double %other
from_number:
  %number = load double, ptr %to
  ret double %number
}

; CHECK-LABEL: define {{.*}}@nabla.reverse.move(
; CHECK:         %stored = load i64, ptr
; CHECK:         call void @__nabla_moved(i32

; CHECK-LABEL: define {{.*}}@nabla.forward.move(
; CHECK:       copy:
; CHECK:         [[MOVED:%shadow.*]] = load ptr, ptr %shadow
; CHECK:         store ptr [[MOVED]], ptr %shadow

@enzyme_dup = external global i32
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
define void @use(ptr %x, ptr %dx, i1 %pointer, i64 %i) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @move, ptr %x, ptr %dx, i1 %pointer, i64 %i)
  %f = call double (...) @__enzyme_fwddiff(ptr @move, ptr %x, ptr %dx, i1 %pointer, i64 %i)
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"any pointer", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
