; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop whose count is known at its own entry, in a loop of unknown count (the rows of a sparse
; matrix): its slots are reserved at once, on a stack; only a function's own arrays are allocated.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, ptr %rows) {
entry:
  br label %outer
outer:
  %i = phi i64 [0, %entry], [%i1, %after]
  %s = phi double [%x, %entry], [%t, %after]
  %i1 = add i64 %i, 1
  %p = getelementptr i64, ptr %rows, i64 %i
  %n = load i64, ptr %p
  br label %inner
inner:
  %j = phi i64 [0, %outer], [%j1, %inner]
  %u = phi double [%s, %outer], [%t, %inner]
  %t = fmul double %u, %u
  %j1 = add nuw i64 %j, 1
  %again = icmp ult i64 %j1, %n
  br i1 %again, label %inner, label %after
after:
  %more = fcmp olt double %t, 1.0e3
  br i1 %more, label %outer, label %end
end:
  ret double %t
}

; CHECK-LABEL: define {{.*}}@nabla.augmented.f(
; CHECK-NOT:     __nabla_tape_allocate
; CHECK:         call ptr @__nabla_tape_push(
; CHECK:         call ptr @__nabla_tape_push_rows(
; CHECK-NOT:     __nabla_tape_allocate
; CHECK-LABEL: define {{.*}}@nabla.reverse.f(
; CHECK:         call ptr @__nabla_tape_pop_rows(

declare double @__enzyme_autodiff(...)
define double @use(double %x, ptr %rows) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, metadata !"enzyme_const", ptr %rows)
  ret double %r
}
