// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Reductions of Fortran's arrays to a number, and products, under the names of flang's runtime
 * library. */
#include "fortran.h"

#include <float.h>

/* A product of matrices and vectors: rows of the one with columns of the other. */
typedef struct Product {
  bool row; /* is the first a vector, and so its only row? */
  int64_t rows, columns, inner;
} Product;

/* Makes the result an allocated array, and says of what size. */
MODEL_HELPER Product start_product(Descriptor *result, const Descriptor *a, const Descriptor *b) {
  bool row = a->rank == 1, column = b->rank == 1;
  Product shape = {row, row ? 1 : a->dimensions[0].extent, column ? 1 : b->dimensions[1].extent,
                   b->dimensions[0].extent};
  start_result(result, a, row || column ? 1 : 2);
  set_extent(result, 0, 1, row ? shape.columns : shape.rows);
  if (!row && !column)
    set_extent(result, 1, 1, shape.columns);
  allocate_elements(result);
  return shape;
}

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
#undef REAL
#undef MATMUL

#define REAL double
#define NUMBER Complex8
#define COMPLEX(name) _FortranACpp##name##Complex8
#define ADD_PRODUCT add_product8
#define MATMUL _FortranAMatmulComplex8Complex8
#include "fortran_complex.inc"
#undef REAL
#undef NUMBER
#undef COMPLEX
#undef ADD_PRODUCT
#undef MATMUL

#define REAL float
#define NUMBER Complex4
#define COMPLEX(name) _FortranACpp##name##Complex4
#define ADD_PRODUCT add_product4
#define MATMUL _FortranAMatmulComplex4Complex4
#include "fortran_complex.inc"
