// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The parts of what a function of the user's returns. */
#ifndef NABLA_EMIT_RETURNED_H
#define NABLA_EMIT_RETURNED_H

#include "base/context.h"

typedef struct NbReturned {
  const NbContext *context;
  LLVMBuilderRef builder;
  LLVMValueRef result; /* of the call */
  LLVMValueRef memory; /* where it returned a struct; NULL */
} NbReturned;

/* Is it a struct, as C lays it out and the ABI returns it, of values of these types in order? Then
 * `parts` are they. */
bool nb_returned_parts(const NbReturned *returned, const LLVMTypeRef *types, unsigned count,
                       LLVMValueRef *parts);
/* The same; `places` is where they lie in memory. */
bool nb_returned_places(const NbReturned *returned, const LLVMTypeRef *types, unsigned count,
                        LLVMValueRef *places);

#endif
