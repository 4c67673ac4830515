; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The model of dynamic_cast is inlined, so that it is known where a cast by a hint leads: to the
; very object, and not to any place in it.
; RUN: %opt -passes=nabla -nabla-print=direct -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

@_ZTI4Base = external constant ptr
@_ZTI7Derived = external constant ptr

define internal double @cast(ptr %base, double %x) {
  %derived = call ptr @__dynamic_cast(ptr %base, ptr @_ZTI4Base, ptr @_ZTI7Derived, i64 0)
  %at = getelementptr i8, ptr %derived, i64 8
  store double %x, ptr %at
  %again = getelementptr i8, ptr %base, i64 8
  %y = load double, ptr %again
  %z = fmul double %y, %x
  ret double %z
}

define double @use(ptr %base, ptr %shadow, double %x) {
  %a = call double (...) @__enzyme_autodiff(ptr @cast, ptr %base, ptr %shadow, double %x)
  ret double %a
}

declare double @__enzyme_autodiff(...)
declare ptr @__dynamic_cast(ptr, ptr, ptr, i64)

; CHECK-LABEL: define internal double @nabla.direct.cast(
; CHECK-NOT:     call ptr @__dynamic_cast
; CHECK:         call i64 @__nabla_cast(
; CHECK-NOT:     getelementptr {{.*}} ptr %base, i64 %
; CHECK:         ret double
