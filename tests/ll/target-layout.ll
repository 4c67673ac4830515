; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A layout with pointers of 32 bits is refused.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK: error: {{.*}}[nabla: target]
target datalayout = "e-m:e-p:32:32-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnux32"

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
declare double @__enzyme_autodiff(...)
define double @use(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
