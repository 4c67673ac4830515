// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that do the same whatever the numbers are that they compute with. */
#ifndef NABLA_EMIT_PATH_H
#define NABLA_EMIT_PATH_H

#include "linear/linear.h"

/* Are the branches that the function takes, and the addresses that it accesses, independent of
 * floating-point numbers? Branches that choose no more than which numbers are computed do not
 * count; `joins` receives the blocks in which their ways meet. */
bool nb_path_is_one(const NbLinear *linear, NbMap *joins);

#endif
