; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A device library's function of two halves has the row of the function in double.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define <2 x half> @f(<2 x half> %x) {
  %y = call <2 x half> @__ocml_exp_2f16(<2 x half> %x)
  ret <2 x half> %y
}
define <2 x half> @d(<2 x half> %x, <2 x half> %dx) {
  %t = call <2 x half> (ptr, ...) @__enzyme_fwddiff(ptr @f, <2 x half> %x, <2 x half> %dx)
  ret <2 x half> %t
}
declare <2 x half> @__ocml_exp_2f16(<2 x half>)
declare <2 x half> @__enzyme_fwddiff(ptr, ...)
; CHECK-LABEL: @d(
; CHECK: [[Y:%.*]] = call <2 x half> @__ocml_exp_2f16(<2 x half> %x)
; CHECK: fmul <2 x half> [[Y]], %
