// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What CUDA's runtime allocates to a place of the caller's, as C's malloc to a result; copies of
 * cuBLAS's between the program's memory and that of a device, in those of CUDA's runtime. */
#include "../runtime/device.h"
#include "model.h"

enum { SUCCESS = 0, NO_MEMORY = 2, INVALID = 7, FAILED = 11, TO_DEVICE = 1, FROM_DEVICE = 2 };

#define INLINED __attribute__((always_inline))

int cudaMemcpy(void *to, const void *from, size_t bytes, int direction);

INLINED static inline int put(void *memory, void **place) {
  if (!memory)
    return NO_MEMORY;
  *place = memory;
  return SUCCESS;
}

INLINED int cudaMalloc(void **place, size_t bytes) { return put(__nabla_device_new(bytes), place); }

INLINED int cudaMallocManaged(void **place, size_t bytes, unsigned flags) {
  return put(__nabla_device_new_managed(bytes, flags), place);
}

INLINED int cudaHostAlloc(void **place, size_t bytes, unsigned flags) {
  return put(__nabla_device_new_host(bytes, flags), place);
}

INLINED int cudaMallocHost(void **place, size_t bytes) {
  return put(__nabla_device_new_host(bytes, 0), place);
}

INLINED int cudaFreeHost(void *memory) {
  __nabla_device_free_host(memory);
  return SUCCESS;
}

INLINED int cudaFree(void *memory) {
  __nabla_device_free(memory);
  return SUCCESS;
}

/* Columns of `rows` elements each, `size` bytes long; of a vector each element is a column. */
INLINED static inline int copy(int rows, int columns, int size, const char *from, long from_apart,
                               char *to, long to_apart, int direction) {
  bool whole = from_apart == rows && to_apart == rows;
  size_t bytes = (size_t)rows * (size_t)size * (whole ? (size_t)columns : 1);
  int failed = 0;
  if (rows < 0 || columns < 0 || size <= 0 || from_apart <= 0 || to_apart <= 0)
    return INVALID;
  for (long i = 0; i < (whole ? 1 : columns); i++)
    failed |= cudaMemcpy(to + i * to_apart * size, from + i * from_apart * size, bytes, direction);
  return failed ? FAILED : SUCCESS;
}

INLINED int cublasSetVector(int n, int size, const void *from, int incx, void *to, int incy) {
  return copy(1, n, size, from, incx, to, incy, TO_DEVICE);
}

INLINED int cublasGetVector(int n, int size, const void *from, int incx, void *to, int incy) {
  return copy(1, n, size, from, incx, to, incy, FROM_DEVICE);
}

INLINED int cublasSetMatrix(int m, int n, int size, const void *from, int lda, void *to, int ldb) {
  return copy(m, n, size, from, lda, to, ldb, TO_DEVICE);
}

INLINED int cublasGetMatrix(int m, int n, int size, const void *from, int lda, void *to, int ldb) {
  return copy(m, n, size, from, lda, to, ldb, FROM_DEVICE);
}
