; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A cycle with two entries becomes a loop with one.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %p = phi double [%x, %entry], [%w, %b]
  %v = fmul double %p, %x
  %out = fcmp ogt double %v, 100.0
  br i1 %out, label %end, label %b
b:
  %q = phi double [%x, %entry], [%v, %a]
  %w = call double @sin(double %q)
  br label %a
end:
  ret double %v
}
declare double @sin(double)
; CHECK-LABEL: @nabla.work.f(
; CHECK:       irr.guard{{.*}}:
; CHECK:         %counter = phi i64
; CHECK:       }

declare double @__enzyme_autodiff(...)
define double @use(double %x, i1 %c) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i1 %c)
  ret double %r
}
