; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Weights that a state may overlap are kept; where a test at run time says that it does not, another
; version runs that reads them again.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -S %s | FileCheck %s --check-prefix=CODE
; RUN: %opt -passes=nabla -nabla-without=apart -nabla-print=plan -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %state, ptr %weights, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %p = getelementptr inbounds double, ptr %state, i64 %i
  %q = getelementptr inbounds double, ptr %weights, i64 %i
  %s = load double, ptr %p
  %w = load double, ptr %q
  %t = fmul double %s, %w
  store double %t, ptr %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: plan @f
; CHECK-DAG:     store double %s in arrays of loop
; CHECK-DAG:     store double %w in arrays of loop
; CHECK-LABEL: plan @f
; CHECK-NOT:     store double %w
; CHECK:         recompute %w

; The ends of both ranges, and of both shadows', are compared.
; CODE-LABEL: define internal void @nabla.choice.f(
; CODE-COUNT-4: icmp ule

; WITHOUT:     plan @f
; WITHOUT-NOT: plan @f

declare void @__enzyme_autodiff(...)
define void @use(ptr %s, ptr %ds, ptr %w, ptr %dw, i64 %n) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %s, ptr %ds, ptr %w, ptr %dw, i64 %n)
  ret void
}
