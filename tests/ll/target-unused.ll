; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Another machine's code that asks for no derivative is left alone, byte for byte.
; RUN: opt -S %s -o %t.before
; RUN: %opt -passes=nabla -S %s -o %t.after
; RUN: cmp %t.before %t.after
target datalayout = "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64"
target triple = "armv7-linux-gnueabihf"

define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
