// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* All of it is arithmetic on the bits of floats: the sign is the highest bit, and the lowest one
 * leads to a neighbour. */
#include "emit/rounding.h"

#include "emit/tangent.h"

/* Longer vectors of floats come from no front end. */
enum { NB_MOST_ELEMENTS = 1024 };

/* The lowest bit, of each element of a vector. */
static LLVMValueRef lowest_bit(LLVMTypeRef type) {
  LLVMValueRef ones[NB_MOST_ELEMENTS];
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return LLVMConstInt(type, 1, false);
  unsigned count = LLVMGetVectorSize(type);
  for (unsigned i = 0; i < count; i++)
    ones[i] = LLVMConstInt(LLVMGetElementType(type), 1, false);
  return LLVMConstVector(ones, count);
}

LLVMValueRef nb_rounding_magnitude(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), bits = nb_tangent_bits(type);
  LLVMValueRef mask = LLVMBuildLShr(builder, LLVMConstAllOnes(bits), lowest_bit(bits), "");
  LLVMValueRef same = LLVMBuildBitCast(builder, value, bits, "");
  LLVMValueRef positive = LLVMBuildAnd(builder, same, mask, "");
  return LLVMBuildBitCast(builder, positive, type, "");
}

bool nb_rounding_rounds(LLVMValueRef inst) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFPTrunc:
  case LLVMCall:
    return true;
  default:
    return false;
  }
}

LLVMValueRef nb_rounding_unit(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), bits = nb_tangent_bits(type);
  LLVMValueRef same = LLVMBuildBitCast(builder, value, bits, "");
  LLVMValueRef flipped = LLVMBuildXor(builder, same, lowest_bit(bits), "");
  LLVMValueRef neighbour = LLVMBuildBitCast(builder, flipped, type, "");
  LLVMValueRef distance = LLVMBuildFSub(builder, value, neighbour, "");
  return nb_rounding_magnitude(builder, distance);
}
