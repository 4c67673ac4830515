; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The arrays of a loop are freed where its reverse ends, whichever way the function went.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i64 %n) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %s = phi double [%x, %entry], [%t, %loop]
  %t = call double @sin(double %s)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %check
check:
  %big = fcmp ogt double %t, 0.5
  br i1 %big, label %early, label %end
early:
  %e = fmul double %t, %t
  ret double %e
end:
  %r = phi double [%x, %entry], [%t, %check]
  ret double %r
}
declare double @sin(double)
; CHECK-LABEL: define internal {{.*}}@nabla.augmented.f(
; CHECK-COUNT-1: call ptr @__nabla_tape_allocate(
; CHECK-NOT:     @__nabla_tape_allocate(
; CHECK-LABEL: define internal {{.*}}@nabla.reverse.f(
; CHECK-COUNT-1: call void @__nabla_tape_release(
; CHECK-NOT:     @__nabla_tape_release(
; CHECK:       }

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %r
}
