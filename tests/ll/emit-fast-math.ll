; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A derivative never says that nothing is a NaN or infinite, even where the primal does.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
  %y = fmul nnan ninf nsz double %x, %x
  %z = fadd nnan ninf double %y, %x
  ret double %z
}
; CHECK-LABEL: define internal {{.*}}@nabla.reverse.f(
; CHECK-NOT:     {{nnan|ninf}}
; CHECK:       }

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
