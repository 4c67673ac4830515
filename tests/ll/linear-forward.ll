; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Forward mode has the same statements.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
  %y = call double @exp(double %x)
  %z = fadd double %y, %x
  ret double %z
}
declare double @exp(double)
; CHECK-LABEL: linear @f
; CHECK:         sum      t(%y) = %y * t(%x)
; CHECK-NEXT:    sum      t(%z) = {{.*}}t(%y) {{.*}}t(%x)

declare double @__enzyme_fwddiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %r
}
