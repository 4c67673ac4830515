; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A virtual call chooses among the functions that lie as far behind the tables' addresses as it
; looks, although the objects may hold any of the tables; at run time, other functions are told from
; these.
; RUN: %opt -passes=nabla -nabla-print=direct -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define internal double @square(ptr %self, double %x) {
  %y = fmul double %x, %x
  ret double %y
}

define internal double @twice(ptr %self, double %x) {
  %y = fadd double %x, %x
  ret double %y
}

define internal double @minus(ptr %self, double %x) {
  %y = fneg double %x
  ret double %y
}

@first = internal constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @square, ptr @minus] }
@second = internal constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @twice, ptr @minus] }

define internal double @virtual(double %x, i1 %c) {
  %object = alloca ptr
  %table = select i1 %c, ptr getelementptr (i8, ptr @first, i64 16), ptr getelementptr (i8, ptr @second, i64 16)
  store ptr %table, ptr %object, !tbaa !0
  %held = load ptr, ptr %object, !tbaa !0
  %f = load ptr, ptr %held
  %y = call double %f(ptr %object, double %x)
  %entry = getelementptr ptr, ptr %held, i64 1
  %g = load ptr, ptr %entry
  %z = call double %g(ptr %object, double %y)
  ret double %z
}

define double @use(double %x, i1 %c) {
  %a = call double (...) @__enzyme_autodiff(ptr @virtual, double %x, i1 %c)
  ret double %a
}

declare double @__enzyme_autodiff(...)

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}

; CHECK-LABEL: define internal double @nabla.direct.virtual(
; CHECK:         icmp eq ptr %f, @twice
; CHECK:         icmp eq ptr %f, @square
; CHECK-NOT:     icmp eq ptr %f
; CHECK:         call void @__nabla_unknown_function(
; CHECK:         icmp eq ptr %g, @minus
; CHECK-NOT:     icmp eq ptr %g
; CHECK:         call void @__nabla_unknown_function(
