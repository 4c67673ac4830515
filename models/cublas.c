// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The BLAS in both precisions, real and complex, by the interface of cuBLAS, whose matrices lie on
 * a device. */
#include "../runtime/device.h"
#include "letters.h"
#include "model.h"
#include "names.h"

/* What the library's functions return is not what their bodies here do. */
#define DEVICE_FUNCTION __attribute__((noinline, weak))
#define INTERFACE cuda

_Noreturn void __nabla_unmodelled(const char *what);

static inline int narrowed(int64_t size) {
  if (size != (int)size)
    __nabla_unmodelled("sizes of more than 32 bits by cuBLAS");
  return (int)size;
}

#define REAL double
#define REAL_LETTER d
#define LETTER d
#define CAPITAL D
#include "blas_cuda.inc"
#undef CAPITAL
#undef LETTER
#define LETTER z
#define CAPITAL Z
#define CAPITALS_WITH_REALS Zd
#define CAPITALS_TO_REAL Dz
#include "blas_complex_cuda.inc"
#undef CAPITALS_TO_REAL
#undef CAPITALS_WITH_REALS
#undef CAPITAL
#undef LETTER
#undef REAL_LETTER
#undef REAL

#define REAL float
#define REAL_LETTER s
#define LETTER s
#define CAPITAL S
#include "blas_cuda.inc"
#undef CAPITAL
#undef LETTER
#define LETTER c
#define CAPITAL C
#define CAPITALS_WITH_REALS Cs
#define CAPITALS_TO_REAL Sc
#include "blas_complex_cuda.inc"
