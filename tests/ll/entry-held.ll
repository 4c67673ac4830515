; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function with a body and a row of the user's is hidden until the requests are served, so that
; the row is what counts.
; RUN: env NABLA_RULES=%S/Inputs/seven.rules %opt -passes=nabla-collect -S %s \
; RUN:   | FileCheck --check-prefix=HELD %s
; RUN: env NABLA_RULES=%S/Inputs/seven.rules %opt \
; RUN:   -passes='nabla-collect,default<O2>' -S %s | FileCheck %s

; HELD: @llvm.compiler.used = appending global [1 x ptr] [ptr @seven]
; HELD: call double @__nabla_held.seven(double %x)
; CHECK-NOT: llvm.compiler.used
; CHECK-NOT: __nabla_held

declare double @__enzyme_autodiff(ptr, double)

define internal double @seven(double %x) {
  ret double 7.0
}

define double @f(double %x) {
  %r = call double @seven(double %x)
  ret double %r
}

; CHECK-LABEL: define double @use(
; CHECK: ret double 1.000000e+02
define double @use(double %x) {
  %r = call double @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
