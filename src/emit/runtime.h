// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls of nabla's runtime, which is linked into the module when all requests are served. */
#ifndef NABLA_EMIT_RUNTIME_H
#define NABLA_EMIT_RUNTIME_H

#include "base/context.h"

/* Calls the runtime's function `name` with `count` arguments; its result is void or a pointer. */
LLVMValueRef nb_runtime_call(NbContext *context, LLVMBuilderRef builder, const char *name,
                             LLVMTypeRef result, LLVMValueRef *arguments, unsigned count);
/* Links what is used of the runtime into the module. Returns true where something was. */
bool nb_runtime_link(NbContext *context);

#endif
