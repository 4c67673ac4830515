// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls of nabla's runtime, which is linked into the module when all requests are served. */
#ifndef NABLA_EMIT_RUNTIME_H
#define NABLA_EMIT_RUNTIME_H

#include "base/context.h"
#include "types/types.h"

/* Calls the runtime's function `name` with `count` arguments. */
LLVMValueRef nb_runtime_call(NbContext *context, LLVMBuilderRef builder, const char *name,
                             LLVMTypeRef result, LLVMValueRef *arguments, unsigned count);
/* The name of the runtime's function `name` for elements of a format: "NAME_double". */
const char *nb_runtime_for(NbContext *context, const char *name, LLVMTypeRef format);
/* The same for what a piece of a layout holds; NULL where that has no derivative. Of words, the
 * function takes `may` behind the others, and what moves them also a place. */
const char *nb_runtime_for_piece(NbContext *context, const char *name, const NbPiece *piece);
LLVMValueRef nb_runtime_may(NbContext *context, const NbPiece *piece);
/* The name of the user's function that `work` was copied from, as a constant text: the runtime says
 * whose derivative could not have its memory. */
LLVMValueRef nb_runtime_function_name(NbContext *context, LLVMValueRef function);
/* The same with the line of `where`, an instruction of that function or of one inlined there, if it
 * is known: what the run refuses, it refuses there. */
LLVMValueRef nb_runtime_place(NbContext *context, LLVMValueRef function, LLVMValueRef where);
/* Calls `name`, which gives the memory of the stack array `array` in place of the stack; `budget`
 * may be NULL. */
LLVMValueRef nb_runtime_stack_array(NbContext *context, LLVMBuilderRef builder, const char *name,
                                    LLVMValueRef array, LLVMValueRef function, LLVMValueRef budget);
/* Is it a call of a function that the runtime has, or whose name it reserves? */
bool nb_runtime_is(LLVMValueRef call);
/* Is it such a function? */
bool nb_runtime_has(LLVMValueRef function);
/* Does it return the start of a record, or of rows, of a tape that is a stack? All that one stack
 * has are laid out alike. */
bool nb_runtime_gives_record(LLVMValueRef function);
/* Links what is used of the runtime into the module. Returns true where something was. */
bool nb_runtime_link(NbContext *context);
/* The same for functions that are to be differentiated: the runtime knows derivatives of what it
 * does by the bits of shadows. */
void nb_runtime_link_derivatives(NbContext *context);

#endif
