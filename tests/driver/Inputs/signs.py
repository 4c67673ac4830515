# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a source with signs that act on terminals, in UTF-8, and with bytes that are not."""

with open("signs.c", "wb") as out:
    out.write(b"double __enzyme_autodiff(void *, ...);\n"
              b"static double f(double x) {\n"
              b"  return x * x; "
              b"/* \x1b[31m \x07 \xc2\x9b1m \x9b \xe2\x80\xae \x7f \xe4 \xce\xbb */\n"
              b"}\n"
              b"static double g(double x) { return x * x * x; }\n"
              b"double one(double x) { return __enzyme_autodiff((void *)f, x); }\n"
              b"double two(double x) { return __enzyme_autodiff((void *)g, x); }\n")
