// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/tangent.h"

static LLVMValueRef flagged(const NbTangents *tangents, LLVMValueRef value) {
  if (LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value))
    LLVMSetFastMathFlags(value, tangents->fast_math);
  return value;
}

/* The sign of a zero derivative says nothing, and 0 + x may be x. */
static LLVMValueRef without_signed_zeros(LLVMValueRef sum) {
  if (LLVMIsAInstruction(sum))
    LLVMSetFastMathFlags(sum, LLVMGetFastMathFlags(sum) | LLVMFastMathNoSignedZeros);
  return sum;
}

unsigned nb_tangent_members(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind:
    return (unsigned)LLVMGetArrayLength2(type);
  default:
    return 0;
  }
}

static bool is_vector(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static LLVMValueRef lane(LLVMValueRef vector, unsigned index) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(vector));
  return LLVMConstInt(LLVMInt32TypeInContext(llvm), index, false);
}

LLVMValueRef nb_tangent_member(LLVMBuilderRef builder, LLVMValueRef whole, unsigned index) {
  if (is_vector(whole))
    return LLVMBuildExtractElement(builder, whole, lane(whole, index), "");
  return LLVMBuildExtractValue(builder, whole, index, "");
}

LLVMValueRef nb_tangent_with_member(LLVMBuilderRef builder, LLVMValueRef whole, LLVMValueRef part,
                                    unsigned index) {
  if (is_vector(whole))
    return LLVMBuildInsertElement(builder, whole, part, lane(whole, index), "");
  return LLVMBuildInsertValue(builder, whole, part, index, "");
}

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

LLVMValueRef nb_tangent_with_pointers(LLVMBuilderRef builder, LLVMValueRef tangent,
                                      LLVMValueRef shadow) {
  LLVMTypeRef type = LLVMTypeOf(shadow);
  if (!nb_type_has_pointer(type))
    return tangent;
  if (!is_aggregate(type))
    return shadow;
  for (unsigned i = 0; i < nb_tangent_members(type); i++) {
    LLVMValueRef part = LLVMBuildExtractValue(builder, tangent, i, "");
    LLVMValueRef pointers = LLVMBuildExtractValue(builder, shadow, i, "");
    part = nb_tangent_with_pointers(builder, part, pointers);
    tangent = LLVMBuildInsertValue(builder, tangent, part, i, "");
  }
  return tangent;
}

LLVMValueRef nb_tangent_add(const NbTangents *tangents, LLVMValueRef left, LLVMValueRef right) {
  LLVMTypeRef type = LLVMTypeOf(left);
  if (!nb_type_has_float(type))
    return left;
  if (!is_aggregate(type))
    return without_signed_zeros(
        flagged(tangents, LLVMBuildFAdd(tangents->builder, left, right, "")));
  LLVMValueRef sum = left;
  for (unsigned i = 0; i < nb_tangent_members(type); i++) {
    LLVMValueRef one = LLVMBuildExtractValue(tangents->builder, left, i, "");
    LLVMValueRef other = LLVMBuildExtractValue(tangents->builder, right, i, "");
    LLVMValueRef both = nb_tangent_add(tangents, one, other);
    sum = LLVMBuildInsertValue(tangents->builder, sum, both, i, "");
  }
  return sum;
}

static bool is_number(LLVMValueRef value, double number) {
  LLVMBool loses = false;
  return LLVMIsAConstantFP(value) && LLVMConstRealGetDouble(value, &loses) == number;
}

LLVMValueRef nb_tangent_scale(const NbTangents *tangents, LLVMValueRef coefficient,
                              LLVMValueRef tangent) {
  if (!coefficient || is_number(coefficient, 1.0))
    return tangent;
  if (is_number(coefficient, -1.0))
    return flagged(tangents, LLVMBuildFNeg(tangents->builder, tangent, ""));
  LLVMValueRef product =
      flagged(tangents, LLVMBuildFMul(tangents->builder, coefficient, tangent, ""));
  if (!tangents->strong_zero)
    return product;
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(tangent));
  LLVMValueRef none = LLVMBuildFCmp(tangents->builder, LLVMRealOEQ, tangent, zero, "");
  return LLVMBuildSelect(tangents->builder, none, zero, product, "");
}

LLVMValueRef nb_tangent_clear(const NbTangents *tangents, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!nb_type_has_float(type))
    return value;
  if (!is_aggregate(type))
    return LLVMConstNull(type);
  for (unsigned i = 0; i < nb_tangent_members(type); i++) {
    LLVMValueRef member = LLVMBuildExtractValue(tangents->builder, value, i, "");
    member = nb_tangent_clear(tangents, member);
    value = LLVMBuildInsertValue(tangents->builder, value, member, i, "");
  }
  return value;
}

static LLVMTypeKind scalar_kind(LLVMTypeRef type) {
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return LLVMGetTypeKind(vector ? LLVMGetElementType(type) : type);
}

static LLVMTypeRef with_scalar(LLVMTypeRef type, LLVMTypeRef scalar) {
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return vector ? LLVMVectorType(scalar, LLVMGetVectorSize(type)) : scalar;
}

/* Libraries round to bfloat from float; not all do from double. */
LLVMValueRef nb_tangent_cast(const NbTangents *tangents, LLVMValueRef tangent, LLVMTypeRef type) {
  if (LLVMTypeOf(tangent) == type)
    return tangent;
  LLVMTypeRef single = LLVMFloatTypeInContext(LLVMGetTypeContext(type));
  if (scalar_kind(type) == LLVMBFloatTypeKind)
    tangent = LLVMBuildFPCast(tangents->builder, tangent, with_scalar(type, single), "");
  return LLVMBuildFPCast(tangents->builder, tangent, type, "");
}
