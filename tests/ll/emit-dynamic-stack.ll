; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A stack array of run-time size, in reverse mode: with a shadow it comes from the heap, until the
; reverse sweep is past it; an array of integers in a loop stays on the stack.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %s = phi double [%x, %entry], [%t, %loop]
  %saved = call ptr @llvm.stacksave.p0()
  %next = add nuw i64 %i, 1
  %a = alloca double, i64 %next, align 16
  %order = alloca i64, i64 %next, align 8
  %slot = getelementptr i64, ptr %order, i64 %i
  store i64 %i, ptr %slot
  %at = load i64, ptr %order
  %place = getelementptr double, ptr %a, i64 %at
  store double %s, ptr %place
  %y = load double, ptr %a
  %t = fmul double %y, %y
  call void @llvm.stackrestore.p0(ptr %saved)
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-LABEL: define {{.*}}@nabla.augmented.f(
; CHECK:         call ptr @llvm.stacksave
; CHECK:         call ptr @__nabla_stack_array(i64 %{{.*}}, i64 8, i64 16, ptr @nabla.name.f, ptr null)
; CHECK:         call ptr @__nabla_stack_shadow(i64 %{{.*}}, i64 8, i64 16, ptr @nabla.name.f, ptr null)
; CHECK:         alloca i64, i64 %
; CHECK:         call void @llvm.stackrestore
; CHECK-LABEL: define {{.*}}@nabla.reverse.f(
; CHECK:         call void @__nabla_tape_release(
; CHECK:         call void @__nabla_tape_release(

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %r
}
