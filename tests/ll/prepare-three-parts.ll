; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors interleaved from three parts, and taken apart: intrinsics that newer LLVM alone has.
; REQUIRES: llvm-22
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %p) {
  %a = load <2 x double>, ptr %p
  %i = call <6 x double> @llvm.vector.interleave3.v6f64(<2 x double> %a, <2 x double> splat (double 1.0), <2 x double> %a)
  %w = fmul <6 x double> %i, %i
  %d = call {<2 x double>, <2 x double>, <2 x double>} @llvm.vector.deinterleave3.v6f64(<6 x double> %w)
  %d2 = extractvalue {<2 x double>, <2 x double>, <2 x double>} %d, 2
  store <2 x double> %d2, ptr %p
  ret void
}
; CHECK: [[A:%.*]] = load <2 x double>, ptr %{{.*}}
; CHECK: shufflevector <2 x double> [[A]], <2 x double> poison, <6 x i32> <i32 0, i32 poison, i32 poison, i32 1, i32 poison, i32 poison>
; CHECK: <6 x i32> <i32 0, i32 7, i32 2, i32 3, i32 10, i32 5>
; CHECK: [[C:%.*]] = shufflevector <2 x double> [[A]], <2 x double> poison, <6 x i32> <i32 poison, i32 poison, i32 0, i32 poison, i32 poison, i32 1>
; CHECK: <6 x double> [[C]], <6 x i32> <i32 0, i32 1, i32 8, i32 3, i32 4, i32 11>
; CHECK: [[W:%.*]] = fmul
; CHECK: shufflevector <6 x double> [[W]], <6 x double> poison, <2 x i32> <i32 2, i32 5>

declare <6 x double> @llvm.vector.interleave3.v6f64(<2 x double>, <2 x double>, <2 x double>)
declare {<2 x double>, <2 x double>, <2 x double>} @llvm.vector.deinterleave3.v6f64(<6 x double>)
declare void @__enzyme_autodiff(...)
define void @use(ptr %p, ptr %d) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d)
  ret void
}
