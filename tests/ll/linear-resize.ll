; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; realloc: forward mode resizes the shadow; reverse mode makes a fresh one and copies what both have
; in common, so that the old one can be added to.
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)

define double @f(double %x, i64 %n) {
  %a = call ptr @malloc(i64 80)
  %i = and i64 %n, 7
  %p = getelementptr double, ptr %a, i64 %i
  store double %x, ptr %p
  %b = call ptr @realloc(ptr %a, i64 %n)
  %q = getelementptr double, ptr %b, i64 %i
  %y = load double, ptr %q
  %z = fmul double %y, %y
  call void @free(ptr %b)
  ret double %z
}

; CHECK:      linear @f
; CHECK:        allocate at %[[OLD:.*]]
; CHECK:        store
; CHECK:        allocate at %[[NEW:.*]]
; CHECK-NEXT:   copy{{.*}} at %[[NEW]] from %[[OLD]] bytes %common
; CHECK:        load
; CHECK:      linear @f
; CHECK-NOT:    copy

declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
define double @use(double %x, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  %t = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, i64 %n)
  %s = fadd double %r, %t
  ret double %s
}
