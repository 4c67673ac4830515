; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; REQUIRES: llvm-22
; The parts of a vector that are added to a shorter one are sums of their own.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %p) {
  %v = load <4 x double>, ptr %p
  %w = fmul <4 x double> %v, %v
  %r = call <2 x double> @llvm.vector.partial.reduce.fadd(<2 x double> <double 1.0, double 2.0>, <4 x double> %w)
  %a = extractelement <2 x double> %r, i64 0
  %b = extractelement <2 x double> %r, i64 1
  %c = fmul double %a, %b
  ret double %c
}
; CHECK-LABEL: linear @f
; CHECK-NOT:     partial
; CHECK:         sum      t(%c)

declare void @__enzyme_autodiff(...)
define void @use(ptr %p, ptr %d) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d)
  ret void
}
