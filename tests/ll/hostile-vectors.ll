; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function of vectors of which nothing is known.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK-NOT: Stack dump
; CHECK: error: {{.*}}[nabla: no-rule]
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %v = insertelement <4 x double> poison, double %x, i32 0
  %s = shufflevector <4 x double> %v, <4 x double> poison, <4 x i32> zeroinitializer
  %m = fmul <4 x double> %s, <double 1.0, double 2.0, double 3.0, double 4.0>
  %e = extractelement <4 x double> %m, i32 2
  %n = call <4 x double> @llvm.experimental.vp.reverse.v4f64(<4 x double> %m, <4 x i1> splat (i1 true), i32 3)
  %r = extractelement <4 x double> %n, i32 1
  %t = fadd double %e, %r
  ret double %t
}
declare <4 x double> @llvm.experimental.vp.reverse.v4f64(<4 x double>, <4 x i1>, i32)
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
