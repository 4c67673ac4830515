; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call of a function with a body is one statement.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @g(double %z) noinline {
  %y = fmul double %z, %z
  ret double %y
}
define double @f(double %x) {
  %y = call double @g(double %x)
  ret double %y
}
; CHECK-LABEL: linear @f
; CHECK:         call     t(%y) = t(%x) @g

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
