; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Terms of one tangent are one term: always where they are plain, else where sums may be
; reassociated (x + x may overflow where x * b does not). This x + x is one that the primal has.
; RUN: %opt -passes=nabla -nabla-print=simplify -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
  %a = fadd double %x, %x
  %y = fmul double %a, %a
  %z = fmul reassoc double %x, %x
  %d = fsub double %z, %z
  %r = fadd double %y, %d
  %s = fadd double %r, %z
  ret double %s
}
; CHECK-LABEL: simplify @f
; CHECK:         sum      t(%a) = (double 2.000000e+00) * t(%x)
; CHECK:         sum      t(%y) = %a * t(%a) %a * t(%a)
; CHECK:         sum      t(%s) = (double 1.000000e+00) * t(%y) %a * t(%x)
; CHECK-NOT:     sum

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
