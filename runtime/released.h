// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The shadows of memory that the primal freed, as the reverse sweep comes by: a set of pointers.
 *
 * A function that hands out what it allocates leaves its shadow to the caller, unless the primal
 * frees it in the same call, when nobody can find it any more. Of one free the function cannot tell
 * whether the memory was its own or the caller's; of one allocation it learns on the way back
 * whether it was freed, since the reverse sweep comes to the free first.
 *
 * A set is one pointer, NULL to begin with. */
#ifndef NABLA_RUNTIME_RELEASED_H
#define NABLA_RUNTIME_RELEASED_H

typedef struct __nabla_released __nabla_released;

/* Adds a shadow, NULL being none, for the derivative of `function`. */
void __nabla_released_add(__nabla_released **set, void *shadow, const char *function);

/* Takes the shadow out of the set and returns it; NULL where it is not there. */
void *__nabla_released_take(__nabla_released **set, void *shadow);

/* Frees the set, not the shadows that are left in it. */
void __nabla_released_end(__nabla_released **set);

#endif
