// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which results and parameters have to go through memory. */
#ifndef NABLA_DIRECT_CARRY_H
#define NABLA_DIRECT_CARRY_H

#include "base/context.h"

typedef struct NbCarried {
  LLVMValueRef view;     /* the function with its local variables in registers */
  struct NbTypes *types; /* of the view; NULL until asked for */
  unsigned elements;     /* of the result: a set */
  bool *parameters;
} NbCarried;

typedef struct NbCarry {
  NbContext *context;
  NbMap *functions; /* NbCarried, by function */
  bool changed;
} NbCarry;

/* Of all functions that `root` leads to by calls by name. */
NbCarry nb_carry_find(NbContext *context, LLVMValueRef root);
/* The function that the call calls, where it is one of them and called with its own type. */
LLVMValueRef nb_carry_callee(const NbCarry *carry, LLVMValueRef call);
/* Does anything of the function go through memory? */
bool nb_carried_any(const NbCarry *carry, LLVMValueRef function);

#endif
