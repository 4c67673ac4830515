; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An invoke of an entry point stays one.
; RUN: %opt -passes=nabla-collect,verify -S %s | FileCheck %s

declare double @__enzyme_autodiff(ptr, double)
declare i32 @__gxx_personality_v0(...)

define double @f(double %x) {
  ret double %x
}

; CHECK-LABEL: @only(
; CHECK: invoke double @"__nabla_request.reverse(a) double (ptr, double)"(ptr @f, double %x)
; CHECK-NEXT: to label %[[RETURNED:.*]] unwind label %handler
; CHECK: {{^}}[[RETURNED]]:
; CHECK-NEXT: br label %normal
; CHECK: phi double [ %x, %entry ]
define double @only(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke double @__enzyme_autodiff(ptr @f, double %x)
          to label %normal unwind label %handler
normal:
  ret double %r
handler:
  %seen = phi double [ %x, %entry ]
  %pad = landingpad { ptr, i32 } cleanup
  ret double %seen
}

; CHECK-LABEL: @shared(
; CHECK: phi double [ %x, %entry ], [ 1.000000e+00, %again ]
define double @shared(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke double @__enzyme_autodiff(ptr @f, double %x)
          to label %again unwind label %handler
again:
  %s = invoke double @f(double %r)
          to label %normal unwind label %handler
normal:
  ret double %s
handler:
  %seen = phi double [ %x, %entry ], [ 1.0, %again ]
  %pad = landingpad { ptr, i32 } cleanup
  ret double %seen
}
