; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A chain of products whose tangents are used once is one product, where it may be reassociated.
; What is kept is the product, not both factors.
; RUN: %opt -passes=nabla -nabla-print=simplify,plan -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=simplify -nabla-without=fold -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
; RUN: %opt -passes=nabla -nabla-print=simplify -nabla-without=simplify -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"

declare double @llvm.exp.f64(double)

define double @f(double %x, double %k) {
  %m = fmul reassoc double %x, %k
  %e = call reassoc double @llvm.exp.f64(double %m)
  ret double %e
}
; CHECK-LABEL: simplify @f
; CHECK:         sum      t(%e) = %partial * t(%x)
; CHECK-NOT:     sum
; CHECK-LABEL: plan @f
; CHECK-NEXT:    store double %partial in the function

; WITHOUT-LABEL: simplify @f
; WITHOUT:         sum      t(%m) = %k * t(%x)
; WITHOUT:         sum      t(%e) = %e * t(%m)

; 1e200 * 1e200 * 1e-300 is infinite, and the chain is not.
define double @strict(double %x, double %k) {
  %m = fmul double %x, %k
  %e = call double @llvm.exp.f64(double %m)
  ret double %e
}
; CHECK-LABEL: simplify @strict
; CHECK:         sum      t(%m) = %k * t(%x)
; CHECK:         sum      t(%e) = %e * t(%m)

; Magnitudes that are known cannot overflow, and changes of sign lose nothing.
define double @bounded(double %x, double %k) {
  %m = fmul double %x, 3.0
  %n = fmul double %m, 0.5
  %l = fsub double %k, %n
  %h = fneg double %x
  %p = fmul double %h, %k
  %r = fadd double %l, %p
  ret double %r
}
; CHECK-LABEL: simplify @bounded
; CHECK:         sum      t(%r) = (double -1.500000e+00) * t(%x) {{.*}}fneg double %k{{.*}} * t(%x)
; CHECK-NOT:     sum

declare double @__enzyme_autodiff(...)
@enzyme_const = external global i32
define double @use(double %x, double %k) noinline optnone {
  %c = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %c, double %k)
  %s = call double (...) @__enzyme_autodiff(ptr @strict, double %x, i32 %c, double %k)
  %t = call double (...) @__enzyme_autodiff(ptr @bounded, double %x, i32 %c, double %k)
  ret double %t
}
