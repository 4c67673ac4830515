; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is read, added to and written back is added to the shadow: the adjoint stays in its place.
; RUN: %opt -passes=nabla -nabla-print=simplify,emit -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=simplify -nabla-without=update -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %x, ptr %y) {
  %a = load double, ptr %x
  %old = load double, ptr %y
  %b = fmul double %a, 3.0
  %s = fadd double %old, %b
  %z = fsub double %s, %a
  store double %z, ptr %y
  ret void
}
; CHECK-LABEL: simplify @f
; CHECK:         load     t(%a) = at [[X:.*]]
; CHECK-NOT:     load
; CHECK:         add      t(%z) at [[Y:.*]]
; CHECK-LABEL: define internal void @nabla.reverse.f(
; CHECK-NOT:     store {{.*}}, ptr %3
; CHECK:         ret void

; WITHOUT-LABEL: simplify @f
; WITHOUT:         load     t(%old)
; WITHOUT:         store    t(%z)

; A store between the two may be to the same memory.
define void @between(ptr %x, ptr %y) {
  %a = load double, ptr %x
  %old = load double, ptr %y
  store double 1.0, ptr %x
  %s = fadd double %old, %a
  store double %s, ptr %y
  ret void
}
; CHECK-LABEL: simplify @between
; CHECK:         load     t(%old)
; CHECK:         store    t(%s)

; The old value is needed elsewhere too.
define void @again(ptr %x, ptr %y) {
  %a = load double, ptr %x
  %old = load double, ptr %y
  %s = fadd double %old, %a
  store double %s, ptr %y
  %p = fmul double %old, %a
  store double %p, ptr %x
  ret void
}
; CHECK-LABEL: simplify @again
; CHECK:         load     t(%old)
; CHECK:         store    t(%s)

declare void @__enzyme_autodiff(...)
define void @use(ptr %x, ptr %dx, ptr %y, ptr %dy) noinline optnone {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void (...) @__enzyme_autodiff(ptr @between, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void (...) @__enzyme_autodiff(ptr @again, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
