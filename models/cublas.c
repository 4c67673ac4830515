// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The BLAS in both precisions by the interface of cuBLAS, whose matrices lie on a device. */
#include "../runtime/device.h"
#include "letters.h"
#include "model.h"
#include "names.h"

/* What the library's functions return is not what their bodies here do. */
#define DEVICE_FUNCTION __attribute__((noinline, weak))
#define INTERFACE cuda

#define REAL double
#define REAL_LETTER d
#define LETTER d
#define CAPITAL D
#include "blas_cuda.inc"
#undef CAPITAL
#undef LETTER
#undef REAL_LETTER
#undef REAL

#define REAL float
#define REAL_LETTER s
#define LETTER s
#define CAPITAL S
#include "blas_cuda.inc"
