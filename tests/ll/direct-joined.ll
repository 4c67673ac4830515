; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses behind a branch, or by a choice, between memory on the heap and other memory are given to
; each side; between two arrays of the caller's they stay as they are.
; RUN: %opt -passes=nabla -nabla-print=direct -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

%node = type { i64, double, ptr }

define internal double @f(ptr %first, ptr %x, ptr %y, i1 %c) {
entry:
  %at = getelementptr %node, ptr %first, i64 0, i32 2
  %next = load ptr, ptr %at
  %value.of.first = getelementptr %node, ptr %first, i64 0, i32 1
  br i1 %c, label %leaf, label %inner

leaf:
  %element = getelementptr double, ptr %x, i64 1
  br label %both

inner:
  %value = getelementptr %node, ptr %next, i64 0, i32 1
  br label %both

both:
  %p = phi ptr [ %element, %leaf ], [ %value, %inner ]
  %k = phi double [ 2.0, %leaf ], [ 3.0, %inner ]
  %v = load double, ptr %p
  %w = fmul double %v, %k
  store double %w, ptr %p
  %q = select i1 %c, ptr %value.of.first, ptr %x
  %u = load double, ptr %q
  %plain = select i1 %c, ptr %x, ptr %y
  %z = load double, ptr %plain
  %sum = fadd double %w, %u
  %all = fadd double %sum, %z
  ret double %all
}

declare double @__enzyme_autodiff(ptr, ...)

define void @df(ptr %n, ptr %dn, ptr %x, ptr %dx, ptr %y, ptr %dy, i1 %c) {
  call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %n, ptr %dn, ptr %x, ptr %dx, ptr %y, ptr %dy, i1 %c)
  ret void
}

; CHECK-LABEL: define internal double @nabla.direct.f(
; CHECK:         [[A:%.*]] = load double, ptr %element
; CHECK-NEXT:    [[TWICE:%.*]] = fmul double [[A]], 2.0
; CHECK-NEXT:    store double [[TWICE]], ptr %element
; CHECK:         [[B:%.*]] = load double, ptr %value,
; CHECK-NEXT:    [[THRICE:%.*]] = fmul double [[B]], 3.0
; CHECK-NEXT:    store double [[THRICE]], ptr %value,
; CHECK:         phi double [ [[TWICE]], {{.*}} ], [ [[THRICE]], {{.*}} ]
; CHECK-NEXT:    br i1 %c
; CHECK:         load double, ptr %value.of.first
; CHECK:         load double, ptr %x
; CHECK:         %plain = select i1 %c, ptr %x, ptr %y
; CHECK-NEXT:    load double, ptr %plain
