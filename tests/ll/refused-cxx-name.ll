; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where there are no lines, functions have the names that the source gives them.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK: error: {{.*}}in 'model::energy(double)': {{.*}} [nabla: no-rule]

declare double @__enzyme_autodiff(ptr, ...)
declare double @unknown(double)

define internal double @_ZN5model6energyEd(double %x) {
  %y = call double @unknown(double %x)
  ret double %y
}

define double @slope(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @_ZN5model6energyEd, double %x)
  ret double %d
}
