// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What functions of the user's are given, in the order of their parameters. */
#ifndef NABLA_EMIT_GIVEN_H
#define NABLA_EMIT_GIVEN_H

#include "request/request.h"
#include "request/shapes.h"

/* The call of a function of the user's, and the function that it is written to. */
typedef struct NbWrapper {
  NbContext *context;
  NbDerivative *derivative;
  const NbCustom *custom;
  LLVMBuilderRef builder;
  const NbShape *shape;   /* of the user's function */
  LLVMValueRef user, own; /* the user's function; the one that calls it */
  NbList arguments;
  LLVMValueRef memory; /* of an sret result; NULL */
  LLVMTypeRef tape;    /* NULL: none */
  unsigned lane;       /* the direction that the user's function is called for */
} NbWrapper;

/* Refuses the registration for this reason. Returns false. */
bool nb_custom_refuse(const NbWrapper *wrapper, const char *reason);
/* The type that the primal returns. */
LLVMTypeRef nb_custom_primal_result(const NbWrapper *wrapper);
/* The type of the result, which the user's functions may know as one by value. */
LLVMTypeRef nb_custom_returned_type(const NbWrapper *wrapper);
/* The shadow of what is passed in memory, or of nothing: memory that is zero. */
LLVMValueRef nb_custom_shadow_of_memory(const NbWrapper *wrapper, unsigned index, LLVMTypeRef type);
/* Does the reverse get a copy of what the parameter, a struct that is passed in memory, was? The
 * type; NULL. What is passed by value does not change. */
LLVMTypeRef nb_custom_kept_type(const NbWrapper *wrapper, unsigned index);
/* Where it lies, in the augmented forward or in the reverse. */
LLVMValueRef nb_custom_kept_at(const NbWrapper *wrapper, unsigned index);
/* Where a part of the record lies that forward mode later reads. */
LLVMValueRef nb_custom_record_field(const NbWrapper *wrapper, unsigned field);
/* Adds the next argument. False where it does not fit, and was refused. */
bool nb_custom_push(NbWrapper *wrapper, LLVMValueRef value);
/* Adds all that the shape lists. */
bool nb_custom_push_all(NbWrapper *wrapper);

#endif
