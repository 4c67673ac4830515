; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What rustc leaves unoptimised is inlined, as C++'s inline functions are: whether an integer that
; `new` stores is one, or a part of a number, is seen where it is called. So are the reductions in
; it, which have no rule. A function of the same name that ends the program is not looked into.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define internal void @_ZN4core3zip3new17h0123456789abcdefE(ptr %to, ptr %x) {
start:
  store ptr %x, ptr %to
  br label %bb1
bb1:
  %index = getelementptr i8, ptr %to, i64 8
  store i64 1, ptr %index
  ret void
}

define internal double @_RNvC4core4most(ptr %zip) {
start:
  %x = load ptr, ptr %zip
  br label %bb1
bb1:
  %v = load <2 x double>, ptr %x
  %most = call double @llvm.vector.reduce.fmaximum.v2f64(<2 x double> %v)
  ret double %most
}

define internal void @_RNvC4core5panic(ptr %zip) noreturn nounwind {
start:
  br label %bb1
bb1:
  call void @abort()
  unreachable
}

define double @f(ptr %x, i1 %c) {
  %zip = alloca [16 x i8]
  call void @_ZN4core3zip3new17h0123456789abcdefE(ptr %zip, ptr %x)
  br i1 %c, label %bad, label %good
bad:
  call void @_RNvC4core5panic(ptr %zip)
  unreachable
good:
  %most = call double @_RNvC4core4most(ptr %zip)
  %at = getelementptr i8, ptr %zip, i64 8
  %index = load i64, ptr %at
  %place = getelementptr double, ptr %x, i64 %index
  %y = load double, ptr %place
  %z = fmul double %most, %y
  ret double %z
}
; CHECK-LABEL: linear @f
; CHECK-NOT:     call
; CHECK:         sum{{.*}}llvm.maximum

declare double @llvm.vector.reduce.fmaximum.v2f64(<2 x double>)
declare void @abort() noreturn nounwind
declare void @__enzyme_autodiff(...)
define void @use(ptr %p, ptr %d) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d, i1 false)
  ret void
}
