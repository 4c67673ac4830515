// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_PREPARE_TWINS_H
#define NABLA_PREPARE_TWINS_H

#include "base/context.h"

/* Gives each local variable that is moved as a number, and read as a pointer, or the other way
 * round, a twin of that type, and loads as a pointer what is made one of a float that was loaded;
 * true where there is one. */
bool nb_prepare_part_twins(const NbContext *context, LLVMValueRef function);
/* A load of a number from a local variable into which a pointer is put that a caller or a callee
 * gave as a part of something, or the other way round; NULL where there is none. A union of both
 * that is passed by value is given as one of them, whichever it holds. */
LLVMValueRef nb_prepare_find_given(const NbContext *context, LLVMValueRef function);

#endif
