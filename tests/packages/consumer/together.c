/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <nabla/nabla.h>

double other(double x);
static double twice(double x) { return 2 * other(x); }

int main(void) { return __enzyme_autodiff((void *)twice, 3.0) != 14; }
