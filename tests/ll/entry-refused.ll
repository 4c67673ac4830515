; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; opt stops at the first error, so the other refusals come before it, as remarks.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s

; CHECK: remark: {{.*}}'mistyped': argument 2 has type 'ptr', but parameter 1 of 'f' has type 'double'{{.*}}[nabla: wrong-type]
; CHECK: remark: {{.*}}'short': 'g' takes 2 arguments, and no argument is left for parameter 2{{.*}}[nabla: too-few-arguments]
; CHECK: remark: {{.*}}'long': 'f' takes 1 arguments{{.*}}[nabla: too-many-arguments]
; CHECK: remark: {{.*}}'shadowless': parameter 1 of 'h' is active and needs its shadow, but no argument is left{{.*}}[nabla: missing-shadow]
; CHECK: remark: {{.*}}'integer': parameter 2 of 'g' {{.*}}[nabla: wrong-role]
; CHECK: remark: {{.*}}'bodiless': 'unseen' is only declared here{{.*}}[nabla: no-body]
; CHECK: remark: {{.*}}'null': the first argument of the call is no function{{.*}}[nabla: not-a-function]
; CHECK: remark: {{.*}}'given': which function is to be differentiated{{.*}}[nabla: not-a-function]
; CHECK: remark: {{.*}}'expecting': this derivative of 'f' returns 'double', but the call expects 'i64'{{.*}}[nabla: wrong-result]
; CHECK: error: {{.*}}'traced': the marker 'enzyme_trace' is not supported yet; {{.*}}[nabla: entry-unsupported]; add -gline-tables-only to see the line

@enzyme_trace = external global i32
@enzyme_out = external global i32

declare double @__enzyme_autodiff(ptr, ...)
declare i64 @__enzyme_autodiff_integer(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
declare double @unseen(double)

define double @f(double %x) {
  ret double %x
}

define double @g(double %x, i32 %n) {
  ret double %x
}

define double @h(ptr %p) {
  %x = load double, ptr %p
  ret double %x
}

define double @mistyped(ptr %p) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %p)
  ret double %r
}

define double @short(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @g, double %x)
  ret double %r
}

define double @long(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, double %x)
  ret double %r
}

define double @shadowless(ptr %p) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @h, ptr %p)
  ret double %r
}

define double @integer(double %x, i32 %n) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @g, double %x, double %x, ptr @enzyme_out, i32 %n)
  ret double %r
}

define double @bodiless(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @unseen, double %x)
  ret double %r
}

define double @null(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr null, double %x)
  ret double %r
}

define double @given(ptr %f, double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr %f, double %x)
  ret double %r
}

define i64 @expecting(double %x) {
  %r = call i64 (ptr, ...) @__enzyme_autodiff_integer(ptr @f, double %x)
  ret i64 %r
}

define double @traced(double %x) {
  %trace = load i32, ptr @enzyme_trace
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, i32 %trace, i32 2, double %x, double %x)
  ret double %r
}
