; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Library functions declared with other types.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK-NOT: Stack dump
; CHECK: error: {{.*}}[nabla: no-rule]
target triple = "x86_64-unknown-linux-gnu"

declare i32 @sin(i32, i32)
declare void @pow(double)
declare double @malloc(double)
define double @f(double %x) {
entry:
  %i = call i32 @sin(i32 1, i32 2)
  call void @pow(double %x)
  %m = call double @malloc(double %x)
  %c = sitofp i32 %i to double
  %y = fmul double %c, %m
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
