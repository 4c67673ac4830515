// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* POSIX's allocation to a place of the caller's, as C's to a result. */
#define _POSIX_C_SOURCE 200112L
#include "model.h"

#include <errno.h>
#include <malloc.h>

/* Where there is no memory, the place is left alone. C's aligned_alloc wants a multiple of the
 * alignment, as sanitizers check. */
__attribute__((always_inline)) int posix_memalign(void **place, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || !alignment)
    return EINVAL;
  void *memory = memalign(alignment, size);
  if (!memory)
    return ENOMEM;
  *place = memory;
  return 0;
}
