// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls that say something about one place in the code. */
#ifndef NABLA_REQUEST_SITES_H
#define NABLA_REQUEST_SITES_H

#include "base/context.h"

/* At the start of the pipeline. Returns true where something changed. */
bool nb_sites_collect(NbContext *context);
/* The same of what front ends say of the memory behind parameters ("enzyme_type"). */
bool nb_sites_collect_types(NbContext *context);
/* What is stored in a global that is declared to have no derivative loses its own there, whether or
 * not the optimiser finds that it is what is loaded again. Returns true where something changed. */
bool nb_sites_ignore_globals(NbContext *context);
/* What is said by attributes and metadata named "enzyme_inactive" of parameters, results, calls and
 * instructions (request/marks.c); `calls` are those of entry points. */
bool nb_marks_collect(NbContext *context, const NbList *calls);
/* Parts of both: a call before another; the value, without its derivative; the declaration that
 * stands for the function where a call of it has none; what is stored through the pointer, or one
 * into the same memory that is made of it, loses its derivative. */
LLVMValueRef nb_sites_call(NbContext *context, LLVMValueRef call, LLVMValueRef callee,
                           LLVMValueRef *arguments, unsigned count);
LLVMValueRef nb_sites_ignored(NbContext *context, LLVMValueRef before, LLVMValueRef value);
LLVMValueRef nb_sites_inactive(NbContext *context, LLVMValueRef function);
bool nb_sites_ignore_stored(NbContext *context, LLVMValueRef pointer);
/* Gives rows to what stands for them, before requests are served. */
void nb_sites_take(NbContext *context);
/* Puts back what they mean, in the user's code and in the derivatives. Returns true where something
 * changed. */
bool nb_sites_put_back(NbContext *context);

#endif
