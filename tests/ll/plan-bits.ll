; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Decisions take a bit each: a word of arrays, or a record, serves 64 iterations.
; RUN: %opt -passes=nabla -nabla-print=plan,emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @counted(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %join]
  %s = phi double [%x, %entry], [%t, %join]
  %large = fcmp ogt double %s, 1.0
  br i1 %large, label %halve, label %join
halve:
  %h = call double @sin(double %s)
  br label %join
join:
  %t = phi double [%h, %halve], [%s, %loop]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-LABEL: plan @counted
; CHECK:         store bit %large in arrays of loop
; CHECK-LABEL: define {{.*}}@nabla.augmented.counted(
; CHECK:         [[WHOLE:%.*]] = udiv i64 {{%.*}}, 64
; CHECK:         [[GROUPS:%.*]] = add i64 [[WHOLE]], 1
; CHECK:         call ptr @__nabla_tape_allocate(i64 [[GROUPS]], i64 8,

define double @searched(double %x) {
entry:
  br label %loop
loop:
  %s = phi double [%x, %entry], [%t, %join]
  %large = fcmp ogt double %s, 1.0
  br i1 %large, label %halve, label %join
halve:
  %h = call double @sin(double %s)
  br label %join
join:
  %t = phi double [%h, %halve], [%s, %loop]
  %more = fcmp olt double %t, 3.0
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-LABEL: plan @searched
; CHECK:         store bit %large in records of loop
; CHECK-LABEL: define {{.*}}@nabla.augmented.searched(
; CHECK:         call ptr @__nabla_tape_push_words(ptr {{%.*}}, i64 8,
; CHECK-LABEL: define {{.*}}@nabla.reverse.searched(
; CHECK:         call ptr @__nabla_tape_pop_words(ptr {{%.*}}, i64 8,

; What chooses between values is a byte where the loop's count is known.
define double @chosen(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %s = phi double [%x, %entry], [%t, %loop]
  %large = fcmp ogt double %s, 1.0
  %h = fmul double %s, 0.5
  %t = select i1 %large, double %h, double %s
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-LABEL: plan @chosen
; CHECK:         store i1 %large in arrays of loop
; CHECK-LABEL: define {{.*}}@nabla.augmented.chosen(
; CHECK:         call ptr @__nabla_tape_allocate(i64 {{%.*}}, i64 1,

declare double @sin(double)
declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @counted, double %x, i64 %n)
  %q = call double (...) @__enzyme_autodiff(ptr @searched, double %x)
  %p = call double (...) @__enzyme_autodiff(ptr @chosen, double %x, i64 %n)
  %y = fadd double %r, %q
  %z = fadd double %y, %p
  ret double %z
}
