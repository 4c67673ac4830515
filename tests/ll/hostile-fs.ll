; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An absolute address of a segment.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %p = inttoptr i64 40 to ptr addrspace(257)
  %k = load double, ptr addrspace(257) %p
  %y = fmul double %x, %k
  ret double %y
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
