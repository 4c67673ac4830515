; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop with an unknown trip count has its residuals in records.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  br label %loop
loop:
  %s = phi double [%x, %entry], [%t, %loop]
  %t = fmul double %s, %x
  %more = fcmp olt double %t, 100.0
  br i1 %more, label %loop, label %end
end:
  ret double %t
}
; CHECK-LABEL: plan @f
; CHECK-DAG:     store double %s in records of loop
; CHECK-DAG:     store i64 %exit.count in

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
