; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each stage is a span of LLVM's trace of where the time goes.
; RUN: %opt -passes=nabla -time-trace -time-trace-granularity=0 -time-trace-file=%t.json \
; RUN:   -disable-output %s
; RUN: FileCheck %s --input-file=%t.json
; CHECK-DAG: "name":"nabla prepare","args":{"detail":"square"}
; CHECK-DAG: "name":"nabla objects"
; CHECK-DAG: "name":"nabla types"
; CHECK-DAG: "name":"nabla activity"
; CHECK-DAG: "name":"nabla effects"
; CHECK-DAG: "name":"nabla linearise"
; CHECK-DAG: "name":"nabla simplify"
; CHECK-DAG: "name":"nabla plan"
; CHECK-DAG: "name":"nabla emit"
; CHECK-DAG: "name":"nabla tidy"

declare double @__enzyme_autodiff(ptr, ...)

define double @square(double %x) {
  %r = fmul double %x, %x
  ret double %r
}

define double @derivative(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
}
