; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A computed goto.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK-NOT: Stack dump
; CHECK: error: {{.*}}[nabla: control-flow]
target triple = "x86_64-unknown-linux-gnu"

@t = global [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]
define double @f(double %x) {
entry:
  %l = load ptr, ptr @t
  indirectbr ptr %l, [label %a, label %b]
a:
  %y = fmul double %x, %x
  ret double %y
b:
  ret double %x
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
