// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Distances of pointers from null. */
#ifndef NABLA_PREPARE_DISTANCES_H
#define NABLA_PREPARE_DISTANCES_H

#include "base/context.h"

/* Makes the start of an allocation of each address that lies a pointer's distance from null behind
 * it: where a vector is known to be empty, the optimiser writes `storage + (position - begin)` as
 * `storage + (0 - begin)`. Such an address is in the allocation only where the distance is 0. */
void nb_prepare_drop_distances(NbContext *context, LLVMValueRef function);

#endif
