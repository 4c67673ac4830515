; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; LLVM's own pass makes a vector of structs of a function that is applied to a number in all lanes.
; REQUIRES: llvm-22
; RUN: not %opt -passes='function(instcombine<no-verify-fixpoint>),nabla' -disable-output %s 2>&1 | FileCheck %s
; CHECK-NOT: Stack dump
; CHECK: error: {{.*}}vector of structs{{.*}}[nabla: no-rule]
; CHECK-NOT: Stack dump
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %p) {
  %x = load double, ptr %p
  %a = insertelement <2 x double> poison, double %x, i32 0
  %b = shufflevector <2 x double> %a, <2 x double> poison, <2 x i32> zeroinitializer
  %s = call {<2 x double>, <2 x i32>} @llvm.frexp.v2f64.v2i32(<2 x double> %b)
  %r = extractvalue {<2 x double>, <2 x i32>} %s, 0
  %e = extractelement <2 x double> %r, i32 1
  %o = extractelement <2 x double> %r, i32 0
  %q = fadd double %e, %o
  ret double %q
}
declare {<2 x double>, <2 x i32>} @llvm.frexp.v2f64.v2i32(<2 x double>)
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
define double @g(ptr %p, ptr %d) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d)
  %t = call double (...) @__enzyme_fwddiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d)
  ret double %t
}
