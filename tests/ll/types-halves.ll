; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What travels in the halves of an integer is seen by itself: two doubles in 128 bits, and a float
; beside a count and two bytes that sums, shifts and masks change, of which nothing is carried over
; into the float.
; RUN: %opt -passes='nabla,verify' -disable-output -nabla-print=prepare %s 2>&1 | FileCheck %s
; CHECK-LABEL: define {{.*}}@nabla.work.wide(
; CHECK-NOT: i128
; CHECK: ret double
; CHECK-LABEL: define {{.*}}@nabla.work.beside(
; CHECK-NOT: bitcast
; CHECK: phi float
; CHECK-NOT: bitcast
; CHECK: ret float
target triple = "x86_64-unknown-linux-gnu"

define double @wide(double %x, double %y) {
entry:
  %i = bitcast double %x to i64
  %j = bitcast double %y to i64
  %w = zext i64 %i to i128
  %v = zext i64 %j to i128
  %s = shl i128 %w, 64
  %b = or i128 %s, %v
  %t = lshr i128 %b, 64
  %u = trunc i128 %t to i64
  %k = trunc i128 %b to i64
  %d = bitcast i64 %u to double
  %e = bitcast i64 %k to double
  %r = fmul double %d, %e
  ret double %r
}

define float @beside(float %x, i64 %n) {
entry:
  br label %loop
loop:
  %state = phi i64 [ 65537, %entry ], [ %joined, %loop ]
  %up = lshr i64 %state, 32
  %bits = trunc i64 %up to i32
  %float = bitcast i32 %bits to float
  %sum = fadd float %x, %float
  %more = add i64 %state, 1
  %count = and i64 %more, 65535
  %shifted = shl i64 %state, 8
  %second = and i64 %shifted, 16711680
  %low = or i64 %count, %second
  %back = bitcast float %sum to i32
  %wide = zext i32 %back to i64
  %high = shl i64 %wide, 32
  %joined = or i64 %high, %low
  %again = icmp ult i64 %count, 9
  br i1 %again, label %loop, label %end
end:
  ret float %sum
}

declare { double, double } @__enzyme_autodiff(ptr, ...)
declare float @__enzyme_autodiff_f(ptr, ...)
define { double, double } @g(double %x, double %y) {
  %r = call { double, double } (ptr, ...) @__enzyme_autodiff(ptr @wide, double %x, double %y)
  ret { double, double } %r
}
define float @h(float %x, i64 %n) {
  %r = call float (ptr, ...) @__enzyme_autodiff_f(ptr @beside, float %x, i64 %n)
  ret float %r
}
