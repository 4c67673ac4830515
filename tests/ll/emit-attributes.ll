; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A derivative has none of the primal's promises about memory.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr readonly %a) memory(argmem: read) {
  %v = load double, ptr %a
  %y = fmul double %v, %v
  ret double %y
}
; CHECK:       define internal double @nabla.augmented.f(ptr %a, ptr %0, ptr %1) {
; CHECK:       define internal void @nabla.reverse.f(ptr %0, ptr %1, double %2, ptr %3) {

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %a, ptr %da) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %a, ptr %da)
  ret void
}
