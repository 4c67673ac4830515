; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where a variable of a loop around a switch takes the old value of another, LLVM 19 to 22 confuse
; it with the new one when they jump through a table.
;
; RUN: %opt -passes=nabla-last -S %s | FileCheck %s

; CHECK: define void @exchange({{.*}} #[[NONE:[0-9]+]]
define void @exchange(i32 %state) {
entry:
  br label %head
head:
  %a = phi i32 [ 0, %entry ], [ %b, %back ]
  %b = phi i32 [ %state, %entry ], [ %next, %back ]
  switch i32 %b, label %done [
    i32 0, label %back
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
  ]
one:
  br label %back
two:
  br label %back
three:
  br label %back
back:
  %step = phi i32 [ 1, %head ], [ 2, %one ], [ 3, %two ], [ %a, %three ]
  %next = add i32 %b, %step
  br label %head
done:
  ret void
}

; CHECK: define void @go_on({{.*}}) {
define void @go_on(i32 %state) {
entry:
  br label %head
head:
  %b = phi i32 [ %state, %entry ], [ %next, %back ]
  switch i32 %b, label %done [
    i32 0, label %back
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
  ]
one:
  br label %back
two:
  br label %back
three:
  br label %back
back:
  %step = phi i32 [ 1, %head ], [ 2, %one ], [ 3, %two ], [ 4, %three ]
  %next = add i32 %b, %step
  br label %head
done:
  ret void
}

; CHECK: attributes #[[NONE]] = { "no-jump-tables"="true" }
