// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What closed.rules is about: in another file. */
double closed(double x) { return x * x * x; }
