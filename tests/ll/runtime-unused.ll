; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where no tape grows, nothing of the runtime is linked.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
; CHECK-NOT:   __nabla
; CHECK-NOT:   @fail
; CHECK-NOT:   @malloc

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
