; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A request that needs itself is refused, be it directly or through another one.
; RUN: not %opt -passes=nabla -pass-remarks=nabla -disable-output %s 2>&1 | FileCheck %s

declare double @__enzyme_autodiff(ptr, double)

; CHECK: remark: {{.*}}'first': what this call differentiates asks{{.*}}[nabla: request-cycle]
; CHECK: error: {{.*}}'loop': what this call differentiates asks{{.*}}[nabla: request-cycle]
define double @loop(double %x) {
  %r = call double @__enzyme_autodiff(ptr @loop, double %x)
  ret double %r
}

define double @first(double %x) {
  %r = call double @__enzyme_autodiff(ptr @second, double %x)
  ret double %r
}

define double @second(double %x) {
  %r = call double @__enzyme_autodiff(ptr @first, double %x)
  ret double %r
}
