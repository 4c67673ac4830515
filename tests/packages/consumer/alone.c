/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <nabla/nabla.h>

static double cube(double x) { return x * x * x; }

int main(void) { return __enzyme_autodiff((void *)cube, 2.0) != 12; }
