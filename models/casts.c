// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* C++'s dynamic_cast: the library says how far the object found lies from the one given, so that
 * the shadow of one is as far from the shadow of the other. */
#include "model.h"

/* Of the source in the target, if it is a base of it once and for all; else negative. */
typedef ptrdiff_t Hint;

enum { NOTHING_THERE = 1 };

ptrdiff_t __nabla_cast(const void *object, const void *source, const void *target, Hint hint);
_Noreturn void __nabla_unmodelled(const char *what);
void *__dynamic_cast(const void *object, const void *source, const void *target, Hint hint);

/* Objects are aligned: no distance between two is odd. Inlined, it is known where the hint leads.
 */
__attribute__((always_inline)) void *__dynamic_cast(const void *object, const void *source,
                                                    const void *target, Hint hint) {
  ptrdiff_t distance = __nabla_cast(object, source, target, hint);
  if (distance == NOTHING_THERE)
    return NULL;
  if (hint < 0)
    return (char *)object + distance;
  if (distance != -hint)
    __nabla_unmodelled("dynamic_cast to another part of an object that has its base twice");
  return (char *)object - hint;
}
