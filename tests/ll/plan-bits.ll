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

; Control comes from one of three ways: two bits.
define double @turned(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %join]
  %s = phi double [%x, %entry], [%t, %join]
  %large = fcmp ogt double %s, 1.0
  br i1 %large, label %huge, label %small
huge:
  %more.than = fcmp ogt double %s, 2.0
  br i1 %more.than, label %halve, label %join
halve:
  %h = fmul double %s, 0.5
  br label %join
small:
  %d = fmul double %s, 2.0
  br label %join
join:
  %t = phi double [%h, %halve], [%s, %huge], [%d, %small]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-LABEL: plan @turned
; CHECK:         store 2 bits %decision in arrays of loop
; CHECK-LABEL: define {{.*}}@nabla.augmented.turned(
; CHECK:         [[WHOLE:%.*]] = udiv i64 {{%.*}}, 64
; CHECK:         [[GROUPS:%.*]] = add i64 [[WHOLE]], 1
; CHECK:         call ptr @__nabla_tape_allocate(i64 [[GROUPS]], i64 16,

; What only chooses between values is a byte where the loop may become one of vectors.
define void @chosen(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %p = getelementptr double, ptr %x, i64 %i
  %s = load double, ptr %p
  %large = fcmp ogt double %s, 1.0
  %h = fmul double %s, 0.5
  %t = select i1 %large, double %h, double %s
  store double %t, ptr %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: plan @chosen
; CHECK:         store i1 %large in arrays of loop
; CHECK-LABEL: define {{.*}}@nabla.augmented.chosen(
; CHECK:         call ptr @__nabla_tape_allocate(i64 {{%.*}}, i64 1,

; It does not where an iteration needs what the one before computed.
define double @carried(double %x, i64 %n) {
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

; CHECK-LABEL: plan @carried
; CHECK:         store bit %large in arrays of loop

declare double @sin(double)
declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n, ptr %v, ptr %dv) {
  %r = call double (...) @__enzyme_autodiff(ptr @counted, double %x, i64 %n)
  %q = call double (...) @__enzyme_autodiff(ptr @searched, double %x)
  %u = call double (...) @__enzyme_autodiff(ptr @turned, double %x, i64 %n)
  call double (...) @__enzyme_autodiff(ptr @chosen, ptr %v, ptr %dv, i64 %n)
  %p = call double (...) @__enzyme_autodiff(ptr @carried, double %x, i64 %n)
  %y = fadd double %r, %q
  %z = fadd double %y, %p
  ret double %z
}
