; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A product is a sum of two tangents with the other factor as coefficient.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, double %z) {
  %y = fmul double %x, %z
  ret double %y
}
; CHECK-LABEL: linear @f
; CHECK:         sum      t(%y) = %z * t(%x) %x * t(%z)

declare double @__enzyme_fwddiff(...)
define double @use(double %x, double %z) noinline optnone {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, double %z, double 1.0)
  ret double %r
}
