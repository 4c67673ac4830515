; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomic accesses.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK-NOT: Stack dump
; CHECK: error: {{.*}}[nabla: atomic]
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %a = alloca double
  store atomic double %x, ptr %a seq_cst, align 8
  fence seq_cst
  %o = atomicrmw fadd ptr %a, double %x seq_cst
  %i = bitcast double %x to i64
  %cx = cmpxchg ptr %a, i64 0, i64 %i seq_cst seq_cst
  %l = load volatile double, ptr %a
  ret double %l
}
declare double @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
define double @g(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
define double @h(double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %r
}
