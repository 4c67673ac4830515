; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call of a function that takes variable arguments passes these in memory, where the function's
; copy finds them; the function itself, and other calls, stay as they are. Arguments that are handed
; on as a whole stay where they were.
; RUN: %opt -passes=nabla -nabla-print=direct -S %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%list = type { i32, i32, ptr, ptr }

define internal double @next(i32 %n, ...) {
  %list = alloca %list, align 16
  call void @llvm.va_start.p0(ptr %list)
  %taken.at = getelementptr i8, ptr %list, i64 4
  %taken = load i32, ptr %taken.at
  %left = icmp ule i32 %taken, 160
  br i1 %left, label %register, label %memory

register:
  %saved.at = getelementptr i8, ptr %list, i64 16
  %saved = load ptr, ptr %saved.at
  %in.register = getelementptr i8, ptr %saved, i32 %taken
  %more = add i32 %taken, 16
  store i32 %more, ptr %taken.at
  br label %both

memory:
  %area.at = getelementptr i8, ptr %list, i64 8
  %area = load ptr, ptr %area.at
  %rest = getelementptr i8, ptr %area, i64 8
  store ptr %rest, ptr %area.at
  br label %both

both:
  %at = phi ptr [ %in.register, %register ], [ %area, %memory ]
  %x = load double, ptr %at
  call void @llvm.va_end.p0(ptr %list)
  ret double %x
}

define internal double @thunk(i32 %n, ...) {
  %r = musttail call double (i32, ...) @next(i32 %n, ...)
  ret double %r
}

define internal double @f(double %x) {
  %y = call double (i32, ...) @next(i32 1, double %x, i32 7)
  %z = call double (i32, ...) @thunk(i32 1, double 2.0)
  %r = fmul double %y, %z
  ret double %r
}

define double @use(double %x) {
  %a = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  %b = call double (i32, ...) @next(i32 1, double %x)
  %c = fadd double %a, %b
  ret double %c
}

declare double @__enzyme_autodiff(...)
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)

; CHECK-LABEL: define internal double @nabla.variable.f(
; CHECK: [[MEMORY:%.*]] = alloca <{ double, i32, [4 x i8] }>, align 16
; CHECK: store double %{{.*}}, ptr
; CHECK: store i32 7, ptr
; CHECK: call double @nabla.variable.next(i32 1, ptr [[MEMORY]])
; CHECK: call double (i32, ...) @thunk(i32 1, double 2.000000e+00)

; CHECK-LABEL: define internal double @nabla.variable.next(i32 %n, ptr
; CHECK-NEXT: memory:
; CHECK-NEXT: load double, ptr %{{[^,]*}},
; CHECK-NEXT: ret double

; CHECK-LABEL: define double @use(
; CHECK: call double (i32, ...) @next(i32 1, double %x)
