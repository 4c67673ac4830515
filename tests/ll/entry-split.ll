; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The calls of split reverse mode: what stands in the names of their declarations, and what they
; become. The user's memory, where the tape goes, may be unaligned.
; RUN: %opt -passes=nabla-collect -S %s | FileCheck --check-prefix=COLLECT %s
; RUN: %opt -passes=nabla -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

define internal double @f(ptr noalias %p, ptr noalias %q) {
  %x = load double, ptr %p
  %y = load double, ptr %q
  %xy = fmul double %x, %y
  ret double %xy
}

; COLLECT-LABEL: @size(
; COLLECT: call i32 @"__nabla_request.split-size(Dd) i32 (ptr)"(ptr @f)
; CHECK-LABEL: @size(
; CHECK-NEXT: ret i32 8
define i32 @size() {
  %size = call i32 (ptr, ...) @__enzyme_augmentsize(ptr @f, metadata !"enzyme_not_overwritten", metadata !"enzyme_dup", metadata !"enzyme_dup")
  ret i32 %size
}

; COLLECT-LABEL: @heap(
; COLLECT: call ptr @"__nabla_request.split-augmented(aaaa) ptr (ptr, ptr, ptr, ptr, ptr)"(
; COLLECT: call void @"__nabla_request.split-reverse(aaaaaa)+nofree void (ptr, ptr, ptr, ptr, ptr, double, ptr)"(
; CHECK-LABEL: @heap(
; CHECK: %[[TAPE:.*]] = call {{.*}}@__nabla_tape_allocate(i64 1, i64 16, ptr {{.*}}, ptr null)
; CHECK-NOT: @__nabla_tape_release(
; CHECK: ret void
define void @heap(ptr %p, ptr %dp, ptr %q, ptr %dq) {
  %tape = call ptr (ptr, ...) @__enzyme_augmentfwd(ptr @f, ptr %p, ptr %dp, ptr %q, ptr %dq)
  call void (ptr, ...) @__enzyme_reverse(ptr @f, metadata !"enzyme_nofree", ptr %p, ptr %dp, ptr %q, ptr %dq, double 1.0, ptr %tape)
  ret void
}

; COLLECT-LABEL: @own(
; COLLECT: call double @"__nabla_request.split-augmented(stDaaa) double (ptr, i64, ptr, ptr, ptr, ptr, ptr)"(
; COLLECT: call void @"__nabla_request.split-reverse(Daaaast) void (ptr, ptr, ptr, ptr, ptr, double, i64, ptr)"(
; CHECK-LABEL: @own(
; CHECK-NOT: @__nabla_tape_allocate
; CHECK: store double %{{.*}}, ptr %memory, align 1
; CHECK: ret double
define double @own(ptr %p, ptr %dp, ptr %q, ptr %dq, ptr %memory) {
  %r = call double (ptr, ...) @__enzyme_augmentfwd(ptr @f, metadata !"enzyme_allocated", i64 8, metadata !"enzyme_tape", ptr %memory, metadata !"enzyme_not_overwritten", metadata !"enzyme_dup", ptr %p, ptr %dp, ptr %q, ptr %dq)
  call void (ptr, ...) @__enzyme_reverse(ptr @f, metadata !"enzyme_dup", metadata !"enzyme_not_overwritten", ptr %p, ptr %dp, ptr %q, ptr %dq, double 1.0, metadata !"enzyme_allocated", i64 8, metadata !"enzyme_tape", ptr %memory)
  ret double %r
}

; The size is not known before the program runs.
; CHECK-LABEL: @asked(
; CHECK: call void @__nabla_tape_check_room(i64 %room, i64 16)
define void @asked(ptr %p, ptr %dp, ptr %q, ptr %dq, ptr %memory, i64 %room) {
  call ptr (ptr, ...) @__enzyme_augmentfwd(ptr @f, metadata !"enzyme_allocated", i64 %room, metadata !"enzyme_tape", ptr %memory, ptr %p, ptr %dp, ptr %q, ptr %dq)
  ret void
}

declare i32 @__enzyme_augmentsize(ptr, ...)
declare ptr @__enzyme_augmentfwd(ptr, ...)
declare void @__enzyme_reverse(ptr, ...)
