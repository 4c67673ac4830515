// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_PREPARE_TWINS_H
#define NABLA_PREPARE_TWINS_H

#include "base/context.h"

/* Gives each local variable that is moved as one type, and read as another, a twin of that type;
 * true where there is one. */
bool nb_prepare_part_twins(const NbContext *context, LLVMValueRef function);

#endif
