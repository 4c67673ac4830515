// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic of integers on their two halves, bit for bit what it is on the whole. */
#ifndef NABLA_TYPES_HALVES_H
#define NABLA_TYPES_HALVES_H

#include "base/context.h"

enum { NB_LOWER, NB_UPPER, NB_HALVES };

typedef struct NbHalves {
  LLVMValueRef half[NB_HALVES]; /* of half as many bits */
} NbHalves;

/* The halves of a value that is known as a whole. */
NbHalves nb_halves_cut(LLVMBuilderRef builder, LLVMValueRef whole);
LLVMValueRef nb_halves_join(LLVMBuilderRef builder, NbHalves halves);
/* The halves of a narrower integer that is extended by the opcode (ZExt, SExt). */
NbHalves nb_halves_extend(LLVMBuilderRef builder, LLVMOpcode opcode, LLVMValueRef integer,
                          LLVMTypeRef narrow);
/* Shl, LShr or AShr by a known number of bits, less than both halves have. */
NbHalves nb_halves_shift(LLVMBuilderRef builder, LLVMOpcode opcode, NbHalves halves, unsigned bits);
/* Has each bit one at most of the integers, so that adding them joins them? */
bool nb_halves_are_apart(LLVMValueRef a, LLVMValueRef b);
/* And, Or, Xor, Add or Sub. */
NbHalves nb_halves_combine(LLVMBuilderRef builder, LLVMOpcode opcode, NbHalves a, NbHalves b);
LLVMValueRef nb_halves_compare(LLVMBuilderRef builder, LLVMIntPredicate predicate, NbHalves a,
                               NbHalves b);
/* Rotations by half of the bits, and products that have a half twice, become shifts; what is put
 * together of both halves of one integer is that; true where there were any. */
bool nb_halves_spell(LLVMContextRef llvm, LLVMValueRef function);

#endif
