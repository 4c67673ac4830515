; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Calls with metadata and operand bundles.
; RUN: %opt -passes='nabla,verify' -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.assume(i1)
declare token @llvm.experimental.convergence.entry()
define double @f(double %x) {
  %a = alloca double
  call void @llvm.assume(i1 true) ["align"(ptr %a, i64 8)]
  store double %x, ptr %a
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %y = load double, ptr %a
  ret double %y
}
!0 = !{!1}
!1 = !{!1, !2}
!2 = !{!2}
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
