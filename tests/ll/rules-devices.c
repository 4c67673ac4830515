// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device libraries have beside C's functions, and C23's names by formats: the second file
// stands in for the libraries.
// RUN: %clang -O2 -DBODIES -c %s -o %t.o
// RUN: %clang -O0 %s %t.o -lm -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s %t.o -lm -o %t && %t | FileCheck %s
#include <math.h>
#include <stdio.h>

double __ocml_sincos_f64(double x, double *cosine);
float __ocml_sincospi_f32(float x, float *cosine);
_Float16 __ocml_sin_f16(_Float16 x);
double __ocml_add_rte_f64(double x, double y);
int __ocml_isnan_f64(double x);
void __nv_sincospi(double x, double *sine, double *cosine);
float __nv_double2float_rn(double x);
int __nv_max(int a, int b);
double powf32x(double x, double y);
float sinf32(float x);
long double logf64x(long double x);
_Complex double cexpf64(_Complex double z);
float fadd(double x, double y);
double ddivl(long double x, long double y);
float ffma(double x, double y, double z);
float fsqrt(double x);

#ifdef BODIES
#define TURN 3.14159265358979323846
double __ocml_sincos_f64(double x, double *cosine) {
  *cosine = cos(x);
  return sin(x);
}
float __ocml_sincospi_f32(float x, float *cosine) {
  *cosine = cosf((float)TURN * x);
  return sinf((float)TURN * x);
}
_Float16 __ocml_sin_f16(_Float16 x) { return (_Float16)sinf((float)x); }
double __ocml_add_rte_f64(double x, double y) { return x + y; }
int __ocml_isnan_f64(double x) { return x != x; }
void __nv_sincospi(double x, double *sine, double *cosine) {
  *sine = sin(TURN * x);
  *cosine = cos(TURN * x);
}
float __nv_double2float_rn(double x) { return (float)x; }
int __nv_max(int a, int b) { return a > b ? a : b; }
double powf32x(double x, double y) { return pow(x, y); }
float sinf32(float x) { return sinf(x); }
long double logf64x(long double x) { return logl(x); }
_Complex double cexpf64(_Complex double z) {
  double size = exp(__real__ z);
  return __builtin_complex(size * cos(__imag__ z), size * sin(__imag__ z));
}
float fadd(double x, double y) { return (float)(x + y); }
double ddivl(long double x, long double y) { return (double)(x / y); }
float ffma(double x, double y, double z) { return (float)fma(x, y, z); }
float fsqrt(double x) { return (float)sqrt(x); }
#else
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double cospi(double x) { return cos(3.14159265358979323846 * x); }
double sinpi(double x) { return sin(3.14159265358979323846 * x); }
float cospif(float x) { return (float)cospi(x); }
float sinpif(float x) { return (float)sinpi(x); }

static double of_ocml(double x) {
  double cosine;
  float fourth;
  double sine = __ocml_sincos_f64(x, &cosine), third = __ocml_sincospi_f32((float)x, &fourth);
  return __ocml_isnan_f64(x) ? 0 : __ocml_add_rte_f64(sine * cosine, third * fourth);
}
static double of_halves(double x) { return __ocml_sin_f16((_Float16)x); }
static double of_libdevice(double x) {
  double sine, cosine;
  __nv_sincospi(x, &sine, &cosine);
  return sine * cosine * __nv_max((int)x, 2) + __nv_double2float_rn(x * x);
}
static double of_formats(double x) {
  return powf32x(x, 3) + sinf32((float)x) + logf64x(x) + __imag__ cexpf64(x);
}
static double of_narrowing(double x) { return fadd(x, x * x) * ddivl(x, 4) + ffma(x, x, fsqrt(x)); }

static void show(double (*f)(double), double reverse, double forward) {
  (void)f;
  printf("%.3f %.3f\n", reverse, forward);
}
#define SHOW(f) show(f, __enzyme_autodiff((void *)f, 0.25), __enzyme_fwddiff((void *)f, 0.25, 1.0))

int main(void) {
  SHOW(of_ocml);      // CHECK: 0.878 0.878
  SHOW(of_halves);    // CHECK: 0.969 0.969
  SHOW(of_libdevice); // CHECK: 0.500 0.500
  SHOW(of_formats);   // CHECK: 5.156 5.156
  SHOW(of_narrowing); // CHECK: 1.672 1.672
  return 0;
}
#endif
