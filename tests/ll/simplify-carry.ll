; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What the next iteration reads again goes there in a phi: one load is left in the loop.
; RUN: %opt -passes=nabla -nabla-print=simplify -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=simplify -nabla-without=carry -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %a = load double, ptr %p
  %next = add i64 %i, 1
  %q = getelementptr double, ptr %x, i64 %next
  %b = load double, ptr %q
  %w = fmul double %a, %b
  %t = fadd double %s, %w
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}
; CHECK-LABEL: simplify @f
; CHECK-NEXT:    copies:
; CHECK-NEXT:    load     t(%first) = at (ptr %0)
; CHECK-NEXT:   loop:
; CHECK-NEXT:    phi      t(%carried) = t(%first) t(%b)
; CHECK-NEXT:    phi      t(%s)
; CHECK-NEXT:    load     t(%b)
; CHECK-NEXT:    sum      t(%w) = %b * t(%carried) %a * t(%b)

; WITHOUT-LABEL: simplify @f
; WITHOUT:         load     t(%a)
; WITHOUT:         load     t(%b)

; The loop overwrites what it reads again.
define double @in_place(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %a = load double, ptr %p
  %next = add i64 %i, 1
  %q = getelementptr double, ptr %x, i64 %next
  %b = load double, ptr %q
  %w = fmul double %a, %b
  store double %w, ptr %q
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double 0.0
}
; CHECK-LABEL: simplify @in_place
; CHECK-NOT:     carried

declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx, i64 %n) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @in_place, ptr %x, ptr %dx, i64 %n)
  ret void
}
