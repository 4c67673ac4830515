; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The largest and the smallest of a vector are chains of links that have rules. A number in its
; preferred form is the same number.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %p) {
  %v = load <2 x double>, ptr %p
  %most = call double @llvm.vector.reduce.fmaximum.v2f64(<2 x double> %v)
  %least = call double @llvm.vector.reduce.fminimum.v2f64(<2 x double> %v)
  %r = fadd double %most, %least
  %c = call double @llvm.canonicalize.f64(double %r)
  ret double %c
}
; CHECK-LABEL: linear @f
; CHECK:         sum{{.*}}llvm.maximum
; CHECK:         sum{{.*}}llvm.minimum
; CHECK:         sum      t(%c) = (double 1.000000e+00) * t(%r)

declare double @llvm.canonicalize.f64(double)
declare double @llvm.vector.reduce.fmaximum.v2f64(<2 x double>)
declare double @llvm.vector.reduce.fminimum.v2f64(<2 x double>)
declare void @__enzyme_autodiff(...)
define void @use(ptr %p, ptr %d) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d)
  ret void
}
