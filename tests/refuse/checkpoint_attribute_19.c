// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Plugins of LLVM 19 cannot read attributes of statements: they are errors, never ignored. */
// load: -fplugin
// llvm: 19
double attribute(double x) {
  __attribute__((enzyme_checkpoint("revolve", 3))) // error: cannot be applied to a statement
  for (int i = 0; i < 9; i++)
    x *= x;
  return x;
}
double pragma(double x) {
#pragma enzyme checkpoint("revolve", 3) // error: cannot be applied to a statement
  for (int i = 0; i < 9; i++)
    x *= x;
  return x;
}
