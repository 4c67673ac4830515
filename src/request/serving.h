// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One collected call while it is served. */
#ifndef NABLA_REQUEST_SERVING_H
#define NABLA_REQUEST_SERVING_H

#include "request/collected.h"

typedef struct NbServing {
  NbContext *context;
  LLVMBuilderRef builder; /* stands before the call */
  LLVMValueRef call;
  NbCollected collected;
  LLVMValueRef function;
  NbRequest request;
  NbList arguments; /* of the derivative: the primal's, and in the end the shadows */
  NbList shadows;
  unsigned first;      /* the call's operand that collected.markers[0] speaks of */
  unsigned next;       /* operands taken so far */
  LLVMValueRef memory; /* of an sret result; NULL where there is none or it has been given away */
  LLVMTypeRef memory_type;
} NbServing;

/* Fills in request and arguments from the call's operands and the function's parameters; false
 * where the call was refused. */
bool nb_serving_take_arguments(NbServing *serving);
/* Decides the role of the result; false where the call was refused. */
bool nb_serving_take_result(NbServing *serving);
/* Delivers what the derivative returned, as the call's type or in its memory. `*value` is what
 * replaces the call, NULL where nothing needs it; false where the call was refused. */
bool nb_serving_deliver(NbServing *serving, const NbList *fields, LLVMValueRef *value);
/* The text of a type for a message. */
const char *nb_type_text(NbArena *arena, LLVMTypeRef type);
/* Is it a floating-point type, of any format? */
bool nb_type_is_real(LLVMTypeRef type);
/* A local variable of the function around the call. */
LLVMValueRef nb_serving_local(NbServing *serving, LLVMTypeRef type);

#endif
