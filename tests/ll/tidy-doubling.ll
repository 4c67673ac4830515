; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Forty functions, each of which calls the next twice: small derivatives are inlined bottom-up, and
; the caller does not take the two calls of each of its callees, and theirs: 2^40.
; RUN: %opt -passes=nabla,verify -S %s | FileCheck %s

declare double @__enzyme_fwddiff(ptr, ...)
declare double @__enzyme_autodiff(ptr, ...)

; CHECK-LABEL: define double @forward(
; CHECK-COUNT-2: call {{.*}}@nabla.forward.
; CHECK-NOT: call
; CHECK: ret double
define double @forward(double %x, double %dx) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f40, double %x, double %dx)
  ret double %r
}

; CHECK-LABEL: define double @reverse(
; CHECK-NOT: call {{.*}}.f{{([0-9]|[12][0-9]|3[0-3])}}(
; CHECK: call {{.*}}@nabla.augmented.f3{{[4-9]}}(
; CHECK-NOT: call {{.*}}.f{{([0-9]|[12][0-9]|3[0-3])}}(
; CHECK: ret double
define double @reverse(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f40, double %x)
  ret double %r
}

define double @f0(double %x) {
  %r = fmul double %x, %x
  ret double %r
}

define double @f1(double %x) {
  %y = fmul double %x, %x
  %a = call double @f0(double %x)
  %b = call double @f0(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f2(double %x) {
  %y = fmul double %x, %x
  %a = call double @f1(double %x)
  %b = call double @f1(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f3(double %x) {
  %y = fmul double %x, %x
  %a = call double @f2(double %x)
  %b = call double @f2(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f4(double %x) {
  %y = fmul double %x, %x
  %a = call double @f3(double %x)
  %b = call double @f3(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f5(double %x) {
  %y = fmul double %x, %x
  %a = call double @f4(double %x)
  %b = call double @f4(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f6(double %x) {
  %y = fmul double %x, %x
  %a = call double @f5(double %x)
  %b = call double @f5(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f7(double %x) {
  %y = fmul double %x, %x
  %a = call double @f6(double %x)
  %b = call double @f6(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f8(double %x) {
  %y = fmul double %x, %x
  %a = call double @f7(double %x)
  %b = call double @f7(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f9(double %x) {
  %y = fmul double %x, %x
  %a = call double @f8(double %x)
  %b = call double @f8(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f10(double %x) {
  %y = fmul double %x, %x
  %a = call double @f9(double %x)
  %b = call double @f9(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f11(double %x) {
  %y = fmul double %x, %x
  %a = call double @f10(double %x)
  %b = call double @f10(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f12(double %x) {
  %y = fmul double %x, %x
  %a = call double @f11(double %x)
  %b = call double @f11(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f13(double %x) {
  %y = fmul double %x, %x
  %a = call double @f12(double %x)
  %b = call double @f12(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f14(double %x) {
  %y = fmul double %x, %x
  %a = call double @f13(double %x)
  %b = call double @f13(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f15(double %x) {
  %y = fmul double %x, %x
  %a = call double @f14(double %x)
  %b = call double @f14(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f16(double %x) {
  %y = fmul double %x, %x
  %a = call double @f15(double %x)
  %b = call double @f15(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f17(double %x) {
  %y = fmul double %x, %x
  %a = call double @f16(double %x)
  %b = call double @f16(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f18(double %x) {
  %y = fmul double %x, %x
  %a = call double @f17(double %x)
  %b = call double @f17(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f19(double %x) {
  %y = fmul double %x, %x
  %a = call double @f18(double %x)
  %b = call double @f18(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f20(double %x) {
  %y = fmul double %x, %x
  %a = call double @f19(double %x)
  %b = call double @f19(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f21(double %x) {
  %y = fmul double %x, %x
  %a = call double @f20(double %x)
  %b = call double @f20(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f22(double %x) {
  %y = fmul double %x, %x
  %a = call double @f21(double %x)
  %b = call double @f21(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f23(double %x) {
  %y = fmul double %x, %x
  %a = call double @f22(double %x)
  %b = call double @f22(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f24(double %x) {
  %y = fmul double %x, %x
  %a = call double @f23(double %x)
  %b = call double @f23(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f25(double %x) {
  %y = fmul double %x, %x
  %a = call double @f24(double %x)
  %b = call double @f24(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f26(double %x) {
  %y = fmul double %x, %x
  %a = call double @f25(double %x)
  %b = call double @f25(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f27(double %x) {
  %y = fmul double %x, %x
  %a = call double @f26(double %x)
  %b = call double @f26(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f28(double %x) {
  %y = fmul double %x, %x
  %a = call double @f27(double %x)
  %b = call double @f27(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f29(double %x) {
  %y = fmul double %x, %x
  %a = call double @f28(double %x)
  %b = call double @f28(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f30(double %x) {
  %y = fmul double %x, %x
  %a = call double @f29(double %x)
  %b = call double @f29(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f31(double %x) {
  %y = fmul double %x, %x
  %a = call double @f30(double %x)
  %b = call double @f30(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f32(double %x) {
  %y = fmul double %x, %x
  %a = call double @f31(double %x)
  %b = call double @f31(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f33(double %x) {
  %y = fmul double %x, %x
  %a = call double @f32(double %x)
  %b = call double @f32(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f34(double %x) {
  %y = fmul double %x, %x
  %a = call double @f33(double %x)
  %b = call double @f33(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f35(double %x) {
  %y = fmul double %x, %x
  %a = call double @f34(double %x)
  %b = call double @f34(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f36(double %x) {
  %y = fmul double %x, %x
  %a = call double @f35(double %x)
  %b = call double @f35(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f37(double %x) {
  %y = fmul double %x, %x
  %a = call double @f36(double %x)
  %b = call double @f36(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f38(double %x) {
  %y = fmul double %x, %x
  %a = call double @f37(double %x)
  %b = call double @f37(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f39(double %x) {
  %y = fmul double %x, %x
  %a = call double @f38(double %x)
  %b = call double @f38(double %y)
  %r = fadd double %a, %b
  ret double %r
}

define double @f40(double %x) {
  %y = fmul double %x, %x
  %a = call double @f39(double %x)
  %b = call double @f39(double %y)
  %r = fadd double %a, %b
  ret double %r
}
