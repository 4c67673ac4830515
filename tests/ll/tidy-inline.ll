; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A small derivative without branches is inlined where it is called, and its function goes if no
; call is left. A caller that is not optimised keeps the call, and a derivative with a loop is one.
; RUN: %opt -passes=nabla,verify -S %s | FileCheck %s

declare double @__enzyme_autodiff(ptr, ...)

define double @square(double %x) {
  %r = fmul double %x, %x
  ret double %r
}

define double @cube(double %x) {
  %s = fmul double %x, %x
  %r = fmul double %s, %x
  ret double %r
}

define double @power(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %t = fmul double %s, %x
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-LABEL: define double @inlined(
; CHECK-NOT: call
; CHECK: [[D:%.*]] = fadd {{.*}}double %x, %x
; CHECK-NEXT: ret double [[D]]
define double @inlined(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
}

; CHECK-LABEL: define double @unoptimised(
; CHECK: call { double } @nabla.combined.cube(double %x, double 1.000000e+00)
; CHECK: ret double
define double @unoptimised(double %x) noinline optnone {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @cube, double %x)
  ret double %r
}

; CHECK-LABEL: define double @looping(
; CHECK: call { double } @nabla.combined.power(double %x, i64 %n, double 1.000000e+00)
; CHECK: ret double
define double @looping(double %x, i64 %n) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @power, double %x, i64 %n)
  ret double %r
}

; CHECK-NOT: define {{.*}}@nabla.combined.square(
; CHECK: define internal { double } @nabla.combined.cube(
; CHECK-NOT: define {{.*}}@nabla.combined.square(
