; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A library function's coefficient is the expression of its rule.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
  %y = call double @sin(double %x)
  ret double %y
}
declare double @sin(double)
; CHECK-LABEL: linear @f
; CHECK:         sum      t(%y) = {{.*}}call double @llvm.cos.f64(double %x){{.*}} * t(%x)

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
