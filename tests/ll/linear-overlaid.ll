; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Numbers that are stored into the caller's memory where pointers may be. In reverse mode the run
; tells whether they are, in the callee, too.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define internal void @put(ptr %numbers, i64 %i, float %value) noinline {
  %place = getelementptr inbounds float, ptr %numbers, i64 %i
  store float %value, ptr %place, align 4
  ret void
}

define float @over(ptr %slots, i64 %i) noinline {
  %slot = getelementptr inbounds ptr, ptr %slots, i64 %i
  %pointer = load ptr, ptr %slot, align 8
  %value = load float, ptr %pointer, align 4
  %twice = fadd float %value, %value
  %place = getelementptr inbounds float, ptr %slots, i64 %i
  store float %twice, ptr %place, align 4
  call void @put(ptr %slots, i64 %i, float %twice)
  %read = load float, ptr %place, align 4
  ret float %read
}

; CHECK-LABEL: define {{.*}}@nabla.augmented.put(
; CHECK:         call void @__nabla_over_pointer(ptr %{{.*}}, i64 4,

; CHECK-LABEL: define {{.*}}@nabla.augmented.over(
; CHECK:         call void @__nabla_over_pointer(ptr %{{.*}}, i64 4,

; CHECK-LABEL: define {{.*}}@nabla.forward.over(
; CHECK-NOT:     __nabla_over_pointer

declare float @__enzyme_autodiff(...)
declare float @__enzyme_fwddiff(...)
define void @use(ptr %x, ptr %dx) noinline optnone {
  %r = call float (...) @__enzyme_autodiff(ptr @over, ptr %x, ptr %dx, i64 1)
  %f = call float (...) @__enzyme_fwddiff(ptr @over, ptr %x, ptr %dx, i64 1)
  ret void
}
