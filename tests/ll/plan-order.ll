; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where the reverses of the iterations commute, the loop runs in the primal's order.
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=plan -nabla-without=order -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"

; A sum over all: adjoints are only added.
define double @sum(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %q = getelementptr double, ptr %y, i64 %i
  %u = load double, ptr %q
  %w = fmul double %v, %u
  %t = fadd double %s, %w
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}
; CHECK-LABEL: plan @sum
; CHECK-NEXT:    upward loop
; WITHOUT-LABEL: plan @sum
; WITHOUT-NOT:     upward

; The adjoint of a product changes from one iteration to the next.
define double @product(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %t = fmul double %s, %v
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}
; CHECK-LABEL: plan @product
; CHECK-NOT:     upward

; Only the last value of x leaves the loop.
define double @last(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %t = fmul double %v, %v
  ret double %t
}
; CHECK-LABEL: plan @last
; CHECK-NOT:     upward

; x and y may be the same memory, one element apart.
define double @map(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, 2.0
  %q = getelementptr double, ptr %y, i64 %i
  store double %w, ptr %q
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double 0.0
}
; CHECK-LABEL: plan @map
; CHECK-NOT:     upward

; Here they are not.
define double @map_apart(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, 2.0
  %q = getelementptr double, ptr %y, i64 %i
  store double %w, ptr %q
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double 0.0
}
; CHECK-LABEL: plan @map_apart
; CHECK-NEXT:    upward loop

; What each iteration stores to one place, the next one clears.
define double @same_place(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %k = and i64 %i, 1
  %q = getelementptr double, ptr %y, i64 %k
  store double %v, ptr %q
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double 0.0
}
; CHECK-LABEL: plan @same_place
; CHECK-NOT:     upward

; In place: each iteration has its own element.
define double @in_place(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, 2.0
  store double %w, ptr %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double 0.0
}
; CHECK-LABEL: plan @in_place
; CHECK-NEXT:    upward loop

@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @sum, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @product, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @last, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @map, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @map_apart, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @same_place, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @in_place, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
