; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A struct passed by value becomes a local copy.
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

%pair = type {double, double}
define double @f(ptr byval(%pair) %p, double %x, i64 %i) {
  %q = getelementptr double, ptr %p, i64 %i
  store double %x, ptr %q
  %v = load double, ptr %p
  ret double %v
}
; CHECK-LABEL: @nabla.work.f(
; CHECK:         %byval = alloca %pair
; CHECK:         call void @llvm.memcpy{{.*}}(ptr {{.*}}%byval, ptr {{.*}}%p, i64 16
; CHECK:         getelementptr double, ptr %byval, i64 %i

@enzyme_const = external global i32
declare double @__enzyme_autodiff(...)
define double @use(ptr %p, double %x, i64 %i) noinline optnone {
  %c = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %c, ptr byval(%pair) %p, double %x, i64 %i)
  ret double %r
}
