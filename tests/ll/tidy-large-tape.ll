; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Arrays of the function's that the reverse sweep needs stay on the stack up to 4 KiB together; the
; others share one block of the heap.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i64 %i) {
  %small = alloca [16 x double]
  %large = alloca [1000 x double]
  %p = getelementptr double, ptr %small, i64 %i
  %q = getelementptr double, ptr %large, i64 %i
  store double %x, ptr %p
  %a = load double, ptr %small
  store double %a, ptr %q
  %b = load double, ptr %large
  %y = fmul double %b, %a
  ret double %y
}

; CHECK-LABEL: define internal {{.*}}@nabla.combined.f(
; CHECK-NOT:     alloca [{{[0-9][0-9][0-9]+}} x double]
; CHECK:         alloca [16 x double]
; CHECK-NOT:     alloca [{{[0-9][0-9][0-9]+}} x double]
; CHECK:         call {{.*}}ptr @aligned_alloc(i64 {{.*}}64, i64 {{.*}}16000)
; CHECK-NOT:     = alloca
; CHECK:         call void @free(
; CHECK:         ret

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %i) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %i)
  ret double %r
}
