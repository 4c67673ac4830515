// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An integer of a row is unsigned where the row or, for a narrow one, the call says so.
// RUN: %clang -O1 -mllvm -nabla-rules=%S/Inputs/integers.rules %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -mllvm -nabla-rules=%S/Inputs/integers.rules %s -o %t && %t | FileCheck %s
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;

__attribute__((noinline)) double of_bool(double x, _Bool n) { return x * n; }
__attribute__((noinline)) double of_u8(double x, unsigned char n) { return x * n; }
__attribute__((noinline)) double of_s8(double x, signed char n) { return x * n; }
__attribute__((noinline)) double of_u16(double x, unsigned short n) { return x * n; }
__attribute__((noinline)) double of_u32(double x, unsigned n) { return x * n; }
__attribute__((noinline)) double of_s32(double x, int n) { return x * n; }
__attribute__((noinline)) double of_u64(double x, unsigned long n) { return x * n; }
__attribute__((noinline)) double of_s64(double x, long n) { return x * n; }

static double calls_of_bool(double x, _Bool n) { return of_bool(x, n); }
static double calls_of_u8(double x, unsigned char n) { return of_u8(x, n); }
static double calls_of_s8(double x, signed char n) { return of_s8(x, n); }
static double calls_of_u16(double x, unsigned short n) { return of_u16(x, n); }
static double calls_of_u32(double x, unsigned n) { return of_u32(x, n); }
static double calls_of_s32(double x, int n) { return of_s32(x, n); }
static double calls_of_u64(double x, unsigned long n) { return of_u64(x, n); }
static double calls_of_s64(double x, long n) { return of_s64(x, n); }

__attribute__((noinline)) double of_both(double x, unsigned n, long m) { return n > m ? x : 0; }
static double calls_of_both(double x, unsigned n, long m) { return of_both(x, n, m); }

static const volatile _Bool bit = 1;
static const volatile unsigned char u8 = 200;
static const volatile signed char s8 = -100;
static const volatile unsigned short u16 = 60000;
static const volatile unsigned u32 = 3000000000U;
static const volatile int s32 = -3;
static const volatile unsigned long u64 = 10000000000000000000UL;
static const volatile long s64 = -5000000000;

#define SHOW(name, n)                                                                              \
  printf(#name " %.10g %.10g\n", __enzyme_autodiff((void *)calls_##name, 0.5, enzyme_const, n),    \
         __enzyme_fwddiff((void *)calls_##name, 0.5, 1.0, enzyme_const, n))

// CHECK: of_bool 1 1
// CHECK: of_u8 200 200
// CHECK: of_s8 -100 -100
// CHECK: of_u16 60000 60000
// CHECK: of_u32 3000000000 3000000000
// CHECK: of_s32 -3 -3
// CHECK: of_u64 1e+19 1e+19
// CHECK: of_s64 -5000000000 -5000000000
// CHECK: both 1 1
int main(void) {
  SHOW(of_bool, bit);
  SHOW(of_u8, u8);
  SHOW(of_s8, s8);
  SHOW(of_u16, u16);
  SHOW(of_u32, u32);
  SHOW(of_s32, s32);
  SHOW(of_u64, u64);
  SHOW(of_s64, s64);
  printf("both %g %g\n",
         __enzyme_autodiff((void *)calls_of_both, 0.5, enzyme_const, u32, enzyme_const, -1L),
         __enzyme_fwddiff((void *)calls_of_both, 0.5, 1.0, enzyme_const, u32, enzyme_const, -1L));
  return 0;
}
