// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that return a struct with floats in an integer. */
#ifndef NABLA_REQUEST_UNPACKED_H
#define NABLA_REQUEST_UNPACKED_H

#include "base/context.h"

/* The members of the struct as text, for a note; "" where it cannot be returned by members. */
const char *nb_unpacked_text(const NbContext *context, LLVMTypeRef whole);
/* A function that calls `function` and returns the members by themselves, where its note tells
 * which they are; else `function`. */
LLVMValueRef nb_unpacked_of(NbContext *context, LLVMValueRef function);

#endif
