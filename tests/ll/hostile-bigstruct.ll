; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Structs with pointers and odd vectors as results.
; RUN: %opt -passes=nabla -S %s 2>&1 | FileCheck %s
; CHECK-LABEL: define double @g(
; CHECK:         ret double
; CHECK-LABEL: define double @h(
; CHECK:         ret double
target triple = "x86_64-unknown-linux-gnu"

define {double, [3 x {ptr, float, <2 x i1>}]} @k(double %x) {
  %r = insertvalue {double, [3 x {ptr, float, <2 x i1>}]} zeroinitializer, double %x, 0
  %t = fptrunc double %x to float
  %s = insertvalue {double, [3 x {ptr, float, <2 x i1>}]} %r, float %t, 1, 2, 1
  ret {double, [3 x {ptr, float, <2 x i1>}]} %s
}
define double @f(double %x) {
  %r = call {double, [3 x {ptr, float, <2 x i1>}]} @k(double %x)
  %s = extractvalue {double, [3 x {ptr, float, <2 x i1>}]} %r, 1, 2, 1
  %t = fpext float %s to double
  ret double %t
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
