// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Products of Fortran's matrices and vectors, of all types whose product has a derivative, under
 * the names of flang's runtime library. */
#include "fortran.h"

/* A product of matrices and vectors: rows of the one with columns of the other. */
typedef struct Product {
  bool row; /* is the first a vector, and so its only row? */
  int64_t rows, columns, inner;
} Product;

/* Makes the result an allocated array of such elements, and says of what size. */
MODEL_HELPER Product start_product(Descriptor *result, const Descriptor *a, const Descriptor *b,
                                   size_t size, int type) {
  bool row = a->rank == 1, column = b->rank == 1;
  Product shape = {row, row ? 1 : a->dimensions[0].extent, column ? 1 : b->dimensions[1].extent,
                   b->dimensions[0].extent};
  start_result(result, a, row || column ? 1 : 2);
  result->size = (int64_t)size;
  result->type = (int8_t)type;
  set_extent(result, 0, 1, row ? shape.columns : shape.rows);
  if (!row && !column)
    set_extent(result, 1, 1, shape.columns);
  allocate_elements(result);
  return shape;
}

#define REAL double
#define NUMBER Complex8
#define REAL_TYPE TYPE_REAL8
#define NUMBER_TYPE TYPE_COMPLEX8
#define OWN(name) name##8
#include "fortran_products.inc"
#undef REAL
#undef NUMBER
#undef REAL_TYPE
#undef NUMBER_TYPE
#undef OWN

#define REAL float
#define NUMBER Complex4
#define REAL_TYPE TYPE_REAL4
#define NUMBER_TYPE TYPE_COMPLEX4
#define OWN(name) name##4
#include "fortran_products.inc"

INLINED_MODEL double _FortranADotProductReal8(const Descriptor *a, const Descriptor *b, PLACE) {
  return real_dot8(a, b);
}

INLINED_MODEL float _FortranADotProductReal4(const Descriptor *a, const Descriptor *b, PLACE) {
  return real_dot4(a, b);
}

/* The library returns complex numbers in memory. */
INLINED_MODEL void _FortranACppDotProductComplex8(Complex8 *result, const Descriptor *a,
                                                  const Descriptor *b, PLACE) {
  *result = number_dot8(a, b);
}

INLINED_MODEL void _FortranACppDotProductComplex4(Complex4 *result, const Descriptor *a,
                                                  const Descriptor *b, PLACE) {
  *result = number_dot4(a, b);
}

#define MATMUL(product, A, a_type, B, b_type)                                                      \
  INLINED_MODEL void _FortranAMatmul##A##B(Descriptor *result, const Descriptor *a,                \
                                           const Descriptor *b, PLACE) {                           \
    product(result, a, a_type, b, b_type);                                                         \
  }
#define MATMUL_BOTH(product, A, a_type, B, b_type)                                                 \
  MATMUL(product, A, a_type, B, b_type)                                                            \
  MATMUL(product, B, b_type, A, a_type)
#define MATMUL_INTEGERS(product, A, a_type)                                                        \
  MATMUL_BOTH(product, A, a_type, Integer1, TYPE_INTEGER1)                                         \
  MATMUL_BOTH(product, A, a_type, Integer2, TYPE_INTEGER2)                                         \
  MATMUL_BOTH(product, A, a_type, Integer4, TYPE_INTEGER4)                                         \
  MATMUL_BOTH(product, A, a_type, Integer8, TYPE_INTEGER8)

MATMUL(real_product8, Real8, TYPE_REAL8, Real8, TYPE_REAL8)
MATMUL(real_product4, Real4, TYPE_REAL4, Real4, TYPE_REAL4)
MATMUL_BOTH(real_product8, Real8, TYPE_REAL8, Real4, TYPE_REAL4)
MATMUL_INTEGERS(real_product8, Real8, TYPE_REAL8)
MATMUL_INTEGERS(real_product4, Real4, TYPE_REAL4)

MATMUL(number_product8, Complex8, TYPE_COMPLEX8, Complex8, TYPE_COMPLEX8)
MATMUL(number_product4, Complex4, TYPE_COMPLEX4, Complex4, TYPE_COMPLEX4)
MATMUL_BOTH(number_product8, Complex8, TYPE_COMPLEX8, Complex4, TYPE_COMPLEX4)
MATMUL_BOTH(number_product8, Complex8, TYPE_COMPLEX8, Real8, TYPE_REAL8)
MATMUL_BOTH(number_product8, Complex8, TYPE_COMPLEX8, Real4, TYPE_REAL4)
MATMUL_BOTH(number_product8, Complex4, TYPE_COMPLEX4, Real8, TYPE_REAL8)
MATMUL_BOTH(number_product4, Complex4, TYPE_COMPLEX4, Real4, TYPE_REAL4)
MATMUL_INTEGERS(number_product8, Complex8, TYPE_COMPLEX8)
MATMUL_INTEGERS(number_product4, Complex4, TYPE_COMPLEX4)
