; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The head of a list is a member of a struct, and pointed to as the nodes are: the struct begins
; before them, so that a member is at one place.
; RUN: %opt -passes=nabla -nabla-print=types -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

declare ptr @malloc(i64)

define double @f(double %x, i1 %c) {
  %list = alloca [24 x i8]
  %head = getelementptr inbounds i8, ptr %list, i64 8
  store ptr %head, ptr %head
  %node = call ptr @malloc(i64 16)
  store ptr %head, ptr %node
  %place = getelementptr inbounds i8, ptr %node, i64 8
  store double %x, ptr %place
  store ptr %node, ptr %head
  %next = load ptr, ptr %head
  %end = icmp eq ptr %next, %head
  %p = select i1 %end, ptr %node, ptr %next
  %at = getelementptr inbounds i8, ptr %p, i64 8
  %r = load double, ptr %at
  ret double %r
}
; CHECK-LABEL: types of @nabla.work.f
; CHECK:         {call malloc, local list}: 0 pointer, 8 double -> class

declare void @__enzyme_autodiff(...)
define void @use(double %x, i1 %c) {
  call void (...) @__enzyme_autodiff(ptr @f, double %x, i1 %c)
  ret void
}
