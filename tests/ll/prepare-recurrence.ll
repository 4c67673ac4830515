; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An integer that grows by equal steps becomes an expression of the counter.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %a, i64 %n, i32 %step) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %j = phi i32 [7, %entry], [%k, %loop]
  %s = phi double [0.0, %entry], [%t, %loop]
  %p = getelementptr double, ptr %a, i32 %j
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %k = add i32 %j, %step
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}
; CHECK-LABEL: @nabla.work.f(
; CHECK:       loop:
; CHECK-NOT:     phi i32
; CHECK:         %[[C:.*]] = trunc i64 %counter to i32
; CHECK:         %[[D:.*]] = mul i32 %[[C]], %step
; CHECK:         %[[J:.*]] = add i32 7, %[[D]]
; CHECK:         getelementptr double, ptr %a, i32 %[[J]]

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da, i64 %n, i32 %k) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da, i64 %n, i32 %k)
  ret void
}
