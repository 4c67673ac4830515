; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Names of the vocabulary that are not served, misspelt ones, and those that users define.
; RUN: not %opt -passes=nabla -pass-remarks=nabla -disable-output %s 2>&1 | FileCheck %s
; RUN: not %opt -passes=nabla -pass-remarks=nabla -disable-output %s 2>&1 \
; RUN:   | FileCheck --check-prefix=NOT %s

; NOT-NOT: newtrace
; NOT-NOT: __enzyme_mine

; CHECK: remark: {{.*}}'misspelt': there is no entry point '__enzyme_autodif', {{.*}}the nearest is '__enzyme_autodiff'{{.*}}[nabla: entry-unknown]
; CHECK: remark: {{.*}}'slip': there is no entry point '_enzyme_autodiff'
; CHECK: remark: {{.*}}'invented': there is no entry point '__enzyme_wxyzvwxyz', and no function of that name; correct
; CHECK: error: {{.*}}'later': '__enzyme_todense' is not supported yet{{.*}}[nabla: entry-unsupported]

declare ptr @_Z16__enzyme_todensePv(ptr, ...)
declare double @_Z16__enzyme_autodifPvd(ptr, ...)
declare double @__enzyme_autodif(ptr, ...)
declare double @_enzyme_autodiff(ptr, ...)
declare double @__enzyme_wxyzvwxyz(ptr)
declare ptr @__enzyme_newtrace()

define double @f(double %x) {
  ret double %x
}

define ptr @later(double %x) {
  %r = call ptr (ptr, ...) @_Z16__enzyme_todensePv(ptr @f, double %x)
  ret ptr %r
}

define double @misspelt(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodif(ptr @f, double %x)
  ret double %r
}

define double @slip(double %x) {
  %r = call double (ptr, ...) @_enzyme_autodiff(ptr @f, double %x)
  ret double %r
}

define double @invented() {
  %r = call double @__enzyme_wxyzvwxyz(ptr @f)
  ret double %r
}

define ptr @supplied() {
  %r = call ptr @__enzyme_newtrace()
  %s = call double @__enzyme_mine()
  ret ptr %r
}

define double @__enzyme_mine() {
  ret double 0.0
}
