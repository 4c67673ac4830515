; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Assembly without an instruction gives what it takes. What else it gives, and what it does to memory
; that it clobbers, is not known.
; RUN: not %opt -passes=nabla -nabla-print=linear -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: linear @{{.*}}passes
; CHECK: sum {{.*}}t(%r) = %x * t(%x) %x * t(%x)
; CHECK-NOT: in 'passes'
; CHECK-LABEL: linear @{{.*}}adds
; CHECK: sum {{.*}}llvm.fma
; CHECK-DAG: in 'unset': a call {{.*}} of assembly{{.*}}[nabla: indirect-call]
; CHECK-DAG: in 'clobbers': a derivative passes through memory{{.*}}[nabla: unknown-memory]
target triple = "x86_64-unknown-linux-gnu"

define double @passes(double %x) {
  %y = call double asm "", "=x,0"(double %x)
  %both = call { double, i32 } asm "# both", "=x,=r,0,1"(double %y, i32 3)
  %z = extractvalue { double, i32 } %both, 0
  call i32 asm sideeffect "addl $$1, $0", "=r,0"(i32 1)
  %r = fmul double %z, %z
  ret double %r
}
define void @adds(ptr %p) {
  %a = load <2 x double>, ptr %p
  %r = call <2 x double> asm "vfmadd231pd $1, $2, $0", "=x,x,x,0"(<2 x double> %a, <2 x double> %a, <2 x double> %a)
  store <2 x double> %r, ptr %p
  ret void
}
define double @unset(double %x) {
  %y = call double asm "", "=x,x"(double %x)
  %r = fmul double %x, %y
  ret double %r
}
define double @clobbers(double %x) {
  %p = alloca double
  store double %x, ptr %p
  call void asm sideeffect "nop", "r,~{memory}"(ptr %p)
  %y = load double, ptr %p
  %r = fmul double %y, %y
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
define void @g(double %x, ptr %p, ptr %d) {
  %a = call double (ptr, ...) @__enzyme_autodiff(ptr @passes, double %x)
  call double (ptr, ...) @__enzyme_autodiff(ptr @adds, ptr %p, ptr %d)
  %b = call double (ptr, ...) @__enzyme_autodiff(ptr @unset, double %x)
  %c = call double (ptr, ...) @__enzyme_autodiff(ptr @clobbers, double %x)
  ret void
}
