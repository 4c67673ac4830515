; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A label whose address is kept.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK-NOT: Stack dump
; CHECK: error: {{.*}}[nabla: control-flow]
target triple = "x86_64-unknown-linux-gnu"

@keep = global ptr null
define double @f(double %x) {
entry:
  store ptr blockaddress(@f, %a), ptr @keep
  br label %a
a:
  %y = fmul double %x, %x
  ret double %y
}
declare double @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
define double @g(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
define double @h(double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %r
}
