; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop left in two places has a counter for each of them.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %latch]
  %s = phi double [%x, %entry], [%t, %latch]
  %t = fmul double %s, %x
  %big = fcmp ogt double %t, 100.0
  br i1 %big, label %out, label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
out:
  %twice = fmul double %s, 2.0
  ret double %twice
end:
  ret double %t
}
; CHECK-LABEL: @nabla.work.f(
; CHECK-DAG:     %exit.count{{[0-9]*}} = phi i64 [ %counter, %latch ]
; CHECK-DAG:     %exit.count{{[0-9]*}} = phi i64 [ %counter, %loop ]
; CHECK-DAG:     %decision = phi i1

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %r
}
