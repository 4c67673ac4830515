; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A vector and its first lane that are merged beside each other: LLVM may spill both as 8 bytes, so
; the vector alone is merged.
;
; RUN: %opt -passes=nabla-last -S %s | FileCheck %s

; CHECK-LABEL: @phis(
; CHECK:       next:
; CHECK-NEXT:    %pair = phi <2 x double> [ %a, %left ], [ %b, %right ]
; CHECK-NEXT:    %[[LANE:.*]] = extractelement <2 x double> %pair, i64 0
; CHECK-NEXT:    store double %[[LANE]], ptr %p
define <2 x double> @phis(i1 %c, ptr %p, <2 x double> %a, double %x) {
entry:
  %a0 = extractelement <2 x double> %a, i64 0
  br i1 %c, label %left, label %right
left:
  br label %next
right:
  %low = insertelement <2 x double> poison, double %x, i64 0
  %b = shufflevector <2 x double> %low, <2 x double> %a, <2 x i32> <i32 0, i32 3>
  br label %next
next:
  %pair = phi <2 x double> [ %a, %left ], [ %b, %right ]
  %first = phi double [ %x, %right ], [ %a0, %left ]
  store double %first, ptr %p
  ret <2 x double> %pair
}

; Around a loop each is what it was, or comes from the other arm.
;
; CHECK-LABEL: @loop(
; CHECK:         %pair = phi <2 x double>
; CHECK-NOT:     phi double
; CHECK:         store double
; CHECK:         %kept = phi <2 x double>
; CHECK-NOT:     phi double
; CHECK:         ret
define <2 x double> @loop(ptr %p, <2 x double> %a) {
entry:
  %a0 = extractelement <2 x double> %a, i64 0
  br label %head
head:
  %pair = phi <2 x double> [ %a, %entry ], [ %kept, %latch ]
  %first = phi double [ %a0, %entry ], [ %kept0, %latch ]
  %stop = load volatile i1, ptr %p
  store double %first, ptr %p
  br i1 %stop, label %step, label %latch
step:
  %sum = fadd <2 x double> %pair, %a
  %sum0 = extractelement <2 x double> %sum, i64 0
  %end = load volatile i1, ptr %p
  br i1 %end, label %done, label %latch
latch:
  %kept = phi <2 x double> [ %sum, %step ], [ %pair, %head ]
  %kept0 = phi double [ %sum0, %step ], [ %first, %head ]
  br label %head
done:
  ret <2 x double> %sum
}

; CHECK-LABEL: @selects(
; CHECK:         %[[PAIR:.*]] = select i1 %c, <2 x double> %a, <2 x double> %b
; CHECK-NEXT:    %[[LANE:.*]] = extractelement <2 x double> %[[PAIR]], i64 0
; CHECK-NEXT:    store double %[[LANE]], ptr %p
; CHECK-NEXT:    ret
define <2 x double> @selects(i1 %c, ptr %p, <2 x double> %a, <2 x double> %b) {
  %a0 = extractelement <2 x double> %a, i64 0
  %b0 = extractelement <2 x double> %b, i64 0
  %first = select i1 %c, double %a0, double %b0
  store double %first, ptr %p
  %pair = select i1 %c, <2 x double> %a, <2 x double> %b
  ret <2 x double> %pair
}

; Where the vectors are made behind the scalar, nothing moves.
;
; CHECK-LABEL: @made_behind(
; CHECK:         %first = select i1 %c, double %x, double %y
; CHECK:         %pair = select i1 %c, <2 x double> %a, <2 x double> %b
define <2 x double> @made_behind(i1 %c, ptr %p, double %x, double %y) {
  %first = select i1 %c, double %x, double %y
  store double %first, ptr %p
  %a = insertelement <2 x double> <double 1.0, double 1.0>, double %x, i64 0
  %b = insertelement <2 x double> <double 2.0, double 2.0>, double %y, i64 0
  %pair = select i1 %c, <2 x double> %a, <2 x double> %b
  ret <2 x double> %pair
}

; What is another lane, or a lane of something else, stays.
;
; CHECK-LABEL: @others(
; CHECK:         %second = phi double [ %a1, %left ], [ %b1, %right ]
; CHECK:         %crossed = phi double [ %b0, %left ], [ %a0, %right ]
define <2 x double> @others(i1 %c, ptr %p, <2 x double> %a, <2 x double> %b) {
entry:
  %a0 = extractelement <2 x double> %a, i64 0
  %b0 = extractelement <2 x double> %b, i64 0
  %a1 = extractelement <2 x double> %a, i64 1
  %b1 = extractelement <2 x double> %b, i64 1
  br i1 %c, label %left, label %right
left:
  br label %next
right:
  br label %next
next:
  %pair = phi <2 x double> [ %a, %left ], [ %b, %right ]
  %second = phi double [ %a1, %left ], [ %b1, %right ]
  %crossed = phi double [ %b0, %left ], [ %a0, %right ]
  store volatile double %second, ptr %p
  store volatile double %crossed, ptr %p
  ret <2 x double> %pair
}
