; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The tangent of z - z is zero whatever z is. Nothing else reads that of z, which is followed no
; more, and its coefficient is not kept.
; RUN: %opt -passes=nabla -nabla-print=simplify,plan -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=simplify -nabla-without=dead -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"

declare double @llvm.exp.f64(double)

define double @f(double %x) {
  %z = call double @llvm.exp.f64(double %x)
  %d = fsub double %z, %z
  %y = fmul double %x, 3.0
  %r = fadd double %y, %d
  ret double %r
}
; CHECK-LABEL: simplify @f
; CHECK-NEXT:    :
; CHECK-NEXT:    sum      t(%r) = (double 3.000000e+00) * t(%x)
; CHECK-NEXT:  plan @f
; CHECK-NOT:     %z

; WITHOUT-LABEL: simplify @f
; WITHOUT:         sum      t(%z) = %z * t(%x)
; WITHOUT:         sum      t(%r) = {{.*}} * t(%d)

declare double @__enzyme_autodiff(...)
define double @use(double %x) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
