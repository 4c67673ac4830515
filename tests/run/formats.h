// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The names of the formats that cases compute in, as C has them. */
#ifndef NB_RUN_FORMATS_H
#define NB_RUN_FORMATS_H

typedef NB_REAL real;
typedef float single;
typedef double wide;
typedef long double extended;
typedef _Float16 half;
typedef __bf16 brain;
#define VALUE(x) (x)

#endif
