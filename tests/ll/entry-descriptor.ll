; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What flang writes of parameters that take a descriptor: its fields, a copy of it, a function of its
; library or another function that it is handed to. A call that passes an address of numbers there is
; refused, and so is one that passes a descriptor for the address of numbers; a descriptor for a
; descriptor is what it should be, and a struct that begins with one is none.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=nabla-collect -S %s | FileCheck --check-prefix=NOTE %s

; CHECK-DAG: in 'wrong': parameter 1 of 'fields' is of assumed shape{{.*}}takes a descriptor{{.*}}[nabla: descriptor]
; CHECK-DAG: in 'wrong': parameter 1 of 'copied' is of assumed shape
; CHECK-DAG: in 'wrong': parameter 1 of 'of_library' is of assumed shape
; CHECK-DAG: in 'wrong': parameter 1 of 'handed_on' is of assumed shape
; CHECK-DAG: in 'wrong': parameter 2 of 'optional' is of assumed shape
; CHECK-DAG: in 'crossed': the call passes a descriptor for parameter 1 of 'numbers'
; CHECK-NOT: in 'right'
; CHECK-NOT: in 'passes_its_own'

; NOTE: define double @fields(ptr "nabla-descriptor" %x)
; NOTE: define double @handed_on(ptr "nabla-descriptor" %x)
; NOTE: define double @numbers(ptr %x)
; NOTE: define double @member(ptr %x)

%struct = type { { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, double }

declare void @f__enzyme_autodiff_(ptr, ...)
declare double @_FortranASumReal8(ptr, ptr, i32, i32, ptr)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)

define double @fields(ptr %x) {
  %at = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, ptr %x, i32 0, i32 0
  %base = load ptr, ptr %at
  %value = load double, ptr %base
  ret double %value
}

define double @copied(ptr %x) {
  %copy = alloca { ptr, i64, i32, i8, i8, i8, i8 }
  call void @llvm.memcpy.p0.p0.i32(ptr %copy, ptr %x, i32 24, i1 false)
  %base = load ptr, ptr %copy
  %value = load double, ptr %base
  ret double %value
}

define double @of_library(ptr %x) {
  %sum = call double @_FortranASumReal8(ptr %x, ptr null, i32 1, i32 0, ptr null)
  ret double %sum
}

define double @handed_on(ptr %x) {
  %value = call double @fields(ptr %x)
  ret double %value
}

define double @optional(ptr %n, ptr %x) {
  %other = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }
  %absent = icmp eq ptr %x, null
  %chosen = select i1 %absent, ptr %other, ptr %x
  %value = call double @fields(ptr %chosen)
  ret double %value
}

define double @numbers(ptr %x) {
  %at = getelementptr double, ptr %x, i64 1
  %value = load double, ptr %at
  ret double %value
}

define double @member(ptr %x) {
  %at = getelementptr %struct, ptr %x, i32 0, i32 1
  %value = load double, ptr %at
  ret double %value
}

define void @wrong(ptr %x, ptr %dx) {
  call void (ptr, ...) @f__enzyme_autodiff_(ptr @fields, ptr %x, ptr %dx)
  call void (ptr, ...) @f__enzyme_autodiff_(ptr @copied, ptr %x, ptr %dx)
  call void (ptr, ...) @f__enzyme_autodiff_(ptr @of_library, ptr %x, ptr %dx)
  call void (ptr, ...) @f__enzyme_autodiff_(ptr @handed_on, ptr %x, ptr %dx)
  call void (ptr, ...) @f__enzyme_autodiff_(ptr @optional, ptr %x, ptr %dx, ptr %x, ptr %dx)
  ret void
}

define void @crossed(ptr %base, ptr %shadow) {
  %x = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }
  %dx = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }
  store ptr %base, ptr %x
  store ptr %shadow, ptr %dx
  call void (ptr, ...) @f__enzyme_autodiff_(ptr @numbers, ptr %x, ptr %dx)
  ret void
}

define void @right(ptr %base, ptr %shadow) {
  %x = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }
  %dx = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }
  %struct = alloca %struct
  %dstruct = alloca %struct
  store ptr %base, ptr %x
  store ptr %shadow, ptr %dx
  call void (ptr, ...) @f__enzyme_autodiff_(ptr @fields, ptr %x, ptr %dx)
  call void (ptr, ...) @f__enzyme_autodiff_(ptr @member, ptr %struct, ptr %dstruct)
  ret void
}

define void @passes_its_own(ptr %x, ptr %dx) {
  %use = call double @fields(ptr %x)
  %also = call double @fields(ptr %dx)
  call void (ptr, ...) @f__enzyme_autodiff_(ptr @copied, ptr %x, ptr %dx)
  ret void
}
