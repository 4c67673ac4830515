/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
double other(double x);

double other(double x) { return x * x + x; }
