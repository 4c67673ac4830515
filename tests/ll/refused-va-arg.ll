; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; LLVM's instruction for variable arguments says nothing of where these lie.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK: error: {{.*}}a variable argument is read here{{.*}}[nabla: no-rule]
target triple = "x86_64-unknown-linux-gnu"

define internal double @f(ptr %list, double %x) {
  %a = va_arg ptr %list, double
  %y = fmul double %a, %x
  ret double %y
}

define double @use(ptr %list, ptr %shadow, double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %list, ptr %shadow, double %x)
  ret double %r
}

declare double @__enzyme_autodiff(...)
