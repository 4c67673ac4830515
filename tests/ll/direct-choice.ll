; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer that can hold two functions becomes a choice between two calls by name; one that comes
; from outside of the module keeps a way out at run time.
; RUN: %opt -passes=nabla -nabla-print=direct -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define internal double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

define internal double @twice(double %x) {
  %y = fadd double %x, %x
  ret double %y
}

@table = internal constant [2 x ptr] [ptr @square, ptr @twice]

define internal double @closed(double %x, i64 %i) {
  %at = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i
  %f = load ptr, ptr %at
  %y = call double %f(double %x)
  ret double %y
}

define internal double @open(ptr %f, double %x) {
  %y = call double %f(double %x)
  ret double %y
}

define double @use(double %x, i64 %i, ptr %f) {
  %a = call double (...) @__enzyme_autodiff(ptr @closed, double %x, i64 %i)
  %b = call double (...) @__enzyme_autodiff(ptr @open, metadata !"enzyme_const", ptr %f, double %x)
  %c = fadd double %a, %b
  ret double %c
}

declare double @__enzyme_autodiff(...)

; CHECK-LABEL: define internal double @nabla.direct.closed(
; CHECK:         icmp eq ptr %f, @square
; CHECK:         call double @square(double %x)
; CHECK:         call double @twice(double %x)
; CHECK-NOT:     call
; CHECK-LABEL: define internal double @nabla.direct.open(
; CHECK:         icmp eq ptr %f, @square
; CHECK:         icmp eq ptr %f, @twice
; CHECK:         call void @__nabla_unknown_function(
; CHECK-NEXT:    unreachable
