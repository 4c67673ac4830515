; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The optimiser may load a number and a pointer beside it as one vector of floats, and take the
; pointer from there: what it leads to is not known then, and has a derivative all the same.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK: in 'f': a derivative passes through memory{{.*}}[nabla: unknown-memory]
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr %x) {
  %pair = alloca { double, ptr }, align 16
  %s = load double, ptr %x
  store double %s, ptr %pair
  %p = getelementptr i8, ptr %pair, i64 8
  store ptr %x, ptr %p
  %both = load <2 x double>, ptr %pair
  %bits = bitcast <2 x double> %both to <2 x i64>
  %address = extractelement <2 x i64> %bits, i64 1
  %q = inttoptr i64 %address to ptr
  %a = load double, ptr %q
  %r = fmul double %a, %a
  ret double %r
}
declare void @__enzyme_autodiff(ptr, ...)
define void @g(ptr %x, ptr %dx) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret void
}
