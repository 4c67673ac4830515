; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loads and stores under masks have the derivatives of loops that do the same (Inputs/masked.c).
; RUN: %clang -O0 -Wno-override-module %s %S/Inputs/masked.c -o %t && %t | FileCheck %s
; RUN: %clang -O2 -Wno-override-module %s %S/Inputs/masked.c -o %t && %t | FileCheck %s
; CHECK: reverse: the same
; CHECK: forward: the same
target triple = "x86_64-unknown-linux-gnu"

define double @masked(ptr %p) {
  %q = getelementptr double, ptr %p, i64 4
  %r = getelementptr double, ptr %p, i64 8
  %v = load <4 x double>, ptr %p, align 8
  %m = fcmp ogt <4 x double> %v, <double 2.0, double 2.0, double 2.0, double 2.0>
  %a = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %q, i32 8, <4 x i1> %m, <4 x double> %v)
  %b = fmul <4 x double> %a, %v
  call void @llvm.masked.store.v4f64.p0(<4 x double> %b, ptr %q, i32 8, <4 x i1> %m)
  %c = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %q, i32 8,
         <4 x i1> <i1 true, i1 false, i1 true, i1 true>, <4 x double> zeroinitializer)
  %d = call <4 x double> @llvm.masked.expandload.v4f64(ptr %r, <4 x i1> %m, <4 x double> %v)
  %e = fmul <4 x double> %c, %d
  call void @llvm.masked.compressstore.v4f64(<4 x double> %e, ptr %r, <4 x i1> %m)
  %i = getelementptr double, ptr %p, <4 x i64> <i64 9, i64 0, i64 3, i64 8>
  %f = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> %i, i32 8, <4 x i1> %m,
         <4 x double> %e)
  %g = fmul <4 x double> %f, %f
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %g, <4 x ptr> %i, i32 8, <4 x i1> %m)
  %s = call double @llvm.vector.reduce.fadd.v4f64(double 0.0, <4 x double> %g)
  ret double %s
}

declare <4 x double> @llvm.masked.load.v4f64.p0(ptr, i32, <4 x i1>, <4 x double>)
declare void @llvm.masked.store.v4f64.p0(<4 x double>, ptr, i32, <4 x i1>)
declare <4 x double> @llvm.masked.expandload.v4f64(ptr, <4 x i1>, <4 x double>)
declare void @llvm.masked.compressstore.v4f64(<4 x double>, ptr, <4 x i1>)
declare <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x double>)
declare void @llvm.masked.scatter.v4f64.v4p0(<4 x double>, <4 x ptr>, i32, <4 x i1>)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
declare void @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
@enzyme_dup = external global i32

define void @masked_reverse(ptr %p, ptr %d) {
  %dup = load i32, ptr @enzyme_dup
  call void (ptr, ...) @__enzyme_autodiff(ptr @masked, i32 %dup, ptr %p, ptr %d)
  ret void
}
define double @masked_forward(ptr %p, ptr %d) {
  %dup = load i32, ptr @enzyme_dup
  %t = call double (ptr, ...) @__enzyme_fwddiff(ptr @masked, i32 %dup, ptr %p, ptr %d)
  ret double %t
}
