; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A variable index says what the array holds: a double every 8 bytes, an integer every 4.
; RUN: %opt -passes=nabla -nabla-print=types -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %x, ptr %index, i64 %i) {
  %p = getelementptr inbounds i32, ptr %index, i64 %i
  %k = load i32, ptr %p
  %k.wide = sext i32 %k to i64
  %q = getelementptr inbounds double, ptr %x, i64 %k.wide
  %v = load double, ptr %q
  ret double %v
}
; CHECK-LABEL: types of @nabla.work.f
; CHECK-DAG:     {param x}: 0+8k double
; CHECK-DAG:     {param index}: 0+4k integer32

@enzyme_const = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx, ptr %index) {
  %c = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i32 %c, ptr %index, i64 3)
  ret void
}
