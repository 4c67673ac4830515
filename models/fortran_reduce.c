// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Reductions of Fortran's arrays to a number, and products, under the names of flang's runtime
 * library. */
#include "fortran.h"

#include <float.h>

#define REAL double
#define MODEL(name) _FortranA##name##Real8
#define NORM _FortranANorm2_8
#define MATMUL _FortranAMatmulReal8Real8
#define LARGEST DBL_MAX
#define MAGNITUDE fabs
#define ROOT sqrt
#define REMAINDER fmod
#include "fortran_reduce.inc"
#undef REAL
#undef MODEL
#undef NORM
#undef MATMUL
#undef LARGEST
#undef MAGNITUDE
#undef ROOT
#undef REMAINDER

#define REAL float
#define MODEL(name) _FortranA##name##Real4
#define NORM _FortranANorm2_4
#define MATMUL _FortranAMatmulReal4Real4
#define LARGEST FLT_MAX
#define MAGNITUDE fabsf
#define ROOT sqrtf
#define REMAINDER fmodf
#include "fortran_reduce.inc"
