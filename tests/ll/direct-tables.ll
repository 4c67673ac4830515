; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A virtual call chooses among the functions of the class that the front end tests its table for,
; and not among those of other classes with the same types, though memory may hold either. The tests
; are gone then, also where nothing is asked for.
; RUN: %opt -passes=nabla -nabla-print=direct -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -S %s | FileCheck %s --check-prefix=GONE
; RUN: %opt -passes=nabla -nabla-enable=0 -S %s | FileCheck %s --check-prefix=GONE
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

@first = internal constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @square] }, !type !0, !type !1
@second = internal constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @twice] }, !type !0
@other = internal constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @minus] }, !type !2

define internal double @virtual(double %x, i64 %i) {
  %objects = alloca [3 x ptr]
  store ptr getelementptr (i8, ptr @first, i64 16), ptr %objects
  %at = getelementptr ptr, ptr %objects, i64 1
  store ptr getelementptr (i8, ptr @second, i64 16), ptr %at
  %last = getelementptr ptr, ptr %objects, i64 2
  store ptr getelementptr (i8, ptr @other, i64 16), ptr %last
  %object = getelementptr ptr, ptr %objects, i64 %i
  %held = load ptr, ptr %object
  %told = call i1 @llvm.type.test(ptr %held, metadata !"base")
  call void @llvm.assume(i1 %told)
  %f = load ptr, ptr %held
  %y = call double %f(ptr %object, double %x)
  %again = load ptr, ptr %object
  %derived = call i1 @llvm.public.type.test(ptr %again, metadata !"derived")
  call void @llvm.assume(i1 %derived)
  %g = load ptr, ptr %again
  %z = call double %g(ptr %object, double %y)
  ret double %z
}

define double @use(double %x, i64 %i) {
  %a = call double (...) @__enzyme_autodiff(ptr @virtual, double %x, i64 %i)
  ret double %a
}

declare double @__enzyme_autodiff(...)
declare i1 @llvm.type.test(ptr, metadata)
declare i1 @llvm.public.type.test(ptr, metadata)
declare void @llvm.assume(i1)

!0 = !{i64 16, !"base"}
!1 = !{i64 16, !"derived"}
!2 = !{i64 16, !"else"}

; CHECK-LABEL: define internal double @nabla.direct.virtual(
; CHECK-DAG:     icmp eq ptr %f, @square
; CHECK-DAG:     icmp eq ptr %f, @twice
; CHECK-NOT:     icmp eq ptr %f
; CHECK:         call void @__nabla_unknown_function(
; CHECK:         icmp eq ptr %g, @square
; CHECK-NOT:     icmp eq ptr %g
; CHECK:         call void @__nabla_unknown_function(

; GONE-NOT: type.test
