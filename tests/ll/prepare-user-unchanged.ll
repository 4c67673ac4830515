; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The user's own function is left as it was.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %slot = alloca double
  store double %x, ptr %slot
  %v = load double, ptr %slot
  %y = fmul double %v, %v
  ret double %y
}
; CHECK-LABEL: define double @f(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %slot = alloca double
; CHECK-NEXT:    store double %x, ptr %slot
; CHECK-NEXT:    %v = load double, ptr %slot
; CHECK-NEXT:    %y = fmul double %v, %v
; CHECK-NEXT:    ret double %y

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
