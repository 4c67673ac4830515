; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Local memory is active where something active is stored to it and loaded usefully.
; RUN: %opt -passes=nabla -nabla-print=activity -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x, i64 %i) {
  %kept = alloca [4 x double]
  %table = alloca [4 x double]
  %seen = alloca [4 x double]
  %k = getelementptr inbounds double, ptr %kept, i64 %i
  %t = getelementptr inbounds double, ptr %table, i64 %i
  %s = getelementptr inbounds double, ptr %seen, i64 %i
  store double %x, ptr %k
  store double 2.0, ptr %t
  store double %x, ptr %s
  %a = load double, ptr %kept
  %b = load double, ptr %table
  %c = load volatile double, ptr %seen
  %r = fmul double %a, %b
  ret double %r
}
; CHECK-LABEL: activity of @nabla.work.f
; CHECK-NEXT:    active class {{[0-9]+}} {local kept}
; CHECK-NEXT:    active %x
; CHECK-NEXT:    active %a = load
; CHECK-NEXT:    active %r = fmul
; CHECK-NOT:     active %

declare double @__enzyme_autodiff(...)
define double @use(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 1)
  ret double %r
}
