; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A layout with pointers of 32 bits is refused, and one with other alignments, or other pointers in address
; spaces of their own; so is a triple that means pointers of 32 bits, whatever the layout says.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; RUN: sed 's/gnux32/gnu/;s/p:32:32-i64:64/i64:32-f80:128/' %s > %t.aligned.ll
; RUN: not %opt -passes=nabla -disable-output %t.aligned.ll 2>&1 | FileCheck %s --check-prefix=LAYOUT
; RUN: sed 's/gnux32/gnu/;s/p:32:32-i64:64/i64:64-f80:128/;s/S128/S64/' %s > %t.stack.ll
; RUN: not %opt -passes=nabla -disable-output %t.stack.ll 2>&1 | FileCheck %s --check-prefix=LAYOUT
; RUN: sed 's/gnux32/gnu/;s/p:32:32-i64:64/i64:64-f80:128/' %s > %t.usual.ll
; RUN: %opt -passes=nabla -disable-output %t.usual.ll
; RUN: sed 's/gnux32/gnu/;s/p:32:32-i64:64/p270:64:64-i64:64-f80:128/' %s > %t.space.ll
; RUN: not %opt -passes=nabla -disable-output %t.space.ll 2>&1 | FileCheck %s --check-prefix=LAYOUT
; RUN: sed 's/gnux32/gnu/;s/p:32:32-i64:64/i64:64-v128:64-f80:128/' %s > %t.vector.ll
; RUN: not %opt -passes=nabla -disable-output %t.vector.ll 2>&1 | FileCheck %s --check-prefix=LAYOUT
; RUN: sed 's/p:32:32-i64:64/i64:64-f80:128/' %s > %t.triple.ll
; RUN: not %opt -passes=nabla -disable-output %t.triple.ll 2>&1 | FileCheck %s --check-prefix=TRIPLE
; RUN: sed 's/gnux32/muslx32/;/datalayout/d' %s > %t.musl.ll
; RUN: not %opt -passes=nabla -disable-output %t.musl.ll 2>&1 | FileCheck %s --check-prefix=TRIPLE
; CHECK: error: {{.*}}[nabla: target]
; TRIPLE: error: {{.*}}this target is not supported: x86_64-unknown-linux-{{gnu|musl}}x32{{.*}}[nabla: target]
; LAYOUT: error: {{.*}}this data layout is not supported{{.*}}[nabla: target]
target datalayout = "e-m:e-p:32:32-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnux32"

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
declare double @__enzyme_autodiff(...)
define double @use(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
