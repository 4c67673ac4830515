; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a loop carries of an array from one iteration to the next is loaded again, so that the reverse
; sweep can do so too; not where the array is written in the loop, or between the load before the
; loop and the loop.
; RUN: %opt -passes=nabla -nabla-print=prepare,plan -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-without=reload -nabla-print=plan -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"

define void @carried(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  %first = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %last = phi double [%first, %entry], [%here, %loop]
  %next = add nuw nsw i64 %i, 1
  %p = getelementptr inbounds double, ptr %x, i64 %next
  %here = load double, ptr %p
  %t = fmul double %last, %here
  %q = getelementptr inbounds double, ptr %y, i64 %i
  store double %t, ptr %q
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @nabla.work.carried(
; CHECK:       loop:
; CHECK-NOT:     phi double
; CHECK:         %[[BYTES:.*]] = mul i64 %counter, 8
; CHECK:         %[[AT:.*]] = getelementptr i8, ptr %x, i64 %[[BYTES]]
; CHECK:         %again = load double, ptr %[[AT]]
; CHECK-LABEL: plan @carried
; CHECK-NOT:     store
; CHECK-LABEL: @nabla.work.before(
; CHECK:         phi double
; CHECK-LABEL: plan @before
; WITHOUT-LABEL: plan @carried
; WITHOUT:         store double %last

define void @before(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  %first = load double, ptr %x
  store double 7.0, ptr %x
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %last = phi double [%first, %entry], [%here, %loop]
  %next = add nuw nsw i64 %i, 1
  %p = getelementptr inbounds double, ptr %x, i64 %next
  %here = load double, ptr %p
  %t = fmul double %last, %here
  %q = getelementptr inbounds double, ptr %y, i64 %i
  store double %t, ptr %q
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @inside(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  %first = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %last = phi double [%first, %entry], [%here, %loop]
  %next = add nuw nsw i64 %i, 1
  %p = getelementptr inbounds double, ptr %x, i64 %next
  %here = load double, ptr %p
  %t = fmul double %last, %here
  store double %t, ptr %p
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @nabla.work.inside(
; CHECK:         phi double
; CHECK-LABEL: plan @inside

declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @carried, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @before, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @inside, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
