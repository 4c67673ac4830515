; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each stage has something to say of every function that is served.
; RUN: %opt -passes=nabla -nabla-print=collect -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=request -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=direct -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=prepare -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=objects -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=types -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=activity -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=effects -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=simplify -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=plan -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=emit -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla -nabla-print=tidy -disable-output %s 2>&1 | FileCheck %s
; CHECK: square
target triple = "x86_64-unknown-linux-gnu"

define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

declare double @__enzyme_autodiff(ptr, double)

define double @use(double %x) {
  %r = call double @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
}
