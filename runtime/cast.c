// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What C++'s runtime library does for the model of dynamic_cast (models/casts.c). */
#include <stddef.h>

void *__dynamic_cast(const void *object, const void *source, const void *target, ptrdiff_t hint);
ptrdiff_t __nabla_cast(const void *object, const void *source, const void *target, ptrdiff_t hint);

/* How far the target lies from the object; 1: there is none. */
ptrdiff_t __nabla_cast(const void *object, const void *source, const void *target, ptrdiff_t hint) {
  const char *found = __dynamic_cast(object, source, target, hint);
  return found ? found - (const char *)object : 1;
}
