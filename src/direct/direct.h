// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls through pointers become calls by name, so that no later stage meets one: a function that
 * makes such calls, or calls one that does, is copied, and in the copy each call is a choice
 * between the functions that its pointer may hold. So is one whose variables the front end has left
 * in memory (-O0), where the analyses of pointers tell little apart: in the copy they are values.
 * So is one with accesses that branches share (direct/joined.c), which each has to itself there.
 * Models that say little alone (models/fortran.h) are inlined there too. */
#ifndef NABLA_DIRECT_H
#define NABLA_DIRECT_H

#include "base/context.h"

/* `function`, with a body, or a copy of it in which every call that may be followed is one by name
 * and variables are values; made once. Never fails: a call of whose functions nothing is known
 * stays as it is. */
LLVMValueRef nb_direct_of(NbContext *context, LLVMValueRef function);

#endif
