// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers that are loaded as integers. */
#ifndef NABLA_PREPARE_POINTERS_H
#define NABLA_PREPARE_POINTERS_H

#include "base/context.h"

/* Is a pointer made of an integer that was just loaded, of which the path may tell that a pointer
 * was stored there? */
bool nb_prepare_loads_pointers(LLVMValueRef function);

#endif
