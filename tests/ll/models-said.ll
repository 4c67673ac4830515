; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a model's body says about a function of a library is no promise of the library's.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %x) {
  %d = call double @cblas_ddot(i32 3, ptr %x, i32 1, ptr %x, i32 1)
  ret double %d
}
; CHECK: declare double @cblas_ddot(i32, ptr, i32, ptr noalias, i32) #[[SAID:[0-9]+]]
; CHECK: attributes #[[SAID]] = { nounwind }
declare double @cblas_ddot(i32, ptr, i32, ptr noalias, i32) nounwind

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @df(ptr %x, ptr %dx) {
  %k = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %k, ptr %x, ptr %dx)
  ret void
}
