; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Numbers that are tested for being equal are hidden from the optimiser, until derivatives are
; written; a fence of the user's stays.
; RUN: %opt -passes=nabla-collect -S %s | FileCheck %s --check-prefix=HIDDEN
; RUN: %opt -passes=nabla -S %s | FileCheck %s --check-prefix=SHOWN

; HIDDEN-LABEL: define double @f(
; HIDDEN: %[[FENCE:.*]] = call double @llvm.arithmetic.fence.f64(double %x) #[[MARK:[0-9]+]]
; HIDDEN-NEXT: fcmp oeq double %[[FENCE]], 3.0
; HIDDEN: fcmp olt double %x, 1.0
; HIDDEN: attributes #[[MARK]] = { "nabla.equality" }

; SHOWN-LABEL: define double @f(
; SHOWN-NEXT: %kept = call double @llvm.arithmetic.fence.f64(double %x)
; SHOWN-NEXT: fcmp oeq double %x, 3.0
define double @f(double %x) {
  %kept = call double @llvm.arithmetic.fence.f64(double %x)
  %equal = fcmp oeq double %x, 3.0
  %less = fcmp olt double %x, 1.0
  %square = fmul double %x, %kept
  %s = select i1 %less, double %kept, double 1.0
  %r = select i1 %equal, double %square, double %s
  ret double %r
}

define double @g(double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %r
}

declare double @llvm.arithmetic.fence.f64(double)
declare double @__enzyme_fwddiff(ptr, ...)
