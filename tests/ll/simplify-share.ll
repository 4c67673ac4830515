; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A coefficient that is needed twice is one value, and so is one that the primal computes anyway,
; above it or in the same block.
; RUN: %opt -passes=nabla -nabla-print=simplify -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=simplify -nabla-without=share -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"

declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)

define double @f(double %x, double %k) {
  %s = call double @llvm.sin.f64(double %x)
  %h = call double @llvm.cos.f64(double %k)
  %t = call double @llvm.sin.f64(double %k)
  %c = call double @llvm.cos.f64(double %x)
  %p = fmul double %s, %c
  %a = fdiv double %p, %k
  %u = fmul double %t, %h
  %b = fdiv double %u, %k
  %r = fmul double %a, %b
  ret double %r
}
; CHECK-LABEL: simplify @f
; CHECK:         sum      t(%s) = %c * t(%x)
; CHECK:         sum      t(%t) = %h * t(%k)
; CHECK:         sum      t(%a) = [[ONE:.*]] * t(%p) {{.*}} * t(%k)
; CHECK:         sum      t(%b) = [[ONE]] * t(%u) {{.*}} * t(%k)

; WITHOUT-LABEL: simplify @f
; WITHOUT:         sum      t(%s) = ({{.*}}call{{.*}}cos{{.*}}) * t(%x)

declare { double, double } @__enzyme_autodiff(...)
define double @use(double %x, double %k) noinline optnone {
  %r = call { double, double } (...) @__enzyme_autodiff(ptr @f, double %x, double %k)
  %s = extractvalue { double, double } %r, 0
  ret double %s
}
