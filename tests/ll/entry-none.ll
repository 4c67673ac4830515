; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without an entry point nothing changes, whatever else of the vocabulary is there, but that
; registrations go.
; RUN: %opt -passes=nabla -S %s -o %t.with
; RUN: %opt -passes=verify -S %s -o %t.without
; RUN: grep -v inactivefn %t.without > %t.gone
; RUN: cmp %t.with %t.gone

%struct.D2 = type { double, double }
@enzyme_dup = external global i32
@__enzyme_inactivefn_log = global ptr @log
declare double @__enzyme_autodiff(ptr, ...)
declare void @log(ptr)

define double @f(double %a, double %b) {
  %s = alloca %struct.D2
  store double %a, ptr %s
  %at.b = getelementptr %struct.D2, ptr %s, i32 0, i32 1
  store double %b, ptr %at.b
  call void @log(ptr %s)
  %v = load double, ptr %s
  ret double %v
}
