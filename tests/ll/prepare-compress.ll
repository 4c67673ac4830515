; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that a mask moves together: those above 2 of { 1, 4, 3, 2 }, then the third and fourth of
; twice these; all of it weighted by 1, 2, 3, 4. LLVM 19 alone has no end on it.
; REQUIRES: llvm-22
; RUN: %clang -O0 -Wno-override-module %s -o %t && %t | FileCheck %s
; RUN: %clang -O2 -Wno-override-module %s -o %t && %t | FileCheck %s
; CHECK: 44 0 1 8 8 17
target triple = "x86_64-unknown-linux-gnu"

@format = private constant [19 x i8] c"%g %g %g %g %g %g\0A\00"
@ones = private constant [4 x double] [double 1.0, double 1.0, double 1.0, double 1.0]

define double @weighted(ptr %p) {
  %v = load <4 x double>, ptr %p, align 8
  %m = fcmp ogt <4 x double> %v, <double 2.0, double 2.0, double 2.0, double 2.0>
  %e = fadd <4 x double> %v, %v
  %h = call <4 x double> @llvm.experimental.vector.compress.v4f64(<4 x double> %v, <4 x i1> %m,
         <4 x double> %e)
  %w = fmul <4 x double> %h, <double 1.0, double 2.0, double 3.0, double 4.0>
  %s = call double @llvm.vector.reduce.fadd.v4f64(double 0.0, <4 x double> %w)
  ret double %s
}

define i32 @main() {
  %x = alloca <4 x double>, align 8
  %d = alloca [4 x double], align 8
  store <4 x double> <double 1.0, double 4.0, double 3.0, double 2.0>, ptr %x, align 8
  store [4 x double] zeroinitializer, ptr %d, align 8
  call void (ptr, ...) @__enzyme_autodiff(ptr @weighted, ptr %x, ptr %d)
  %t = call double (ptr, ...) @__enzyme_fwddiff(ptr @weighted, ptr %x, ptr @ones)
  %f = call double @weighted(ptr %x)
  %all = load [4 x double], ptr %d, align 8
  %d0 = extractvalue [4 x double] %all, 0
  %d1 = extractvalue [4 x double] %all, 1
  %d2 = extractvalue [4 x double] %all, 2
  %d3 = extractvalue [4 x double] %all, 3
  call i32 (ptr, ...) @printf(ptr @format, double %f, double %d0, double %d1, double %d2,
    double %d3, double %t)
  ret i32 0
}

declare <4 x double> @llvm.experimental.vector.compress.v4f64(<4 x double>, <4 x i1>,
          <4 x double>)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
declare void @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
declare i32 @printf(ptr, ...)
