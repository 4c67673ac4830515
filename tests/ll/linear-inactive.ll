; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What cannot carry a derivative has no statement.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, double %z, i32 %n) {
  %k = sitofp i32 %n to double
  %w = fmul double %k, %z
  %r = call double @llvm.floor.f64(double %x)
  %y = fmul double %x, %w
  %t = fadd double %y, %r
  ret double %t
}
declare double @llvm.floor.f64(double)
; CHECK-LABEL: linear @f
; CHECK-NOT:     t(%w)
; CHECK-NOT:     t(%r)
; CHECK:         sum      t(%y) = %w * t(%x)
; CHECK-NEXT:    sum      t(%t) = {{.*}}t(%y)
; CHECK-NOT:     t(

@enzyme_const = external global i32
declare double @__enzyme_autodiff(...)
define double @use(double %x, double %z, i32 %n) noinline optnone {
  %c = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %c, double %z, i32 %n)
  ret double %r
}
