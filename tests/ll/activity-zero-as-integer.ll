; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The optimiser makes a store of an integer of a memset. It may be a number that is cleared, in
; memory that other pointers lead to, too.
; RUN: %opt -passes=nabla -nabla-print=activity,linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %both) {
  %q = getelementptr inbounds i8, ptr %both, i64 8
  %second = load ptr, ptr %q, align 8
  store i64 0, ptr %second, align 8
  %first = load ptr, ptr %both, align 8
  %p = getelementptr inbounds i8, ptr %first, i64 8
  %r = load double, ptr %p, align 8
  ret double %r
}
; CHECK-LABEL: linear @f
; CHECK:         fill at %shadow
; CHECK:         load t(%r)

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %both, ptr %shadow) noinline optnone {
  %d = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %both, ptr %shadow)
  ret void
}
