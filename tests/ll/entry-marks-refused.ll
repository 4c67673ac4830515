; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; "enzyme_inactive" where it is not served is refused, and not passed over; where no derivative is
; asked for, it says nothing.
; RUN: not %clang -O1 -Wno-override-module -c %s -o /dev/null 2>&1 | FileCheck %s
; RUN: not %clang -O0 -Wno-override-module -c %s -o /dev/null 2>&1 | FileCheck %s

; CHECK-DAG: warning: {{.*}}the attribute 'enzyme_math' of one call says nothing
; CHECK-DAG: error: {{.*}}'enzyme_inactive' of parameter 1 of 'behind' is not supported yet
; CHECK-DAG: error: {{.*}}'enzyme_inactive' of argument 1 of this call is not supported yet
; CHECK-DAG: error: {{.*}}'enzyme_inactive' of this instruction is not supported yet
; CHECK-DAG: error: {{.*}}'enzyme_inactive' of this call is not supported yet
; CHECK-NOT: 'aside'

target triple = "x86_64-unknown-linux-gnu"

define internal double @behind(ptr "enzyme_inactive" %p) {
  %r = load double, ptr %p
  ret double %r
}
define internal double @aside(ptr "enzyme_inactive" %p) {
  %r = load double, ptr %p
  ret double %r
}
define internal double @read(ptr %p) noinline {
  %r = load double, ptr %p
  ret double %r
}
define internal double @model(double %x) noinline {
  ret double 42.0
}

define internal double @f(ptr %p, ptr %g) {
  %a = call double @behind(ptr %p)
  %b = call double @read(ptr "enzyme_inactive" %p)
  %c = call double %g(double %a) "enzyme_inactive"
  %d = call double @model(double %a) "enzyme_math"="sin"
  store double %b, ptr %p, !enzyme_inactive !0
  %s = fadd double %c, %d
  ret double %s
}

define double @primal(ptr %p) {
  %r = call double @aside(ptr %p)
  ret double %r
}
define void @gradient(ptr %p, ptr %dp, ptr %g) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %dp, ptr %g, ptr %g)
  ret void
}
declare void @__enzyme_autodiff(...)

!0 = !{}
