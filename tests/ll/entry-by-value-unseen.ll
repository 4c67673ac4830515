; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Optimised code without notes: two parameters of which clang does not say that they have a value may
; be one struct. Those that have one, and those with markers of their own, are not.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s

; CHECK: parameters 1 and 2 of 'parts' may be parts of one struct
; CHECK-SAME: [nabla: by-value]
; CHECK-NOT: by-value

declare double @__enzyme_fwddiff(ptr, ...)
@enzyme_dup = external global i32

define double @parts(double %a, double %b) {
  %r = fmul double %a, %b
  ret double %r
}

define double @alone(double noundef %a, double noundef %b) {
  %r = fmul double %a, %b
  ret double %r
}

define double @marked(double %a, double %b, double %da, double %db) {
  %dup = load i32, ptr @enzyme_dup
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @parts, i32 %dup, double %a, double %da,
      i32 %dup, double %b, double %db)
  ret double %r
}

define double @values(double %a, double %b, double %da, double %db) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @alone, double %a, double %da, double %b,
      double %db)
  ret double %r
}

define double @unmarked(double %a, double %b, double %da, double %db) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @parts, double %a, double %b, double %da,
      double %db)
  ret double %r
}

!llvm.ident = !{!0}
!0 = !{!"clang version 22.1.0"}
