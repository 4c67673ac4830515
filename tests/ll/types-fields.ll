; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pointers at different offsets of one object lead to classes of their own; in an array of structs
; they do so in every element.
; RUN: %opt -passes=nabla -nabla-print=types -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %views, i64 %i) {
  %at = getelementptr inbounds [24 x i8], ptr %views, i64 %i
  %data = load ptr, ptr %at
  %v = load double, ptr %data
  %second = getelementptr inbounds i8, ptr %at, i64 8
  %table = load ptr, ptr %second
  %n = load i32, ptr %table
  %r.n = sitofp i32 %n to double
  %r = fmul double %v, %r.n
  ret double %r
}
; CHECK-LABEL: types of @nabla.work.f
; CHECK:         {param views}:
; CHECK-SAME:    -> class [[DATA:[0-9]+]] at 0+24k, class [[TABLE:[0-9]+]] at 8+24k
; CHECK-NEXT:    class [[DATA]] {}: 0 double
; CHECK-NEXT:    class [[TABLE]] {}: 0 integer32

declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 3)
  ret void
}
