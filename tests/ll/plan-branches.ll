; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Residuals of two branches, of which an iteration takes one, share their room; those of one branch,
; and of what comes behind both, do not.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

declare double @sin(double)
declare double @cos(double)
declare double @exp(double)

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %join]
  %s = phi double [%x, %entry], [%t, %join]
  %odd = and i64 %i, 1
  %left = icmp eq i64 %odd, 0
  br i1 %left, label %one, label %other
one:
  %a = call double @sin(double %s)
  br label %join
other:
  %b = call double @exp(double %s)
  br label %join
join:
  %t = phi double [%a, %one], [%b, %other]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-LABEL: define {{.*}}@nabla.augmented.f(
; CHECK:         call ptr @__nabla_tape_allocate(i64 {{%.*}}, i64 8,

define double @g(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %join]
  %s = phi double [%x, %entry], [%v, %join]
  %odd = and i64 %i, 1
  %left = icmp eq i64 %odd, 0
  br i1 %left, label %one, label %other
one:
  %a = call double @sin(double %s)
  br label %join
other:
  %b = call double @exp(double %s)
  br label %join
join:
  %t = phi double [%a, %one], [%b, %other]
  %v = call double @cos(double %t)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %v
}

; CHECK-LABEL: define {{.*}}@nabla.augmented.g(
; CHECK:         call ptr @__nabla_tape_allocate(i64 {{%.*}}, i64 16,

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  %q = call double (...) @__enzyme_autodiff(ptr @g, double %x, i64 %n)
  %z = fadd double %r, %q
  ret double %z
}
