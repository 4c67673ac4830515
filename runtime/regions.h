// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the regions of a state hold, one behind the other in a copy. */
#ifndef NABLA_RUNTIME_REGIONS_H
#define NABLA_RUNTIME_REGIONS_H

#include "memory.h"
#include "nabla/checkpoint.h"

#include <string.h>

/* The bytes of all; UINT64_MAX where that is more than memory has. */
static inline uint64_t __nabla_regions_bytes(const EnzymeCkptRegion *regions, uint64_t count) {
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < count; i++)
    if (__builtin_add_overflow(bytes, regions[i].bytes, &bytes) || bytes > __NABLA_LARGEST_SIZE)
      return UINT64_MAX;
  return bytes;
}

static inline void __nabla_regions_read(const EnzymeCkptRegion *regions, uint64_t count, char *to) {
  for (uint64_t i = 0; i < count; i++) {
    memcpy(to, regions[i].ptr, regions[i].bytes);
    to += regions[i].bytes;
  }
}

static inline void __nabla_regions_write(const EnzymeCkptRegion *regions, uint64_t count,
                                         const char *from) {
  for (uint64_t i = 0; i < count; i++) {
    memcpy(regions[i].ptr, from, regions[i].bytes);
    from += regions[i].bytes;
  }
}

#endif
