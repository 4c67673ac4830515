// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Reductions of Fortran's arrays to a number, under the names of flang's runtime
 * library. */
#include "fortran.h"

#include <float.h>

#define REAL double
#define MODEL(name) _FortranA##name##Real8
#define NORM _FortranANorm2_8
#define LARGEST DBL_MAX
#define MAGNITUDE fabs
#define ROOT sqrt
#define REMAINDER fmod
#include "fortran_reduce.inc"
#undef REAL
#undef MODEL
#undef NORM
#undef LARGEST
#undef MAGNITUDE
#undef ROOT
#undef REMAINDER

#define REAL float
#define MODEL(name) _FortranA##name##Real4
#define NORM _FortranANorm2_4
#define LARGEST FLT_MAX
#define MAGNITUDE fabsf
#define ROOT sqrtf
#define REMAINDER fmodf
#include "fortran_reduce.inc"
#undef REAL

#define REAL double
#define NUMBER Complex8
#define COMPLEX(name) _FortranACpp##name##Complex8
#define MULTIPLY multiply8
#include "fortran_complex.inc"
#undef REAL
#undef NUMBER
#undef COMPLEX
#undef MULTIPLY

#define REAL float
#define NUMBER Complex4
#define COMPLEX(name) _FortranACpp##name##Complex4
#define MULTIPLY multiply4
#include "fortran_complex.inc"
