; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses to shadows are in a scope that accesses to the primal's memory and to the tape are not in.
; Of two shadows nothing is said.
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=emit -nabla-shadows-may-overlap -disable-output %s 2>&1 \
; RUN:   | FileCheck --check-prefix=OVERLAP %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %x, ptr %y) {
  %a = load double, ptr %x
  %s = fmul double %a, %a
  store double %s, ptr %y
  ret void
}

; CHECK-LABEL: define {{.*}}@nabla.forward.f(
; CHECK:         load double, ptr %x, align 8, !noalias ![[S:[0-9]+]]
; CHECK:         load double, ptr %0, align 8, !alias.scope ![[S]]
; CHECK:         store double %s, ptr %y, align 8, !noalias ![[S]]
; CHECK:         store double %{{.*}}, ptr %1, align 8, !alias.scope ![[S]]
; CHECK-LABEL: define {{.*}}@nabla.augmented.f(
; CHECK:         %a = load double, ptr %x, align 8, !noalias ![[T:[0-9]+]]
; CHECK:         store double %a, ptr %{{.*}}, align 8, !noalias ![[T]]
; CHECK:         store double %s, ptr %y, align 8, !noalias ![[T]]
; CHECK-LABEL: define {{.*}}@nabla.reverse.f(
; CHECK:         load double, ptr %3, align 8, !alias.scope ![[T]]
; CHECK-NEXT:    store double 0.0{{.*}}, ptr %3, align 8, !alias.scope ![[T]]
; CHECK:         load double, ptr %{{.*}}, align 8, !noalias ![[T]]
; CHECK:         load double, ptr %2, align 8, !alias.scope ![[T]]
; CHECK:         store double %{{.*}}, ptr %2, align 8, !alias.scope ![[T]]
; OVERLAP-NOT:   !alias.scope
; OVERLAP-NOT:   !noalias

declare void @__enzyme_autodiff(...)
declare void @__enzyme_fwddiff(...)
define void @use(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__enzyme_fwddiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
