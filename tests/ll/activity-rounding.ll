; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Comparisons and rounding end a derivative; what does not reach the result is not useful.
; RUN: %opt -passes=nabla -nabla-print=activity -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
  %k = fptosi double %x to i32
  %rounded = sitofp i32 %k to double
  %unused = fmul double %x, 7.0
  %positive = fcmp ogt double %unused, 0.0
  %part = select i1 %positive, double %x, double %rounded
  %r = fadd double %part, %rounded
  ret double %r
}
; CHECK-LABEL: activity of @nabla.work.f
; CHECK-NOT:     active {{.*}}sitofp
; CHECK-NOT:     active %unused
; CHECK:         active %part = select
; CHECK-NEXT:    active %r = fadd

declare double @__enzyme_autodiff(...)
define double @use(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
