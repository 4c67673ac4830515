; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Another operating system is refused.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK: error: {{.*}}[nabla: target]
target triple = "x86_64-pc-windows-msvc"

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
declare double @__enzyme_autodiff(...)
define double @use(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
