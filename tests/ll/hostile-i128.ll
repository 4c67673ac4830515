; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The bits of a number are multiplied in an integer of 128 bits.
; RUN: not %opt -passes='nabla,verify' -disable-output %s 2>&1 | FileCheck %s
; CHECK: [nabla: integer-carrier]
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %i = bitcast double %x to i64
  %w = zext i64 %i to i128
  %s = mul i128 %w, 18446744073709551619
  %t = lshr i128 %s, 64
  %u = trunc i128 %t to i64
  %d = bitcast i64 %u to double
  %y = fmul double %d, %d
  ret double %y
}
declare double @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
define double @g(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
define double @h(double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %r
}
