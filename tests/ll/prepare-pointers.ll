; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A slot holds a pointer or an integer, and is read as an integer where both ways have met, as in
; Rust's vectors that grow. Behind the test of the tag it is the pointer that was stored.
; RUN: %opt -passes=nabla -disable-output -nabla-print=linear %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %x, i64 %size) {
  %payload = alloca i64
  %more = alloca i64
  %fits = icmp ult i64 %size, 9
  br i1 %fits, label %good, label %both
good:
  %block = call ptr @malloc(i64 %size)
  store ptr %block, ptr %payload
  br label %both
both:
  %tag = phi i64 [ 0, %good ], [ 1, %0 ]
  %where = phi ptr [ %more, %good ], [ %payload, %0 ]
  store i64 %size, ptr %where
  %failed = trunc nuw i64 %tag to i1
  br i1 %failed, label %end, label %use
use:
  %held = load i64, ptr %payload
  %p = inttoptr i64 %held to ptr
  %v = load double, ptr %x
  %square = fmul double %v, %v
  store double %square, ptr %p
  %w = load double, ptr %p
  call void @free(ptr %p)
  ret double %w
end:
  %bytes = load i64, ptr %payload
  call void @fail(i64 %bytes)
  unreachable
}

; CHECK-LABEL: linear @f
; CHECK:         allocate at %block

declare ptr @malloc(i64)
declare void @free(ptr)
declare void @fail(i64) noreturn nounwind
declare void @__enzyme_autodiff(...)
define void @use(ptr %p, ptr %d) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d, i64 8)
  ret void
}
