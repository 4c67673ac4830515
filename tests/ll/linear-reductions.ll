; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The largest and the smallest of a vector are chains of links that have rules.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %p) {
  %v = load <2 x double>, ptr %p
  %most = call double @llvm.vector.reduce.fmaximum.v2f64(<2 x double> %v)
  %least = call double @llvm.vector.reduce.fminimum.v2f64(<2 x double> %v)
  %r = fadd double %most, %least
  ret double %r
}
; CHECK-LABEL: linear @f
; CHECK:         sum{{.*}}llvm.maximum
; CHECK:         sum{{.*}}llvm.minimum

declare double @llvm.vector.reduce.fmaximum.v2f64(<2 x double>)
declare double @llvm.vector.reduce.fminimum.v2f64(<2 x double>)
declare void @__enzyme_autodiff(...)
define void @use(ptr %p, ptr %d) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d)
  ret void
}
