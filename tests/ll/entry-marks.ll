; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; "enzyme_inactive" of a parameter, an argument, a result, a call and an instruction: no derivative
; passes there.
; shows: "enzyme_inactive"; !enzyme_inactive
; RUN: %each-level '%clang LEVEL -Wno-override-module %s -lm -o %t && %t | FileCheck %s'

target triple = "x86_64-unknown-linux-gnu"

@format = private constant [4 x i8] c"%g\0A\00"

define internal double @second(double %x, double "enzyme_inactive" %y) {
  %r = fmul double %x, %y
  ret double %r
}
define internal "enzyme_inactive" double @weight(double %x) {
  %r = fmul double %x, %x
  ret double %r
}
define internal double @plain(double %x) noinline {
  %r = fmul double %x, %x
  ret double %r
}

define double @of_parameter(double %x) {
  %r = call double @second(double %x, double %x)
  ret double %r
}
define double @of_argument(double %x) {
  %y = call double @plain(double "enzyme_inactive" %x)
  %r = fmul double %y, %x
  ret double %r
}
define double @of_returned(double %x) {
  %y = call double @weight(double %x)
  %r = fmul double %y, %x
  ret double %r
}
define double @of_result(double %x) {
  %y = call "enzyme_inactive" double @plain(double %x)
  %r = fmul double %y, %x
  ret double %r
}
define double @of_call(double %x) {
  %y = call double @plain(double %x) "enzyme_inactive"
  %r = fmul double %y, %x
  ret double %r
}
define double @of_intrinsic(double %x) {
  %y = call double @llvm.sqrt.f64(double %x) "enzyme_inactive"
  %r = fmul double %y, %x
  ret double %r
}
define double @of_marked_call(double %x) {
  %y = call double @plain(double %x), !enzyme_inactive !0
  %r = fmul double %y, %x
  ret double %r
}
define double @of_marked_product(double %x) {
  %y = fmul double %x, %x, !enzyme_inactive !0
  %r = fmul double %y, %x
  ret double %r
}
define double @of_marked_memory(double %x) {
  %p = alloca double, !enzyme_inactive !0
  store double %x, ptr %p
  %y = load double, ptr %p
  %r = fmul double %y, %x
  ret double %r
}

define i32 @main() {
  ; CHECK: {{^}}4{{$}}
  %a = call double (...) @__enzyme_autodiff(ptr @of_parameter, double 4.0)
  call i32 (ptr, ...) @printf(ptr @format, double %a)
  ; CHECK-NEXT: {{^}}16{{$}}
  %b = call double (...) @__enzyme_autodiff(ptr @of_argument, double 4.0)
  call i32 (ptr, ...) @printf(ptr @format, double %b)
  ; CHECK-NEXT: {{^}}16{{$}}
  %c = call double (...) @__enzyme_autodiff(ptr @of_returned, double 4.0)
  call i32 (ptr, ...) @printf(ptr @format, double %c)
  ; CHECK-NEXT: {{^}}16{{$}}
  %d = call double (...) @__enzyme_autodiff(ptr @of_result, double 4.0)
  call i32 (ptr, ...) @printf(ptr @format, double %d)
  ; CHECK-NEXT: {{^}}16{{$}}
  %e = call double (...) @__enzyme_autodiff(ptr @of_call, double 4.0)
  call i32 (ptr, ...) @printf(ptr @format, double %e)
  ; CHECK-NEXT: {{^}}2{{$}}
  %f = call double (...) @__enzyme_autodiff(ptr @of_intrinsic, double 4.0)
  call i32 (ptr, ...) @printf(ptr @format, double %f)
  ; CHECK-NEXT: {{^}}16{{$}}
  %g = call double (...) @__enzyme_autodiff(ptr @of_marked_call, double 4.0)
  call i32 (ptr, ...) @printf(ptr @format, double %g)
  ; CHECK-NEXT: {{^}}16{{$}}
  %h = call double (...) @__enzyme_autodiff(ptr @of_marked_product, double 4.0)
  call i32 (ptr, ...) @printf(ptr @format, double %h)
  ; CHECK-NEXT: {{^}}4{{$}}
  %i = call double (...) @__enzyme_autodiff(ptr @of_marked_memory, double 4.0)
  call i32 (ptr, ...) @printf(ptr @format, double %i)
  ret i32 0
}

declare i32 @printf(ptr, ...)
declare double @llvm.sqrt.f64(double)
declare double @__enzyme_autodiff(...)

!0 = !{}
