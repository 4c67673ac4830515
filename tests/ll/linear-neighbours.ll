; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Neighbouring lanes are added within 128 bits: of four doubles in two parts.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %p) {
  %a = load <4 x double>, ptr %p
  %q = getelementptr i8, ptr %p, i64 32
  %b = load <4 x double>, ptr %q
  %s = call <4 x double> @llvm.x86.avx.hadd.pd.256(<4 x double> %a, <4 x double> %b)
  store <4 x double> %s, ptr %p
  ret void
}
; CHECK: [[A:%.*]] = load <4 x double>, ptr %{{.*}}
; CHECK: [[B:%.*]] = load <4 x double>, ptr %{{.*}}
; CHECK: [[E:%.*]] = shufflevector <4 x double> [[A]], <4 x double> [[B]], <4 x i32> <i32 0, i32 4, i32 2, i32 6>
; CHECK: [[O:%.*]] = shufflevector <4 x double> [[A]], <4 x double> [[B]], <4 x i32> <i32 1, i32 5, i32 3, i32 7>
; CHECK: fadd <4 x double> [[E]], [[O]]

declare <4 x double> @llvm.x86.avx.hadd.pd.256(<4 x double>, <4 x double>)
declare void @__enzyme_autodiff(...)
define void @use(ptr %p, ptr %d) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d)
  ret void
}
