; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intrinsics that put lanes of fixed vectors in another order become shuffles, and those of numbers
; of 16 bits casts.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %p) {
  %a = load <4 x double>, ptr %p
  %q = getelementptr i8, ptr %p, i64 32
  %b = load <4 x double>, ptr %q
  %r = call <4 x double> @llvm.vector.reverse.v4f64(<4 x double> %a)
  %s = call <4 x double> @llvm.vector.splice.v4f64(<4 x double> %r, <4 x double> %b, i32 1)
  %t = call <4 x double> @llvm.vector.splice.v4f64(<4 x double> %s, <4 x double> %b, i32 -1)
  %i = call <8 x double> @llvm.vector.interleave2.v8f64(<4 x double> %t, <4 x double> %b)
  %w = fmul <8 x double> %i, %i
  %d = call {<4 x double>, <4 x double>} @llvm.vector.deinterleave2.v8f64(<8 x double> %w)
  %d1 = extractvalue {<4 x double>, <4 x double>} %d, 1
  %e = call <2 x double> @llvm.vector.extract.v2f64.v4f64(<4 x double> %d1, i64 2)
  %n = call <4 x double> @llvm.vector.insert.v4f64.v2f64(<4 x double> %b, <2 x double> %e, i64 2)
  store <4 x double> %n, ptr %p
  ret void
}
; CHECK: [[A:%.*]] = load <4 x double>, ptr %{{.*}}
; CHECK: [[B:%.*]] = load <4 x double>, ptr %{{.*}}
; CHECK: [[R:%.*]] = shufflevector <4 x double> [[A]], <4 x double> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: [[S:%.*]] = shufflevector <4 x double> [[R]], <4 x double> [[B]], <4 x i32> <i32 1, i32 2, i32 3, i32 4>
; CHECK: [[T:%.*]] = shufflevector <4 x double> [[S]], <4 x double> [[B]], <4 x i32> <i32 3, i32 4, i32 5, i32 6>
; CHECK: [[T2:%.*]] = shufflevector <4 x double> [[T]], <4 x double> poison, <8 x i32> <i32 0, i32 poison, i32 1, i32 poison, i32 2, i32 poison, i32 3, i32 poison>
; CHECK: [[B2:%.*]] = shufflevector <4 x double> [[B]], <4 x double> poison, <8 x i32> <i32 poison, i32 0, i32 poison, i32 1, i32 poison, i32 2, i32 poison, i32 3>
; CHECK: [[I:%.*]] = shufflevector <8 x double> [[T2]], <8 x double> [[B2]], <8 x i32> <i32 0, i32 9, i32 2, i32 11, i32 4, i32 13, i32 6, i32 15>
; CHECK: [[W:%.*]] = fmul <8 x double> [[I]], [[I]]
; CHECK: [[D:%.*]] = shufflevector <8 x double> [[W]], <8 x double> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: [[E:%.*]] = shufflevector <4 x double> [[D]], <4 x double> poison, <2 x i32> <i32 2, i32 3>
; CHECK: [[E2:%.*]] = shufflevector <2 x double> [[E]], <2 x double> poison, <4 x i32> <i32 poison, i32 poison, i32 0, i32 1>
; CHECK: shufflevector <4 x double> [[B]], <4 x double> [[E2]], <4 x i32> <i32 0, i32 1, i32 6, i32 7>

define double @h(double %x) {
  %bits = call i16 @llvm.convert.to.fp16.f64(double %x)
  %y = call double @llvm.convert.from.fp16.f64(i16 %bits)
  ret double %y
}
; CHECK: @nabla.work.h
; CHECK: [[H:%.*]] = fptrunc double %{{.*}} to half
; CHECK: fpext half [[H]] to double

declare <4 x double> @llvm.vector.reverse.v4f64(<4 x double>)
declare <4 x double> @llvm.vector.splice.v4f64(<4 x double>, <4 x double>, i32)
declare <8 x double> @llvm.vector.interleave2.v8f64(<4 x double>, <4 x double>)
declare {<4 x double>, <4 x double>} @llvm.vector.deinterleave2.v8f64(<8 x double>)
declare <2 x double> @llvm.vector.extract.v2f64.v4f64(<4 x double>, i64)
declare <4 x double> @llvm.vector.insert.v4f64.v2f64(<4 x double>, <2 x double>, i64)
declare i16 @llvm.convert.to.fp16.f64(double)
declare double @llvm.convert.from.fp16.f64(i16)
declare double @__enzyme_autodiff(...)
define double @use(ptr %p, ptr %d, double %x) noinline optnone {
  call double (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d)
  %r = call double (...) @__enzyme_autodiff(ptr @h, double %x)
  ret double %r
}
