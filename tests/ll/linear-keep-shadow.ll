; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Memory without a shadow keeps none of a pointer: neither stored, nor in a vector, nor copied.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

%link = type { ptr, i64 }

define double @f(ptr %x, ptr %kept, ptr %pairs, ptr %copied, i64 %n) {
entry:
  store ptr %x, ptr %kept
  %one = insertelement <2 x ptr> poison, ptr %x, i64 0
  %two = insertelement <2 x ptr> %one, ptr %x, i64 1
  store <2 x ptr> %two, ptr %pairs
  %links = alloca [8 x %link]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr %link, ptr %links, i64 %i
  %count = getelementptr %link, ptr %links, i64 %i, i32 1
  store ptr %x, ptr %at
  store i64 %n, ptr %count
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %bytes = mul i64 %n, 16
  call void @llvm.memcpy.p0.p0.i64(ptr %copied, ptr %links, i64 %bytes, i1 false)
  %p = load ptr, ptr %copied
  %q = load ptr, ptr %kept
  %s = load ptr, ptr %pairs
  %v = load double, ptr %p
  %w = load double, ptr %q
  %z = load double, ptr %s
  %m = fmul double %v, %w
  %r = fmul double %m, %z
  ret double %r
}
; CHECK-LABEL: define internal { double, double } @nabla.forward.f(
; CHECK:         call void @__nabla_keep_shadow(ptr %x, ptr %{{.*}}, ptr %kept, ptr %kept,
; CHECK:         %[[P:.*]] = extractelement <2 x ptr> %two, i32 0
; CHECK:         %[[S:.*]] = extractelement <2 x ptr> %shadow{{.*}}, i32 0
; CHECK:         call void @__nabla_keep_shadow(ptr %[[P]], ptr %[[S]], ptr %pairs, ptr %pairs,
; CHECK:         call void @__nabla_keep_shadow({{.*}}, ptr %pairs, ptr %pairs,
; CHECK:         call void @__nabla_keep_shadows(ptr %links, ptr %shadow{{.*}}, ptr %copied, ptr %copied, i64 %bytes, i64 0, i64 16,

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare double @__enzyme_fwddiff(...)
@enzyme_const = external global i32
define double @use(ptr %x, ptr %d, ptr %a, ptr %b, ptr %c) noinline optnone {
  %const = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_fwddiff(ptr @f, ptr %x, ptr %d, i32 %const, ptr %a, i32 %const, ptr %b, i32 %const, ptr %c, i64 8)
  ret double %r
}
