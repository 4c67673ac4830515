; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Other floating-point formats.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK-NOT: Stack dump
; CHECK: error: {{.*}}[nabla: float-format]
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %a = fptrunc double %x to half
  %b = fpext half %a to double
  %c = fptrunc double %x to bfloat
  %d = fpext bfloat %c to double
  %e = fpext double %x to x86_fp80
  %g = fptrunc x86_fp80 %e to double
  %i = fpext double %x to fp128
  %s = fdiv fp128 0xL00000000000000003FFF000000000000, %i
  %j = fptrunc fp128 %s to double
  %y = fmul double %b, %d
  %z = fmul double %g, %j
  %r = fadd double %y, %z
  ret double %r
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
