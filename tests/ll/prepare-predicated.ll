; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vector-predicated operations have the derivatives of loops over the lanes that are there
; (Inputs/masked.c with Inputs/predicated.h).
; Not all targets can compile all of them, so that the primal itself is left away.
; RUN: %opt -passes=nabla,globaldce -S %s -o %t.ll
; RUN: %clang -O0 -Wno-override-module -DPREDICATED %t.ll %S/Inputs/masked.c -o %t -lm
; RUN: %t | FileCheck %s
; RUN: %clang -O2 -Wno-override-module -DPREDICATED %t.ll %S/Inputs/masked.c -o %t -lm
; RUN: %t | FileCheck %s
; CHECK: reverse: the same
; CHECK: forward: the same
target triple = "x86_64-unknown-linux-gnu"

define internal double @predicated(ptr %p) {
  %q = getelementptr double, ptr %p, i64 4
  %r = getelementptr double, ptr %p, i64 8
  %first = load double, ptr %p, align 8
  %some = fcmp ogt double %first, 0.0
  %n = select i1 %some, i32 3, i32 4
  %v = call <4 x double> @llvm.vp.load.v4f64.p0(ptr align 8 %p, <4 x i1> splat (i1 true), i32 4)
  %large = call <4 x i1> @llvm.vp.fcmp.v4f64(<4 x double> %v, <4 x double> splat (double 1.6), metadata !"ogt", <4 x i1> splat (i1 true), i32 4)
  %m = and <4 x i1> %large, <i1 true, i1 true, i1 true, i1 false>
  %w = call <4 x double> @llvm.vp.load.v4f64.p0(ptr align 8 %q, <4 x i1> %m, i32 %n)
  %a = call <4 x double> @llvm.vp.fmul.v4f64(<4 x double> %v, <4 x double> %w, <4 x i1> %m, i32 %n)
  %b = call <4 x double> @llvm.vp.fadd.v4f64(<4 x double> %a, <4 x double> %v, <4 x i1> %m, i32 %n)
  %c = call <4 x double> @llvm.vp.fsub.v4f64(<4 x double> %b, <4 x double> %w, <4 x i1> %m, i32 %n)
  %d = call <4 x double> @llvm.vp.fdiv.v4f64(<4 x double> %c, <4 x double> %w, <4 x i1> %m, i32 %n)
  %e = call <4 x double> @llvm.vp.fma.v4f64(<4 x double> %d, <4 x double> %v, <4 x double> %a, <4 x i1> %m, i32 %n)
  %f = call <4 x double> @llvm.vp.fneg.v4f64(<4 x double> %e, <4 x i1> %m, i32 %n)
  %g = call <4 x double> @llvm.vp.fabs.v4f64(<4 x double> %f, <4 x i1> %m, i32 %n)
  %h = call <4 x double> @llvm.vp.sqrt.v4f64(<4 x double> %g, <4 x i1> %m, i32 %n)
  %x = call <4 x float> @llvm.vp.fptrunc.v4f32.v4f64(<4 x double> %h, <4 x i1> %m, i32 %n)
  %y = call <4 x double> @llvm.vp.fpext.v4f64.v4f32(<4 x float> %x, <4 x i1> %m, i32 %n)
  %z = call <4 x double> @llvm.vp.merge.v4f64(<4 x i1> %m, <4 x double> %y, <4 x double> %v, i32 %n)
  call void @llvm.vp.store.v4f64.p0(<4 x double> %z, ptr align 8 %q, <4 x i1> splat (i1 true), i32 %n)
  %s = call double @llvm.vp.reduce.fadd.v4f64(double %first, <4 x double> %z, <4 x i1> %m, i32 %n)
  %t = call double @llvm.vp.reduce.fmax.v4f64(double 1.0, <4 x double> %z, <4 x i1> %m, i32 %n)
  %u = call double @llvm.vp.reduce.fmul.v4f64(double 1.0, <4 x double> %z, <4 x i1> %m, i32 %n)
  %o = getelementptr double, ptr %p, i64 1
  %k = call <4 x double> @llvm.experimental.vp.strided.load.v4f64.p0.i64(ptr align 8 %o, i64 16, <4 x i1> splat (i1 true), i32 4)
  %l = call <4 x double> @llvm.vp.select.v4f64(<4 x i1> %m, <4 x double> %k, <4 x double> %z, i32 4)
  %i = getelementptr double, ptr %p, <4 x i64> <i64 9, i64 0, i64 3, i64 8>
  %j = call <4 x double> @llvm.vp.gather.v4f64.v4p0(<4 x ptr> align 8 %i, <4 x i1> splat (i1 true), i32 4)
  %jl = call <4 x double> @llvm.vp.fmul.v4f64(<4 x double> %j, <4 x double> %l, <4 x i1> splat (i1 true), i32 4)
  call void @llvm.vp.scatter.v4f64.v4p0(<4 x double> %jl, <4 x ptr> align 8 %i, <4 x i1> %m, i32 %n)
  %all = call double @llvm.vp.reduce.fadd.v4f64(double 0.0, <4 x double> %jl, <4 x i1> splat (i1 true), i32 4)
  %st = fadd double %s, %t
  %stu = fadd double %st, %u
  %sum = fadd double %stu, %all
  ret double %sum
}

declare <4 x double> @llvm.vp.load.v4f64.p0(ptr, <4 x i1>, i32)
declare void @llvm.vp.store.v4f64.p0(<4 x double>, ptr, <4 x i1>, i32)
declare <4 x double> @llvm.vp.gather.v4f64.v4p0(<4 x ptr>, <4 x i1>, i32)
declare void @llvm.vp.scatter.v4f64.v4p0(<4 x double>, <4 x ptr>, <4 x i1>, i32)
declare <4 x double> @llvm.experimental.vp.strided.load.v4f64.p0.i64(ptr, i64, <4 x i1>, i32)
declare <4 x i1> @llvm.vp.fcmp.v4f64(<4 x double>, <4 x double>, metadata, <4 x i1>, i32)
declare <4 x double> @llvm.vp.fmul.v4f64(<4 x double>, <4 x double>, <4 x i1>, i32)
declare <4 x double> @llvm.vp.fadd.v4f64(<4 x double>, <4 x double>, <4 x i1>, i32)
declare <4 x double> @llvm.vp.fsub.v4f64(<4 x double>, <4 x double>, <4 x i1>, i32)
declare <4 x double> @llvm.vp.fdiv.v4f64(<4 x double>, <4 x double>, <4 x i1>, i32)
declare <4 x double> @llvm.vp.fma.v4f64(<4 x double>, <4 x double>, <4 x double>, <4 x i1>, i32)
declare <4 x double> @llvm.vp.fneg.v4f64(<4 x double>, <4 x i1>, i32)
declare <4 x double> @llvm.vp.fabs.v4f64(<4 x double>, <4 x i1>, i32)
declare <4 x double> @llvm.vp.sqrt.v4f64(<4 x double>, <4 x i1>, i32)
declare <4 x float> @llvm.vp.fptrunc.v4f32.v4f64(<4 x double>, <4 x i1>, i32)
declare <4 x double> @llvm.vp.fpext.v4f64.v4f32(<4 x float>, <4 x i1>, i32)
declare <4 x double> @llvm.vp.merge.v4f64(<4 x i1>, <4 x double>, <4 x double>, i32)
declare <4 x double> @llvm.vp.select.v4f64(<4 x i1>, <4 x double>, <4 x double>, i32)
declare double @llvm.vp.reduce.fadd.v4f64(double, <4 x double>, <4 x i1>, i32)
declare double @llvm.vp.reduce.fmax.v4f64(double, <4 x double>, <4 x i1>, i32)
declare double @llvm.vp.reduce.fmul.v4f64(double, <4 x double>, <4 x i1>, i32)
declare void @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
@enzyme_dup = external global i32

define void @masked_reverse(ptr %p, ptr %d) {
  %dup = load i32, ptr @enzyme_dup
  call void (ptr, ...) @__enzyme_autodiff(ptr @predicated, i32 %dup, ptr %p, ptr %d)
  ret void
}
define double @masked_forward(ptr %p, ptr %d) {
  %dup = load i32, ptr @enzyme_dup
  %t = call double (ptr, ...) @__enzyme_fwddiff(ptr @predicated, i32 %dup, ptr %p, ptr %d)
  ret double %t
}
