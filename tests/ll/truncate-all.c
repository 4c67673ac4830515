// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All functions compute in narrower formats, also where nobody asks for a derivative.
// RUN: %clang -O0 -mllvm -enzyme-truncate-all=64to32 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=SINGLE %s
// RUN: %clang -O2 -mllvm -nabla-truncate-all=11-52to8-23 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=SINGLE %s
// RUN: env NABLA_TRUNCATE_ALL="64to32;32to16" %clang -O0 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=BOTH %s
// RUN: %clang -O2 -mllvm "-enzyme_truncate_all=32to16;64to32" %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=BOTH %s
// RUN: %clang -O0 -mllvm -enzyme-truncate-all=64to6-9 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=ODD %s
// RUN: %clang -O2 -mllvm -enzyme-truncate-all=64to6-9 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=ODD %s
// RUN: env NABLA_TRUNCATE_ALL=64to32 %clang -O2 -flto -fuse-ld=lld %s -lm -o %t \
// RUN:   -Wl,--load-pass-plugin=%nabla
// RUN: %t | FileCheck --check-prefix=SINGLE %s
// RUN: env "NABLA_TRUNCATE_ALL=64to32;32to16" %clang -O2 -flto=thin -fuse-ld=lld %s -lm -o %t \
// RUN:   -Wl,--load-pass-plugin=%nabla
// RUN: %t | FileCheck --check-prefix=BOTH %s
// RUN: %clang -O0 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=PLAIN %s
// RUN: not %clang -O2 -mllvm -enzyme-truncate-all=32to64 -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=WRONG %s
// RUN: %clang -O2 -DSLOPE -mllvm -enzyme-truncate-all=64to32 %s -lm -o %t
// RUN: %t | FileCheck --check-prefix=SLOPE %s
// PLAIN: 0x1.5555555555555p-2 0x1.555556p-2
// SINGLE: 0x1.555556p-2 0x1.555556p-2
// BOTH: 0x1.555556p-2 0x1.554p-2
// ODD: 0x1.558p-2 0x1.555556p-2
// WRONG: error: {{.*}}-nabla-truncate-all=32to64 is no list
// SLOPE: slope 0.25
#include <stdio.h>

__attribute__((noinline)) static double wide(double x, double y) { return x / y; }
__attribute__((noinline)) static float narrow(float x, float y) { return x / y; }

#ifdef SLOPE
double __enzyme_autodiff(void *, double, int, double);
extern int enzyme_const;
#endif

int main(int argc, char **argv) {
  printf("%a %a\n", wide(argc, 3), (double)narrow((float)argc, 3));
#ifdef SLOPE
  printf("slope %g\n", __enzyme_autodiff((void *)wide, 1.0, enzyme_const, 4.0));
#endif
  return 0;
}
