; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What front ends say by metadata and by attributes, in a program that runs. Derivatives that are
; given are wrong on purpose, so that they can be told from those of the bodies.
; shows: !enzyme_augment; !enzyme_gradient; !enzyme_derivative; !enzyme_splitderivative
; shows: !enzyme_shadow; !enzyme_inactive; !enzyme_fromstack; !enzyme_caststack
; shows: !enzyme.checkpoint
; shows: "enzyme_inactive"; "enzyme_math"; "implements"; "implements2"; "enzyme_type"
; shows: "enzyme_no_escaping_allocation"; "enzyme_ta_norecur"; "enzyme_shouldrecompute"
; shows: a marker that is metadata; an invoke of an entry point
; RUN: %each-level '%clang LEVEL -Wno-override-module %s -lm -o %t && %t | FileCheck %s'

target triple = "x86_64-unknown-linux-gnu"

@quiet = global double 1.0, !enzyme_inactive !0
@loud = internal global double 3.0, !enzyme_shadow !1
@loud_shadow = global double 0.0
@format = private constant [4 x i8] c"%g\0A\00"

define double @given(double %x) !enzyme_augment !2 !enzyme_gradient !3 !enzyme_derivative !4 {
  ret double %x
}
define internal double @given_augmented(double %x) {
  ret double %x
}
define internal double @given_reverse(double %x, double %seed) {
  %r = fmul double %seed, 30.0
  ret double %r
}
define internal { double, double } @given_forward(double %x, double %dx) {
  %t = fmul double %dx, 40.0
  %a = insertvalue { double, double } undef, double %x, 0
  %b = insertvalue { double, double } %a, double %t, 1
  ret { double, double } %b
}

define double @later(double %x) !enzyme_augment !5 !enzyme_splitderivative !6 {
  ret double %x
}
define internal { ptr, double } @later_augmented(double %x) {
  %a = insertvalue { ptr, double } undef, ptr null, 0
  %b = insertvalue { ptr, double } %a, double %x, 1
  ret { ptr, double } %b
}
define internal { double, double } @later_forward(double %x, double %dx, ptr %tape) {
  %t = fmul double %dx, 50.0
  %a = insertvalue { double, double } undef, double %x, 0
  %b = insertvalue { double, double } %a, double %t, 1
  ret { double, double } %b
}
define internal double @of_later(double %x) {
  %r = call double @later(double %x)
  ret double %r
}

define internal double @weight(double %x) #0 {
  %r = fmul double %x, %x
  ret double %r
}
define internal double @by_math(double %x) #1 {
  ret double %x
}
define internal double @by_implements(double %x) #2 {
  ret double %x
}
define internal double @by_implements2(double %x) #3 {
  ret double %x
}
define internal double @plain(double %x) #4 {
  %r = fmul double %x, 2.0
  ret double %r
}

define internal double @of_attributes(double %x) {
  %w = call double @weight(double %x)
  %a = fmul double %w, %x
  %m = call double @by_math(double %x)
  %i = call double @by_implements(double %x)
  %j = call double @by_implements2(double %x)
  %p = call double @plain(double %x)
  %b = fadd double %a, %m
  %c = fadd double %b, %i
  %d = fadd double %c, %j
  %e = fadd double %d, %p
  ret double %e
}

define internal void @move(ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %from, ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %to, i64 %n) {
  %bytes = shl i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}

define internal double @of_globals(double %x) {
  store double %x, ptr @quiet
  %q = load double, ptr @quiet
  %l = load double, ptr @loud
  %a = fmul double %q, %x
  %r = fmul double %a, %l
  ret double %r
}

define internal double @of_stack(double %x) {
  %room = alloca double, !enzyme_fromstack !0
  %cast = alloca double, !enzyme_caststack !0
  store double %x, ptr %room
  store double %x, ptr %cast
  %a = load double, ptr %room
  %b = load double, ptr %cast
  %r = fmul double %a, %b
  ret double %r
}

define internal double @of_loop(double %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ %x, %entry ], [ %t, %loop ]
  %t = fmul double %s, %x
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 3
  br i1 %more, label %loop, label %exit, !llvm.loop !7
exit:
  ret double %t
}

define internal double @product(double %x, double %y) {
  %r = fmul double %x, %y
  ret double %r
}

define internal void @show(double %x) noinline {
  %r = call i32 (ptr, ...) @printf(ptr @format, double %x)
  ret void
}

define i32 @main() personality ptr @nobody {
  %x = alloca double
  %dx = alloca double
  %y = alloca double
  %dy = alloca double
  ; CHECK: {{^}}30
  %a = call double (...) @__enzyme_autodiff(ptr @given, double 2.0)
  call void @show(double %a)
  ; CHECK-NEXT: {{^}}40
  %b = call double (...) @__enzyme_fwddiff(ptr @given, double 2.0, double 1.0)
  call void @show(double %b)
  ; CHECK-NEXT: {{^}}50
  %tape = call ptr (...) @__enzyme_augmentfwd(ptr @of_later, double 2.0)
  %c = call double (...) @__enzyme_fwdsplit(ptr @of_later, double 2.0, double 1.0, ptr %tape)
  call void @show(double %c)
  ; 4 of what is inactive, 0.5 of each logarithm, 0.72 of that to the base 2, 2 of what is plain.
  ; CHECK-NEXT: {{^}}7.72135
  %d = call double (...) @__enzyme_autodiff(ptr @of_attributes, double 2.0)
  call void @show(double %d)
  ; CHECK-NEXT: {{^}}7
  store double 3.0, ptr %x
  store double 0.0, ptr %dx
  store double 7.0, ptr %dy
  call void (...) @__enzyme_autodiff(ptr @move, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 1)
  %e = load double, ptr %dx
  call void @show(double %e)
  ; CHECK-NEXT: {{^}}6
  ; CHECK-NEXT: {{^}}4
  %f = call double (...) @__enzyme_autodiff(ptr @of_globals, double 2.0)
  call void @show(double %f)
  %g = load double, ptr @loud_shadow
  call void @show(double %g)
  ; CHECK-NEXT: {{^}}6
  %h = call double (...) @__enzyme_autodiff(ptr @of_stack, double 3.0)
  call void @show(double %h)
  ; CHECK-NEXT: {{^}}4
  %i = call double (...) @__enzyme_autodiff(ptr @product, metadata !"enzyme_out", double 3.0, metadata !"enzyme_const", double 4.0)
  call void @show(double %i)
  ; CHECK-NEXT: {{^}}12
  %j = invoke double (...) @__enzyme_autodiff(ptr @of_stack, double 6.0) to label %done unwind label %caught
done:
  call void @show(double %j)
  ; CHECK-NEXT: {{^}}32
  %l = call double (...) @__enzyme_autodiff(ptr @of_loop, double 2.0)
  call void @show(double %l)
  ret i32 0
caught:
  %k = landingpad { ptr, i32 } cleanup
  ret i32 1
}

define i32 @nobody(...) {
  ret i32 0
}
declare i32 @printf(ptr, ...)
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare ptr @__enzyme_augmentfwd(...)
declare double @__enzyme_fwdsplit(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

attributes #0 = { "enzyme_inactive" }
attributes #1 = { "enzyme_math"="log" }
attributes #2 = { "implements"="llvm.log.f64" }
attributes #3 = { "implements2"="log2" }
attributes #4 = { "enzyme_no_escaping_allocation" "enzyme_ta_norecur" "enzyme_shouldrecompute" }
!0 = !{}
!1 = !{ptr @loud_shadow}
!2 = !{ptr @given_augmented}
!3 = !{ptr @given_reverse}
!4 = !{ptr @given_forward}
!5 = !{ptr @later_augmented}
!6 = !{ptr @later_forward}
!7 = distinct !{!7, !8}
!8 = !{!"enzyme.checkpoint", i32 2, i32 1}
