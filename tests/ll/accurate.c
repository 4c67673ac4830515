// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* -nabla-accurate: derivatives keep their own last digits, in both modes and both orders; a row of
 * the user's comes before. */
// RUN: %clang -O2 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=PLAIN %s
// RUN: %clang -O0 -mllvm -nabla-accurate %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=ACCURATE %s
// RUN: %clang -O2 -mllvm -nabla-accurate %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=ACCURATE %s
// RUN: env NABLA_ACCURATE=1 %clang -O2 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=ACCURATE %s
// RUN: env NABLA_ACCURATE=1 %clang -O2 -mllvm -nabla-accurate=0 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=PLAIN %s
// RUN: echo 'tanh(x) : 3 * dx' >%t.rules
// RUN: %clang -O2 -mllvm -nabla-accurate -mllvm -nabla-rules=%t.rules %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=USER %s

// PLAIN: {{^}}0 0 {{-?0$}}
// ACCURATE: 7.714999e-22 7.714999e-22 -1.543e-21
// ACCURATE-NEXT: 1.717196e-06 1.717196e-06
// ACCURATE-NEXT: 7.91623383e-09 7.91623383e-09
// USER: {{^}}3 3 0{{$}}

#include <complex.h>
#include <math.h>
#include <stdio.h>

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern double __enzyme_fwddiff_again(void *, ...);

static double squashed(double x) { return tanh(x); }
static double error(double x) { return erf(x); }
static double complex_squashed(double x) { return creal(ctanh(x + 3 * I)); }
static double slope(double x) { return __enzyme_autodiff((void *)squashed, x); }

int main(void) {
  volatile double far = 25, some = 3.66;
  double x = far, y = some;
  printf("%.7g %.7g %.7g\n", slope(x), __enzyme_fwddiff((void *)squashed, x, 1.0),
         __enzyme_fwddiff_again((void *)slope, x, 1.0));
  printf("%.7g %.7g\n", __enzyme_autodiff((void *)error, y),
         __enzyme_fwddiff((void *)error, y, 1.0));
  double z = 0.4 * x;
  printf("%.9g %.9g\n", __enzyme_autodiff((void *)complex_squashed, z),
         __enzyme_fwddiff((void *)complex_squashed, z, 1.0));
  return 0;
}
