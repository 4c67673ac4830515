; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A coefficient that does not change in a loop is computed outside of it: it is kept once, not for
; each iteration.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=plan -nabla-without=hoist -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %x, ptr %w, i64 %n) {
entry:
  %k = load double, ptr %w
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %p = fdiv double %v, %k
  %more = fadd double %sum, %p
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  store double 0.0, ptr %w
  ret double %more
}
; CHECK-LABEL: plan @f
; CHECK:         store double {{.*}}fdiv double 1.0{{.*}} in the function

; WITHOUT-LABEL: plan @f
; WITHOUT-NOT:     {{fdiv.*}} in the function

@enzyme_dup = external global i32
declare double @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx, ptr %w, ptr %dw, i64 %n) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %x, ptr %dx, i32 %d, ptr %w, ptr %dw, i64 %n)
  ret void
}
