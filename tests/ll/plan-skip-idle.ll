; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop without derivatives is not walked backwards: its exit is not kept.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, ptr %k) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %p = getelementptr i32, ptr %k, i64 %i
  %v = load i32, ptr %p
  %next = add i64 %i, 1
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  %y = fmul double %x, %x
  ret double %y
}
; CHECK-LABEL: plan @f
; CHECK-NOT:     store
; CHECK-NOT:     exit.count

@enzyme_const = external global i32
declare double @__enzyme_autodiff(...)
define double @use(double %x, ptr %k) noinline optnone {
  %c = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %c, ptr %k)
  ret double %r
}
