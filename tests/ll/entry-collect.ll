; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Markers in all their spellings become letters in the name of a declaration, and go away.
; RUN: %opt -passes=nabla-collect -S %s | FileCheck %s

@enzyme_dup = external global i32
@enzyme_const = external global i32
@my.enzyme_const = internal global i32 0
@enzyme_out = external global i32
@enzyme_noret = external global i32
@enzyme_primal_return = external global i32
@diffe_dupnoneed = external global i32
@_ZN12_GLOBAL__N_110enzyme_dupE = internal global i32 0

; CHECK-NOT: @enzyme_dup =
; CHECK-NOT: @diffe_dupnoneed =

define double @f(ptr %p, double %x, i32 %n) {
  ret double %x
}

; CHECK-LABEL: @loaded(
; CHECK-NOT: load
; CHECK: call double @"__nabla_request.reverse(dac) double (ptr, ptr, ptr, i32)"(ptr @f, ptr noundef %p, ptr %q, i32 %n)
define double @loaded(ptr %p, ptr %q, i32 %n) {
  %dup = load i32, ptr @enzyme_dup
  %const = load i32, ptr @enzyme_const
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, i32 %dup, ptr noundef %p, ptr %q, i32 %const, i32 %n)
  ret double %r
}

; CHECK-LABEL: @addresses(
; CHECK: call double @"__nabla_request.reverse(nao) double (ptr, ptr, ptr, double)"(
define double @addresses(ptr %p, ptr %q, double %x) {
  %address = ptrtoint ptr @enzyme_out to i64
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr @diffe_dupnoneed, ptr %p, ptr %q, i64 %address, double %x)
  ret double %r
}

; CHECK-LABEL: @local(
; CHECK: call double @"__nabla_request.forward(cda) double (ptr, double, double, double)"(
define double @local(double %x) {
  %enzyme_const = alloca i32
  %enzyme_dup = alloca i32
  store i32 1, ptr %enzyme_dup
  %const = load i32, ptr %enzyme_const
  %dup = load i32, ptr %enzyme_dup
  %r = call double (ptr, ...) @f__enzyme_fwddiff_(ptr @f, i32 %const, double %x, i32 %dup, double %x, double 1.0)
  ret double %r
}

; CHECK-LABEL: @merged(
; CHECK: call double @"__nabla_request.reverse(da)+noret double (ptr, ptr, ptr)"(
define double @merged(i1 %c, ptr %p, ptr %q) {
  br i1 %c, label %left, label %right
left:
  %one = load i32, ptr @enzyme_dup
  br label %join
right:
  %two = load i32, ptr @_ZN12_GLOBAL__N_110enzyme_dupE
  br label %join
join:
  %dup = phi i32 [ %one, %left ], [ %two, %right ]
  %noret = load i32, ptr @enzyme_noret
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, i32 %noret, i32 %dup, ptr %p, ptr %q)
  ret double %r
}

; CHECK-LABEL: @volatile_markers(
; CHECK-NOT: @enzyme_const
; CHECK: load volatile i32, ptr @my.enzyme_const
; CHECK-NOT: @enzyme_const
; CHECK: call double @"__nabla_request.
define double @volatile_markers(double %x) {
  %extern = load volatile i32, ptr @enzyme_const
  %own = load volatile i32, ptr @my.enzyme_const
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, i32 %extern, double %x, i32 %own, double %x)
  ret double %r
}

; CHECK-LABEL: @flags(
; CHECK: call { double, double } @"__nabla_request.reverse(a)+primal_return { double, double } (ptr, double)"(
define { double, double } @flags(double %x) {
  %primal = load i32, ptr @enzyme_primal_return
  %r = call { double, double } (ptr, ...) @_Z17__enzyme_autodiffIdE(ptr @f, i32 %primal, double %x)
  ret { double, double } %r
}

; CHECK-LABEL: @defined(
; CHECK: call double @my__enzyme_autodiff(ptr @f)
define double @defined() {
  %r = call double @my__enzyme_autodiff(ptr @f)
  ret double %r
}

define double @my__enzyme_autodiff(ptr %f) {
  ret double 0.0
}

; CHECK-NOT: declare double @__enzyme_autodiff
declare double @__enzyme_autodiff(ptr, ...)
declare double @f__enzyme_fwddiff_(ptr, ...)
declare { double, double } @_Z17__enzyme_autodiffIdE(ptr, ...)
