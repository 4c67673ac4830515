; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; How far indices into arrays in structs go is noted at the accesses: bytes, offset, of how many
; bytes the start is known to be a multiple, then strides and counts. Types go by that when the
; address says it no longer.
; RUN: %opt -passes=nabla-collect,nabla-note -S %s | FileCheck %s --check-prefix=NOTED
; RUN: %opt -passes=nabla-collect,nabla-note,instcombine,nabla-derive -nabla-print=types \
; RUN:   -disable-output %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

%struct.Q = type { [2 x double], i16 }
%struct.W = type { i64, [3 x %struct.Q] }

; NOTED-LABEL: define double @f(
; NOTED:         load double, ptr %a, {{.*}}!nabla.place ![[A:[0-9]+]]
; NOTED:         load i16, ptr %n, {{.*}}!nabla.place ![[N:[0-9]+]]
define double @f(ptr %w, i64 %i, i64 %j, i64 %k) {
  %q = getelementptr inbounds %struct.W, ptr %w, i64 %i, i32 1, i64 %j
  %a = getelementptr inbounds %struct.Q, ptr %q, i64 0, i32 0, i64 %k
  %v = load double, ptr %a, align 8
  %n = getelementptr inbounds %struct.Q, ptr %q, i64 0, i32 1
  %h = load i16, ptr %n, align 8
  %m = sitofp i16 %h to double
  %r = fmul double %v, %m
  ret double %r
}

; What calls pass must lead to whole structs from where objects start.
; NOTED-LABEL: define double @shifted(
; NOTED-NOT:     !nabla.place
define double @shifted(ptr %w, i64 %k) {
  %a = getelementptr inbounds %struct.W, ptr %w, i64 0, i32 1, i64 %k, i32 0, i64 0
  %v = load double, ptr %a, align 8
  ret double %v
}

; NOTED-LABEL: define double @shifts(
define double @shifts(ptr %w) {
  %p = getelementptr inbounds i8, ptr %w, i64 8
  %v = call double @shifted(ptr %p, i64 1)
  ret double %v
}

; All calls lead to the very start of an object.
; NOTED-LABEL: define internal double @first(
; NOTED:         load double, ptr %a, {{.*}}!nabla.place ![[FIRST:[0-9]+]]
define internal double @first(ptr %v, i64 %k) {
  %a = getelementptr inbounds [4 x double], ptr %v, i64 0, i64 %k
  %x = load double, ptr %a, align 8
  ret double %x
}

; Or to one of several arrays.
; NOTED-LABEL: define internal double @either(
; NOTED:         load double, ptr %a, {{.*}}!nabla.place ![[EITHER:[0-9]+]]
define internal double @either(ptr %v, i64 %k) {
  %a = getelementptr inbounds [4 x double], ptr %v, i64 0, i64 %k
  %x = load double, ptr %a, align 8
  ret double %x
}

define double @firsts(i64 %k) {
  %v = alloca [2 x [4 x double]], align 8
  %second = getelementptr inbounds i8, ptr %v, i64 32
  %x = call double @first(ptr %v, i64 %k)
  %y = call double @either(ptr %v, i64 %k)
  %z = call double @either(ptr %second, i64 %k)
  ret double %x
}

declare void @__enzyme_autodiff(...)
define void @use(ptr %w, ptr %dw) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %w, ptr %dw, i64 0, i64 0, i64 0)
  ret void
}
; NOTED-DAG: ![[FIRST]] = !{i64 8, i64 0, i64 0, i64 8, i64 4}
; NOTED-DAG: ![[EITHER]] = !{i64 8, i64 0, i64 32, i64 8, i64 4}
; NOTED-DAG: ![[A]] = !{i64 8, i64 8, i64 0, i64 80, i64 0, i64 24, i64 3, i64 8, i64 2}
; NOTED-DAG: ![[N]] = !{i64 2, i64 24, i64 0, i64 80, i64 0, i64 24, i64 3}

; CHECK-LABEL: types of @nabla.work.f
; CHECK:         {param w}:
; CHECK-DAG:     8+8x2+80k double
; CHECK-DAG:     32+8x2+80k double
; CHECK-DAG:     56+8x2+80k double
; CHECK-DAG:     24+24x3+80k integer16
