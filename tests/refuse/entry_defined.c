// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions with a body are the user's own, whatever they are called. */
double __enzyme_of_mine(double x) { return x * x; }
double __enzyme_caller(double x) { return __enzyme_of_mine(x) + 1; }
