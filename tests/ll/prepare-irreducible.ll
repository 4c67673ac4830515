; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A cycle with two entries becomes a loop with one, also where a phi there is used by nothing.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %p = phi double [%x, %entry], [%w, %b]
  %unused = phi i32 [1, %entry], [2, %b]
  %v = fmul double %p, %x
  %out = fcmp ogt double %v, 100.0
  br i1 %out, label %end, label %b
b:
  %q = phi double [%x, %entry], [%v, %a]
  %w = call double @sin(double %q)
  br label %a
end:
  ret double %v
}
declare double @sin(double)

; One inside of another: `a` and `b` go to one another, and both are entered from `top` and `start`.
define double @g(double %x, i32 %n) {
start:
  %c = icmp slt i32 %n, 3
  br i1 %c, label %top, label %b
top:
  %i = phi i32 [0, %start], [%k, %b]
  %d = icmp eq i32 %i, 3
  br i1 %d, label %a, label %b
a:
  %p = phi double [%x, %top], [%w, %b]
  %j = phi i32 [%i, %top], [%k, %b]
  %v = fmul double %p, %x
  %out = icmp sgt i32 %j, 9
  br i1 %out, label %end, label %b
b:
  %q = phi double [2.0, %start], [%x, %top], [%v, %a]
  %m = phi i32 [0, %start], [%i, %top], [%j, %a]
  %w = call double @sin(double %q)
  %k = add i32 %m, 1
  %again = icmp slt i32 %k, 5
  br i1 %again, label %top, label %a
end:
  ret double %v
}
; CHECK-LABEL: @nabla.work.f(
; CHECK:       entries:
; CHECK:         %counter = phi i64
; CHECK:         [[TO:%.*]] = icmp eq i32 %entry{{.*}}, 1
; CHECK:         br i1 [[TO]], label %a, label %b
; CHECK:       }

declare double @__enzyme_autodiff(...)
define double @use(double %x, i1 %c) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i1 %c)
  ret double %r
}
; CHECK-LABEL: @nabla.work.g(
; CHECK:         br i1 {{%.*}}, label %top, label %b
; CHECK:       }
define double @use_nested(double %x, i32 %n) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @g, double %x, i32 %n)
  ret double %r
}
