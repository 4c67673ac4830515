; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors of pointers have shadows: put together, chosen, shuffled and taken apart.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

@table = internal constant [2 x double] [double 1.0, double 2.0]

define double @f(ptr %x, i1 %c, i64 %i) {
  %one = insertelement <2 x ptr> poison, ptr %x, i64 0
  %two = shufflevector <2 x ptr> %one, <2 x ptr> poison, <2 x i32> zeroinitializer
  %either = select i1 %c, <2 x ptr> %two, <2 x ptr> <ptr @table, ptr @table>
  %p = extractelement <2 x ptr> %either, i64 %i
  %v = load double, ptr %p
  %r = fmul double %v, %v
  ret double %r
}
; CHECK-LABEL: define internal { double, double } @nabla.forward.f(
; CHECK:         %shadow = insertelement <2 x ptr> poison, ptr %{{.*}}, i64 0
; CHECK:         %shadow{{.*}} = shufflevector <2 x ptr> %shadow
; CHECK:         %shadow{{.*}} = select i1 %c, <2 x ptr> %shadow{{.*}}@table
; CHECK:         %[[P:shadow.*]] = extractelement <2 x ptr> %shadow
; CHECK:         %guard = icmp ne ptr %[[P]], %p
; CHECK:         select i1 %guard, ptr %[[P]], ptr %standin

declare double @__enzyme_fwddiff(...)
define double @use(ptr %x, ptr %d, i1 %c, i64 %i) noinline optnone {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, ptr %x, ptr %d, i1 %c, i64 %i)
  ret double %r
}
