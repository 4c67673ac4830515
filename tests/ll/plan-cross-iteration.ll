; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An element that a later iteration overwrites is not read again.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %next = add i64 %i, 1
  %q = getelementptr double, ptr %a, i64 %next
  %v = load double, ptr %q
  %y = fmul double %v, %v
  %p = getelementptr double, ptr %a, i64 %i
  store double %y, ptr %p
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: plan @f
; CHECK:         store double %v in arrays of loop

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da, i64 %n) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da, i64 %n)
  ret void
}
