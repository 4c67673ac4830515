; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Another machine is refused, where derivatives are asked for.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK: error: {{.*}}[nabla: target]
target triple = "aarch64-linux-gnu"

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
declare double @__enzyme_autodiff(...)
define double @use(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
