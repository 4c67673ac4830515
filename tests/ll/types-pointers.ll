; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pointers in memory lead to classes of their own; a list is its own pointee.
; RUN: %opt -passes=nabla -nabla-print=types -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %view, ptr %list) {
  %data = load ptr, ptr %view
  %v = load double, ptr %data
  %n = getelementptr inbounds i8, ptr %list, i64 8
  %next = load ptr, ptr %n
  store ptr %list, ptr %n
  %w = load float, ptr %next
  %w.wide = fpext float %w to double
  %r = fmul double %v, %w.wide
  ret double %r
}
; CHECK-LABEL: types of @nabla.work.f
; CHECK:         {param view}: 0 pointer -> class [[DATA:[0-9]+]]
; CHECK-NEXT:    class [[DATA]] {}: 0 double
; CHECK-NEXT:    class [[LIST:[0-9]+]] {param list}: 8 pointer, 0 float -> class [[LIST]]

declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx, ptr %l, ptr %dl) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %l, ptr %dl)
  ret void
}
