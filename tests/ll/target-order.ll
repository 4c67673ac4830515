; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Another byte order is refused.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK: error: {{.*}}[nabla: target]
target datalayout = "E-m:e-p:64:64-i64:64-n32:64-S128"
target triple = "s390x-linux-gnu"

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
declare double @__enzyme_autodiff(...)
define double @use(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
