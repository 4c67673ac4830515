; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A local variable that is a marker is known by its name or by the annotation that clang's glue gives
; it; without both nobody can say which marker it is.
; RUN: not %opt -passes=nabla -S %s -o /dev/null 2>&1 | FileCheck %s
; CHECK-NOT: in 'annotated'
; CHECK: error: {{.*}}in 'nameless': argument 2 is a local variable that is never set and whose name
; CHECK-NOT: in 'annotated'

@name = private constant [13 x i8] c"enzyme_const\00"

define double @product(double %x, double %y) {
  %p = fmul double %x, %y
  ret double %p
}

define double @nameless(double %x) {
  %1 = alloca i32
  %2 = load i32, ptr %1
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @product, i32 %2, double %x, double %x)
  ret double %d
}

define double @annotated(double %x) {
  %1 = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %1, ptr @name, ptr null, i32 0, ptr null)
  %2 = load i32, ptr %1
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @product, i32 %2, double %x, double %x)
  ret double %d
}

declare double @__enzyme_autodiff(ptr, ...)
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
