; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is registered is noted in metadata, and calls of functions with a rule are held back; when the
; requests have been served, the calls stand again (entry-held-inlined.c: inlined, by then).
; RUN: %opt -passes=nabla-collect -S %s | FileCheck --check-prefix=COLLECT %s
; RUN: %opt -passes=nabla -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

@__enzyme_register_gradient_f = global [3 x ptr] [ptr @f, ptr @f_augmented, ptr @f_reverse]
@__enzyme_inactivefn_g = global ptr @g
@name = private constant [4 x i8] c"sin\00"
@__enzyme_function_like_h = global { ptr, ptr } { ptr @h, ptr @name }

; COLLECT-LABEL: define double @twice(
; COLLECT: call double @__nabla_held.f(double %x)
; CHECK-LABEL: define double @twice(
; CHECK: call double @f(double %x)
define double @twice(double %x) {
  %y = call double @f(double %x)
  %z = fmul double %y, 2.0
  ret double %z
}

define internal double @f(double %x) noinline {
  ret double %x
}

define internal double @f_augmented(double %x) {
  ret double %x
}

define internal double @f_reverse(double %x, double %seed) {
  %r = fmul double %seed, 3.0
  ret double %r
}

declare double @g(double)
declare double @h(double)
define double @marked(double %x) #0 {
  ret double %x
}

; COLLECT: !nabla.registrations = !{[[F:.*]], [[G:.*]], [[H:.*]], [[M:.*]]}
; COLLECT: [[F]] = !{!"__enzyme_register_gradient_f", ptr @f, ptr @f_augmented, ptr @f_reverse}
; COLLECT: [[G]] = !{!"__enzyme_inactivefn_g", ptr @g}
; COLLECT: [[H]] = !{!"__enzyme_function_like_h", ptr @h, !"sin"}
; COLLECT: [[M]] = !{!"__enzyme_function_like", ptr @marked, !"cos"}

; CHECK-LABEL: define double @slope(
; CHECK: call double @f_reverse(double %x, double 2.0
define double @slope(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @twice, double %x)
  ret double %r
}

attributes #0 = { "enzyme_math"="cos" }
declare double @__enzyme_autodiff(ptr, ...)
