; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where three ways meet, the number of the predecessor is the decision.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i32 %k) {
entry:
  switch i32 %k, label %other [i32 1, label %one
                               i32 2, label %two]
one:
  %a = call double @sin(double %x)
  br label %end
two:
  %b = call double @cos(double %x)
  br label %end
other:
  %c = call double @exp(double %x)
  br label %end
end:
  %y = phi double [%a, %one], [%b, %two], [%c, %other]
  ret double %y
}
declare double @sin(double)
declare double @cos(double)
declare double @exp(double)
; CHECK-LABEL: @nabla.work.f(
; CHECK:       end:
; CHECK:         %decision = phi i8 [ 0, %{{.*}} ], [ 1, %{{.*}} ], [ 2, %{{.*}} ]

declare double @__enzyme_autodiff(...)
define double @use(double %x, i32 %k) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %k)
  ret double %r
}
