// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies of functions, and of calls, that take other parameters than these. */
#ifndef NABLA_DIRECT_COPY_H
#define NABLA_DIRECT_COPY_H

#include "base/context.h"

/* An internal function without a body, whose name is that of `function` behind `prefix`: all that
 * is said of that holds for it, too. `type` has the same parameters, and maybe more behind them. */
LLVMValueRef nb_copy_declare(NbContext *context, LLVMValueRef function, const char *prefix,
                             LLVMTypeRef type);
/* Fills it with a copy of the body. */
void nb_copy_write(NbContext *context, LLVMValueRef copy, LLVMValueRef function);
/* A local variable of the function that makes the call. */
LLVMValueRef nb_copy_local(LLVMValueRef call, LLVMTypeRef type, const char *name);
/* Calls `callee` with all of its arguments as `call` calls its own: by an invoke where that is one.
 */
LLVMValueRef nb_copy_call(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef callee,
                          LLVMValueRef *arguments);
/* How an argument is passed is said of that of `fresh` as of that of `call`. */
void nb_copy_passing(LLVMValueRef fresh, LLVMValueRef call, unsigned index);

#endif
