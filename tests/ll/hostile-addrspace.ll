; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pointers into other address spaces.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

@g1 = addrspace(1) global double 0.0
define double @f(double %x) {
entry:
  %a = alloca double
  %b = addrspacecast ptr %a to ptr addrspace(1)
  store double %x, ptr addrspace(1) %b
  %l = load double, ptr addrspace(1) %b
  %k = load double, ptr addrspace(1) @g1
  %y = fmul double %l, %k
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
