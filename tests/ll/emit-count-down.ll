; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The reverse of a loop counts down to zero, but where the order makes no difference.
; RUN: %opt -passes=nabla -nabla-without=order -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %s = phi double [0.0, %entry], [%t, %loop]
  %p = getelementptr double, ptr %a, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %t = fadd double %s, %w
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}
; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(
; CHECK-DAG:     getelementptr {{.*}}double, ptr %2, i64 %[[I:counter[^ ]*]]
; CHECK-DAG:     icmp eq i64 %[[I]], 0
; CHECK-DAG:     = add {{.*}}i64 %counter{{.*}}, -1
; CHECK:         ret void

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da, i64 %n) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da, i64 %n)
  ret void
}
