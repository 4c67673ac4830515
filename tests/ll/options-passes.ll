; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The passes of the existing tool: one writes derivatives, the others do nothing here and say so.
; shows: the pass enzyme
; shows: the passes print-type-analysis, print-activity-analysis and enzyme-summary, ignored
; shows: the passes preserve-nvvm, jl-inst-simplify and simple-gvn, ignored
; RUN: %opt -passes=print-type-analysis,print-activity-analysis,enzyme -S %s -o %t.ll 2>&1 | FileCheck %s
; RUN: %each-level '%clang LEVEL -Wno-override-module %t.ll -o %t && %t'
; RUN: %opt -passes=preserve-nvvm,jl-inst-simplify,simple-gvn,enzyme,enzyme-summary,preserve-nvvm-end \
; RUN:   -S %s 2>&1 | FileCheck %s --check-prefix=OTHERS

; CHECK: remark: {{.*}}the pass 'print-type-analysis' is ignored
; CHECK-NEXT: remark: {{.*}}the pass 'print-activity-analysis' is ignored
; CHECK-NOT: remark
; CHECK-NOT: __enzyme

; OTHERS: remark: {{.*}}the pass 'preserve-nvvm' is ignored
; OTHERS: remark: {{.*}}the pass 'jl-inst-simplify' is ignored
; OTHERS: remark: {{.*}}the pass 'simple-gvn' is ignored
; OTHERS: remark: {{.*}}the pass 'enzyme-summary' is ignored
; OTHERS: remark: {{.*}}the pass 'preserve-nvvm-end' is ignored
; OTHERS-NOT: __enzyme

target triple = "x86_64-unknown-linux-gnu"

define double @square(double %x) {
  %r = fmul double %x, %x
  ret double %r
}
define double @slope(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
}
define i32 @main() {
  %d = call double @slope(double 3.0)
  %wrong = fcmp une double %d, 6.0
  %code = zext i1 %wrong to i32
  ret i32 %code
}
declare double @__enzyme_autodiff(...)
