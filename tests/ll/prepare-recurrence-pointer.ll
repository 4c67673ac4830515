; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer that walks by equal steps becomes an expression of the counter.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %a, ptr %end) {
entry:
  br label %loop
loop:
  %p = phi ptr [%a, %entry], [%q, %loop]
  %s = phi double [0.0, %entry], [%t, %loop]
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %q = getelementptr inbounds double, ptr %p, i64 1
  %done = icmp eq ptr %q, %end
  br i1 %done, label %exit, label %loop
exit:
  ret double %t
}
; CHECK-LABEL: @nabla.work.f(
; CHECK:       loop:
; CHECK-NOT:     phi ptr
; CHECK:         %[[D:.*]] = mul i64 %counter, 8
; CHECK:         getelementptr i8, ptr %a, i64 %[[D]]

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da, ptr %e, ptr %de) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da, i32 %d, ptr %e, ptr %de)
  ret void
}
