; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A select chooses among tangents.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, double %z) {
  %c = fcmp ogt double %x, 1.0
  %y = select i1 %c, double %x, double %z
  ret double %y
}
; CHECK-LABEL: linear @f
; CHECK:         choose   t(%y) = t(%x) t(%z) if %c

declare {double, double} @__enzyme_autodiff(...)
define {double, double} @use(double %x, double %z) noinline optnone {
  %r = call {double, double} (...) @__enzyme_autodiff(ptr @f, double %x, double %z)
  ret {double, double} %r
}
