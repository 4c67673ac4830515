; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The phis of an edge are one simultaneous statement: a swap stays a swap.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, double %z, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %a = phi double [%x, %entry], [%b, %loop]
  %b = phi double [%z, %entry], [%a, %loop]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %a
}
; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(
; CHECK:       {{^}}reverse.loop
; CHECK-DAG:     %adjoint1{{[^=]*}} = phi double {{.*}}[ %adjoint2
; CHECK-DAG:     %adjoint2{{[^=]*}} = phi double {{.*}}[ %adjoint1

declare {double, double} @__enzyme_autodiff(...)
define {double, double} @use(double %x, double %z, i64 %n) noinline optnone {
  %r = call {double, double} (...) @__enzyme_autodiff(ptr @f, double %x, double %z, i64 %n)
  ret {double, double} %r
}
