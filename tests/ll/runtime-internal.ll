; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is linked of the runtime is private to the module, but for what the program may replace.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %s = phi double [%x, %entry], [%t, %loop]
  %t = fmul double %s, %x
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-NOT:   declare {{.*}}@__nabla
; CHECK:       define internal {{.*}}@nabla.combined.f(
; CHECK:         call {{.*}}ptr @aligned_alloc(
; CHECK:         call void @free(
; CHECK:       define internal {{.*}}@fail(
; CHECK:         call void @__nabla_out_of_memory(
; CHECK:       define linkonce {{.*}}@__nabla_out_of_memory(ptr {{.*}}, i64 {{.*}})
; CHECK-NOT:   define {{(dso_local )?[a-z]+}} @__nabla

declare double @__enzyme_autodiff(...)
define double @use(double %x, i64 %n) noinline optnone {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %r
}
