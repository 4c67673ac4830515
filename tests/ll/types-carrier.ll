; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Integers that only carry a double are doubles, in the working copy; other uses get its bits.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %x, ptr %y) {
  %bits = load i64, ptr %x
  store i64 %bits, ptr %y
  %v = load double, ptr %y
  %exponent = lshr i64 %bits, 52
  %large = icmp ugt i64 %exponent, 1023
  %r = select i1 %large, double %v, double 1.0
  ret double %r
}
; CHECK-LABEL: @nabla.work.f
; CHECK:         %[[X:.*]] = load double, ptr %x
; CHECK-NEXT:    %[[BITS:.*]] = bitcast double %[[X]] to i64
; CHECK-NEXT:    store double %[[X]], ptr %y
; CHECK:         lshr i64 %[[BITS]], 52

declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
