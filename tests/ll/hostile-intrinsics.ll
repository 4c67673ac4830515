; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A conversion that says how it rounds.
; RUN: %opt -passes=nabla,verify -S %s 2>&1 | FileCheck %s
; CHECK-NOT: error:
; CHECK: define double @g(
; CHECK: constrained.fptrunc.f32.f64(double %{{.*}}, metadata !"round.tonearest"
; CHECK: define double @h(
; CHECK: constrained.fptrunc
target triple = "x86_64-unknown-linux-gnu"

declare float @llvm.experimental.constrained.fptrunc.f32.f64(double, metadata, metadata)
declare double @llvm.arithmetic.fence.f64(double)
declare {double, i32} @llvm.frexp.f64.i32(double)
declare double @llvm.readcyclecounter.f64()
declare void @llvm.trap()
declare double @llvm.ssa.copy.f64(double)
declare double @llvm.fmuladd.f64(double,double,double)
declare double @llvm.canonicalize.f64(double)
define double @f(double %x) strictfp {
entry:
  %n = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %x,
      metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %a = fpext float %n to double
  %b = call double @llvm.arithmetic.fence.f64(double %a)
  %c = call {double, i32} @llvm.frexp.f64.i32(double %b)
  %d = extractvalue {double, i32} %c, 0
  %e = call double @llvm.canonicalize.f64(double %d)
  ret double %e
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
