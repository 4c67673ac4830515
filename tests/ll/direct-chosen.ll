; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call through one of several constant tables, as those of Rust's boxed functions, runs one of
; their entries, and never where these are empty.
; RUN: %opt -passes=nabla -nabla-print=direct -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define internal double @square(ptr %self, double %x) {
  %y = fmul double %x, %x
  ret double %y
}

define internal double @twice(ptr %self, double %x) {
  %y = fadd double %x, %x
  ret double %y
}

define internal double @minus(ptr %self, double %x) {
  %y = fneg double %x
  ret double %y
}

@first = internal constant { ptr, [8 x i8], ptr } { ptr null, [8 x i8] zeroinitializer, ptr @square }
@second = internal constant { ptr, [8 x i8], ptr } { ptr null, [8 x i8] zeroinitializer, ptr @twice }
@other = global ptr @minus

define internal double @boxed(double %x, i1 %c) {
  %object = alloca ptr
  %table = select i1 %c, ptr @first, ptr @second
  %entry = getelementptr i8, ptr %table, i64 16
  %f = load ptr, ptr %entry
  %y = call double %f(ptr %object, double %x)
  %drop = load ptr, ptr %table
  %none = icmp eq ptr %drop, null
  br i1 %none, label %end, label %run
run:
  call void %drop(ptr %object)
  br label %end
end:
  ret double %y
}

define double @use(double %x, i1 %c) {
  %a = call double (...) @__enzyme_autodiff(ptr @boxed, double %x, i1 %c)
  ret double %a
}

declare double @__enzyme_autodiff(...)

; CHECK-LABEL: define internal double @nabla.direct.boxed(
; CHECK:         icmp eq ptr %f, @square
; CHECK-NOT:     @minus
; CHECK:         call double @twice(
; CHECK:       run:
; CHECK-NEXT:    call void @__nabla_unknown_function(
; CHECK-NEXT:    unreachable
