// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs by value for which the call of an entry point has no register left. */
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"

extern double __enzyme_fwddiff(void *, ...);

/* What vectors of floats would hold comes as integers then. */
typedef struct {
  float re, im;
} Two;
static double many(Two a, Two b, Two c, Two d, Two e) { return a.re * b.re * c.re * d.re * e.im; }

CHECK(floats_as_integers) {
  Two z = {2, 3}, none = {0, 0}, one = {0, 1}, real = {1, 0};
  EXPECT(__enzyme_fwddiff((void *)many, enzyme_dup, z, none, enzyme_dup, z, none, enzyme_dup, z,
                          none, enzyme_dup, z, none, enzyme_dup, z, one),
         16);
  EXPECT(__enzyme_fwddiff((void *)many, enzyme_dup, z, real, enzyme_dup, z, none, enzyme_dup, z,
                          none, enzyme_dup, z, none, enzyme_dup, z, none),
         24);
}
