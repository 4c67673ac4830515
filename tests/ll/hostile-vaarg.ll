; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variable arguments.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK-NOT: Stack dump
; CHECK: error: {{.*}}[nabla: no-rule]
target triple = "x86_64-unknown-linux-gnu"

define double @v(i32 %n, ...) {
  %ap = alloca [24 x i8]
  call void @llvm.va_start.p0(ptr %ap)
  %d = va_arg ptr %ap, double
  call void @llvm.va_end.p0(ptr %ap)
  ret double %d
}
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
define double @f(double %x) {
entry:
  %y = call double (i32, ...) @v(i32 1, double %x)
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
