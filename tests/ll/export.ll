; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a function with the attribute offers to other files; a program of C uses it.
; shows: "enzyme_export_derivative"
; RUN: %each-level '%clang LEVEL -Wno-override-module %s %S/Inputs/exported.c -o %t \
; RUN:   && %t | FileCheck %s'
; RUN: not %opt -passes=nabla -disable-output %S/Inputs/export-refused.ll 2>&1 \
; RUN:   | FileCheck --check-prefix=REFUSED %s

; CHECK: squares 9, 6 8, 36
; CHECK: product 15, 3 5, 15 28
; CHECK: 20

; REFUSED: the derivative of 'unnamed' cannot be exported{{.*}}[nabla: entry-unsupported]

target triple = "x86_64-unknown-linux-gnu"

define void @squares(ptr %x, ptr %y, i32 %n) "enzyme_export_derivative"="reverse,forward" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %xi = getelementptr double, ptr %x, i32 %i
  %yi = getelementptr double, ptr %y, i32 %i
  %v = load double, ptr %xi
  %m = fmul double %v, %v
  store double %m, ptr %yi
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define double @product(double %x, ptr %p) "enzyme_export_derivative"="reverse,forward" {
  %v = load double, ptr %p
  %m = fmul double %v, %x
  ret double %m
}

define ptr @place(ptr %p, i64 %n) "enzyme_export_derivative"="reverse" {
  %at = getelementptr double, ptr %p, i64 %n
  %v = load double, ptr %at
  %w = fmul double %v, 5.0
  store double %w, ptr %at
  ret ptr %at
}

@__enzyme_sep_rev_w1_place = external constant { ptr, ptr }
@format = private constant [4 x i8] c"%g\0A\00"
declare i32 @printf(ptr, ...)

define void @use_place(ptr %x, ptr %dx) {
  %augmented = load ptr, ptr @__enzyme_sep_rev_w1_place
  %second = getelementptr ptr, ptr @__enzyme_sep_rev_w1_place, i64 1
  %reverse = load ptr, ptr %second
  %made = call { ptr, ptr, ptr } %augmented(ptr %x, ptr %dx, i64 1)
  %shadow = extractvalue { ptr, ptr, ptr } %made, 2
  store double 4.0, ptr %shadow
  %tape = extractvalue { ptr, ptr, ptr } %made, 0
  call void %reverse(ptr %x, ptr %dx, i64 1, ptr %tape)
  %d = load double, ptr %shadow
  %n = call i32 (ptr, ...) @printf(ptr @format, double %d)
  ret void
}
