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

static LLVMValueRef magnitude(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), bits = nb_tangent_bits(type);
  LLVMValueRef mask = LLVMBuildLShr(builder, LLVMConstAllOnes(bits), lowest_bit(bits), "");
  LLVMValueRef same = LLVMBuildBitCast(builder, value, bits, "");
  LLVMValueRef positive = LLVMBuildAnd(builder, same, mask, "");
  return LLVMBuildBitCast(builder, positive, type, "");
}

LLVMValueRef nb_rounding_magnitude(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
    return magnitude(builder, value);
  for (unsigned i = 0; i < LLVMGetArrayLength2(type); i++) {
    LLVMValueRef element = LLVMBuildExtractValue(builder, value, i, "");
    value = LLVMBuildInsertValue(builder, value, magnitude(builder, element), i, "");
  }
  return value;
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

/* --- Parts of a value ------------------------------------------------------------------------- */

typedef LLVMValueRef Conversion(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef error);

static LLVMValueRef is_zero(LLVMBuilderRef builder, LLVMValueRef value) {
  return LLVMBuildFCmp(builder, LLVMRealOEQ, value, LLVMConstNull(LLVMTypeOf(value)), "zero");
}

/* No error of what is infinite is none. */
static LLVMValueRef multiplied(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef error) {
  LLVMValueRef product = LLVMBuildFMul(builder, error, nb_rounding_magnitude(builder, value), "");
  LLVMValueRef none = is_zero(builder, error), zero = is_zero(builder, value);
  LLVMValueRef same = LLVMBuildOr(builder, none, zero, "");
  return LLVMBuildSelect(builder, same, error, product, "");
}

static LLVMValueRef divided(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef error) {
  LLVMValueRef quotient = LLVMBuildFDiv(builder, error, nb_rounding_magnitude(builder, value), "");
  return LLVMBuildSelect(builder, is_zero(builder, value), error, quotient, "");
}

static LLVMValueRef convert(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef error,
                            Conversion *conversion) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool members = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
  if (LLVMTypeOf(error) != type)
    return error;
  if (!members)
    return nb_is_float_kind(LLVMGetTypeKind(nb_scalar_type(type)))
               ? conversion(builder, value, error)
               : error;
  unsigned count = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                              : (unsigned)LLVMGetArrayLength2(type);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef part = LLVMBuildExtractValue(builder, value, i, "");
    LLVMValueRef of_part = LLVMBuildExtractValue(builder, error, i, "");
    of_part = convert(builder, part, of_part, conversion);
    error = LLVMBuildInsertValue(builder, error, of_part, i, "");
  }
  return error;
}

static LLVMValueRef convert_lanes(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef error,
                                  unsigned width, Conversion *conversion) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef lanes[NB_MOST_WIDTH];
  if (width == 1)
    return convert(builder, value, error, conversion);
  if (LLVMTypeOf(error) != nb_tangent_type(type, width))
    return error;
  for (unsigned lane = 0; lane < width; lane++) {
    lanes[lane] = nb_tangent_lane(builder, error, type, width, lane);
    lanes[lane] = convert(builder, value, lanes[lane], conversion);
  }
  return nb_tangent_of_lanes(builder, type, width, lanes);
}

LLVMValueRef nb_rounding_absolute(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef error,
                                  unsigned width) {
  return convert_lanes(builder, value, error, width, multiplied);
}

LLVMValueRef nb_rounding_relative(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef error,
                                  unsigned width) {
  return convert_lanes(builder, value, error, width, divided);
}
