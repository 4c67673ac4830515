; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a program has aligned within what it allocated, or finds out about an address, is aligned in
; the primal alone: accesses of shadows rely on the alignment of single elements.
; RUN: %opt -passes=nabla -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %p) {
  %a = load <4 x double>, ptr %p, align 32
  %s = fmul <4 x double> %a, %a
  store <4 x double> %s, ptr %p, align 32
  ret void
}
; CHECK-LABEL: define {{.*}}forward
; CHECK-DAG: load <4 x double>, ptr %{{.*}}, align 8
; CHECK-DAG: load <4 x double>, ptr %{{.*}}, align 32
; CHECK-DAG: store <4 x double> %{{.*}}, ptr %{{.*}}, align 8

declare void @__enzyme_fwddiff(...)
define void @use(ptr %p, ptr %d) noinline optnone {
  call void (...) @__enzyme_fwddiff(ptr @f, metadata !"enzyme_dup", ptr %p, ptr %d)
  ret void
}
