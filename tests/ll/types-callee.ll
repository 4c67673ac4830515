; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a callee knows of its parameters holds for the memory passed, at its offset.
; RUN: %opt -passes=nabla -nabla-print=types -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @second(ptr %p) noinline {
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %v = load double, ptr %q
  ret double %v
}
define double @f(ptr %x) {
  %p = getelementptr inbounds i8, ptr %x, i64 16
  %r = call double @second(ptr %p)
  ret double %r
}
; CHECK-LABEL: types of @nabla.work.f
; CHECK:         {param x}: 24 double

declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret void
}
