; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where a recursion ends nothing is kept: the tape is made behind the branch, and is NULL before.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i64 %n) {
entry:
  %last = icmp eq i64 %n, 0
  br i1 %last, label %end, label %deeper
deeper:
  %m = add i64 %n, -1
  %y = call double @f(double %x, i64 %m)
  %z = fmul double %y, %x
  br label %end
end:
  %r = phi double [%x, %entry], [%z, %deeper]
  ret double %r
}
; CHECK-LABEL: define internal double @nabla.augmented.f(double %x, i64 %n, ptr %0)
; CHECK-NOT:     __nabla_tape_allocate
; CHECK:         store ptr null, ptr %0
; CHECK-NOT:     __nabla_tape_allocate
; CHECK:         br i1 %last
; CHECK:       deeper:
; CHECK:         [[TAPE:%.*]] = call ptr @__nabla_tape_allocate(
; CHECK-NEXT:    store ptr [[TAPE]], ptr %0
; CHECK:         call double @nabla.augmented.f(

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %r
}
