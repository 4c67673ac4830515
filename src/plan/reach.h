// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that tell how far around its pointers another function reads and writes. */
#ifndef NABLA_PLAN_REACH_H
#define NABLA_PLAN_REACH_H

#include "prepare/prepare.h"

/* What such a function returns: for each parameter of the primal two integers of 64 bits, the first
 * byte and the one behind the last, as distances from the pointer (nothing is touched where the
 * first is not less than the other), and behind them an i1: are they known? */
LLVMTypeRef nb_reach_type(const NbContext *context, LLVMValueRef primal);
/* The function, with the primal's parameters, of which it uses the integers alone, and without
 * effects. NULL where it cannot be told from these, or where memory is touched that no parameter
 * leads to. */
LLVMValueRef nb_reach_of(NbContext *context, LLVMValueRef primal);

#endif
