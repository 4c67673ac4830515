; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors of unknown length.
; RUN: not %opt -passes='nabla,verify' -disable-output %s 2>&1 | FileCheck %s
; CHECK: [nabla: float-format]
target triple = "x86_64-unknown-linux-gnu"

define double @f(double %x) {
entry:
  %v = insertelement <vscale x 2 x double> poison, double %x, i32 0
  %a = alloca <vscale x 2 x double>
  store <vscale x 2 x double> %v, ptr %a
  %l = load <vscale x 2 x double>, ptr %a
  %m = fmul <vscale x 2 x double> %l, %l
  %e = extractelement <vscale x 2 x double> %m, i32 0
  ret double %e
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
