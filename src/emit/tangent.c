// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/tangent.h"

#include "base/fences.h"

#include "emit/masks.h"

/* --- Lanes ---------------------------------------------------------------------------------- */

static bool is_vector(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVectorTypeKind; }

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static LLVMTypeRef member_type(LLVMTypeRef type, unsigned index) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, index)
                                                     : LLVMGetElementType(type);
}

static bool has_lanes(LLVMTypeRef type, unsigned width) {
  return width > 1 && (nb_type_has_float(type) || nb_type_has_pointer(type));
}

static LLVMTypeRef struct_type(LLVMTypeRef type, unsigned width) {
  unsigned count = LLVMCountStructElementTypes(type);
  NbArena *arena = nb_arena_new();
  LLVMTypeRef *members = NB_NEW_ARRAY(arena, LLVMTypeRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    members[i] = nb_tangent_type(LLVMStructGetTypeAtIndex(type, i), width);
  LLVMTypeRef wide =
      LLVMStructTypeInContext(LLVMGetTypeContext(type), members, count, LLVMIsPackedStruct(type));
  nb_arena_free(arena);
  return wide;
}

LLVMTypeRef nb_tangent_type(LLVMTypeRef type, unsigned width) {
  if (!has_lanes(type, width))
    return type;
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return struct_type(type, width);
  case LLVMArrayTypeKind:
    return LLVMArrayType2(nb_tangent_type(LLVMGetElementType(type), width),
                          LLVMGetArrayLength2(type));
  case LLVMPointerTypeKind:
  case LLVMVectorTypeKind:
    return LLVMArrayType2(type, width);
  default:
    return LLVMVectorType(type, width);
  }
}

LLVMTypeRef nb_tangent_bits(LLVMTypeRef type) {
  LLVMContextRef llvm = LLVMGetTypeContext(type);
  if (is_vector(type))
    return LLVMVectorType(nb_tangent_bits(LLVMGetElementType(type)), LLVMGetVectorSize(type));
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return LLVMInt16TypeInContext(llvm);
  case LLVMFloatTypeKind:
    return LLVMInt32TypeInContext(llvm);
  case LLVMX86_FP80TypeKind:
    return LLVMIntTypeInContext(llvm, 80);
  case LLVMFP128TypeKind:
  case LLVMPPC_FP128TypeKind:
    return LLVMIntTypeInContext(llvm, 128);
  default:
    return LLVMInt64TypeInContext(llvm);
  }
}

static LLVMValueRef index_of(LLVMTypeRef type, unsigned index) {
  return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(type)), index, false);
}

LLVMValueRef nb_tangent_lane(LLVMBuilderRef builder, LLVMValueRef tangent, LLVMTypeRef type,
                             unsigned width, unsigned lane) {
  if (!has_lanes(type, width))
    return tangent;
  if (is_vector(LLVMTypeOf(tangent)))
    return LLVMBuildExtractElement(builder, tangent, index_of(type, lane), "");
  if (!is_aggregate(type))
    return LLVMBuildExtractValue(builder, tangent, lane, "");
  LLVMValueRef single = LLVMGetPoison(type);
  for (unsigned i = 0; i < nb_element_count(type); i++) {
    LLVMValueRef member = LLVMBuildExtractValue(builder, tangent, i, "");
    member = nb_tangent_lane(builder, member, member_type(type, i), width, lane);
    single = LLVMBuildInsertValue(builder, single, member, i, "");
  }
  return single;
}

/* The same member of each lane, as lanes. */
static LLVMValueRef member_of_lanes(LLVMBuilderRef builder, LLVMTypeRef type, unsigned width,
                                    const LLVMValueRef *lanes, unsigned index) {
  LLVMValueRef members[NB_MOST_WIDTH];
  for (unsigned i = 0; i < width; i++)
    members[i] = LLVMBuildExtractValue(builder, lanes[i], index, "");
  return nb_tangent_of_lanes(builder, member_type(type, index), width, members);
}

LLVMValueRef nb_tangent_of_lanes(LLVMBuilderRef builder, LLVMTypeRef type, unsigned width,
                                 const LLVMValueRef *lanes) {
  if (!has_lanes(type, width))
    return lanes[0];
  LLVMTypeRef wide = nb_tangent_type(type, width);
  LLVMValueRef tangent = LLVMGetPoison(wide);
  if (is_aggregate(type)) {
    for (unsigned i = 0; i < nb_element_count(type); i++) {
      LLVMValueRef member = member_of_lanes(builder, type, width, lanes, i);
      tangent = LLVMBuildInsertValue(builder, tangent, member, i, "");
    }
    return tangent;
  }
  for (unsigned i = 0; i < width; i++)
    tangent = is_vector(wide)
                  ? LLVMBuildInsertElement(builder, tangent, lanes[i], index_of(type, i), "")
                  : LLVMBuildInsertValue(builder, tangent, lanes[i], i, "");
  return tangent;
}

/* --- Members -------------------------------------------------------------------------------- */

LLVMValueRef nb_tangent_member(LLVMBuilderRef builder, LLVMValueRef whole, LLVMTypeRef type,
                               unsigned width, unsigned index) {
  LLVMValueRef lanes[NB_MOST_WIDTH];
  if (!is_vector(type))
    return LLVMBuildExtractValue(builder, whole, index, "");
  for (unsigned i = 0; i < width; i++) {
    LLVMValueRef lane = nb_tangent_lane(builder, whole, type, width, i);
    lanes[i] = LLVMBuildExtractElement(builder, lane, index_of(type, index), "");
  }
  return nb_tangent_of_lanes(builder, LLVMGetElementType(type), width, lanes);
}

LLVMValueRef nb_tangent_with_member(LLVMBuilderRef builder, LLVMValueRef whole, LLVMTypeRef type,
                                    unsigned width, unsigned index, LLVMValueRef part) {
  LLVMValueRef lanes[NB_MOST_WIDTH];
  if (!is_vector(type))
    return LLVMBuildInsertValue(builder, whole, part, index, "");
  for (unsigned i = 0; i < width; i++) {
    LLVMValueRef lane = nb_tangent_lane(builder, whole, type, width, i);
    LLVMValueRef element = nb_tangent_lane(builder, part, LLVMGetElementType(type), width, i);
    lanes[i] = LLVMBuildInsertElement(builder, lane, element, index_of(type, index), "");
  }
  return nb_tangent_of_lanes(builder, type, width, lanes);
}

LLVMValueRef nb_tangent_with_shadows(LLVMBuilderRef builder, LLVMValueRef tangent, LLVMTypeRef type,
                                     unsigned width, const LLVMValueRef *shadows) {
  LLVMValueRef parts[NB_MOST_WIDTH];
  if (!is_aggregate(type))
    return nb_type_has_float(type) ? tangent : nb_tangent_of_lanes(builder, type, width, shadows);
  for (unsigned i = 0; i < nb_element_count(type); i++) {
    LLVMValueRef part = LLVMBuildExtractValue(builder, tangent, i, "");
    for (unsigned lane = 0; lane < width; lane++)
      parts[lane] = LLVMBuildExtractValue(builder, shadows[lane], i, "");
    part = nb_tangent_with_shadows(builder, part, member_type(type, i), width, parts);
    tangent = LLVMBuildInsertValue(builder, tangent, part, i, "");
  }
  return tangent;
}

/* --- Arithmetic ----------------------------------------------------------------------------- */

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

LLVMValueRef nb_tangent_add(const NbTangents *tangents, LLVMValueRef left, LLVMValueRef right) {
  LLVMTypeRef type = LLVMTypeOf(left);
  if (!nb_type_has_float(type))
    return left;
  if (!is_aggregate(type) && tangents->masks)
    return nb_masks_join(tangents->builder, left, right);
  if (!is_aggregate(type))
    return without_signed_zeros(
        flagged(tangents, LLVMBuildFAdd(tangents->builder, left, right, "")));
  LLVMValueRef sum = left;
  for (unsigned i = 0; i < nb_element_count(type); i++) {
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

/* A number in all lanes of a vector. */
static LLVMValueRef spread(LLVMBuilderRef builder, LLVMValueRef number, LLVMTypeRef vector) {
  LLVMContextRef llvm = LLVMGetTypeContext(vector);
  LLVMValueRef none = LLVMGetPoison(vector);
  LLVMTypeRef mask = LLVMVectorType(LLVMInt32TypeInContext(llvm), LLVMGetVectorSize(vector));
  LLVMValueRef first = LLVMBuildInsertElement(builder, none, number, index_of(vector, 0), "");
  return LLVMBuildShuffleVector(builder, first, none, LLVMConstNull(mask), "");
}

static LLVMValueRef scale_lanes(const NbTangents *tangents, LLVMValueRef coefficient,
                                LLVMValueRef tangent) {
  LLVMValueRef product = tangent;
  for (unsigned i = 0; i < nb_element_count(LLVMTypeOf(tangent)); i++) {
    LLVMValueRef lane = LLVMBuildExtractValue(tangents->builder, tangent, i, "");
    lane = nb_tangent_scale(tangents, coefficient, lane);
    product = LLVMBuildInsertValue(tangents->builder, product, lane, i, "");
  }
  return product;
}

static LLVMTypeRef with_scalar(LLVMTypeRef type, LLVMTypeRef scalar) {
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return vector ? LLVMVectorType(scalar, LLVMGetVectorSize(type)) : scalar;
}

/* A tangent in the format of a coefficient, which holds at least as much. */
static LLVMValueRef in_format_of(const NbTangents *tangents, LLVMValueRef coefficient,
                                 LLVMValueRef tangent) {
  LLVMTypeRef scalar = nb_scalar_type(LLVMTypeOf(coefficient));
  LLVMTypeRef type = LLVMTypeOf(tangent);
  if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
    return nb_tangent_cast(tangents, tangent, with_scalar(type, scalar));
  LLVMTypeRef lane = with_scalar(LLVMGetElementType(type), scalar);
  return nb_tangent_cast(tangents, tangent, LLVMArrayType2(lane, LLVMGetArrayLength2(type)));
}

/* Nothing where a factor is zero, whatever the other is; but a product it is all the same. */
static LLVMValueRef guard(const NbTangents *tangents, LLVMValueRef coefficient,
                          LLVMValueRef tangent, LLVMValueRef product) {
  LLVMBuilderRef builder = tangents->builder;
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(tangent));
  LLVMValueRef none = LLVMBuildFCmp(builder, LLVMRealOEQ, tangent, zero, "");
  if (tangents->product && !nb_is_constant(coefficient)) {
    LLVMValueRef without = LLVMBuildFCmp(builder, LLVMRealOEQ, coefficient, zero, "");
    none = LLVMBuildOr(builder, none, without, "");
  }
  LLVMValueRef guarded = LLVMBuildSelect(builder, none, zero, product, "");
  return tangents->again ? nb_fence_build(builder, guarded, NB_FENCE_PRODUCT) : guarded;
}

LLVMValueRef nb_tangent_scale(const NbTangents *tangents, LLVMValueRef coefficient,
                              LLVMValueRef tangent) {
  if (!coefficient || tangents->masks || is_number(coefficient, 1.0))
    return tangent;
  tangent = in_format_of(tangents, coefficient, tangent);
  LLVMTypeRef type = LLVMTypeOf(tangent);
  if (is_aggregate(type))
    return scale_lanes(tangents, coefficient, tangent);
  if (is_number(coefficient, -1.0))
    return flagged(tangents, LLVMBuildFNeg(tangents->builder, tangent, ""));
  if (is_vector(type) && !is_vector(LLVMTypeOf(coefficient)))
    coefficient = spread(tangents->builder, coefficient, type);
  LLVMValueRef product =
      flagged(tangents, LLVMBuildFMul(tangents->builder, coefficient, tangent, ""));
  return tangents->strong_zero ? guard(tangents, coefficient, tangent, product) : product;
}

LLVMValueRef nb_tangent_choose(const NbTangents *tangents, LLVMValueRef decision,
                               LLVMValueRef first, LLVMValueRef second) {
  LLVMTypeRef type = LLVMTypeOf(first);
  if (!is_vector(LLVMTypeOf(decision)) || !is_aggregate(type))
    return LLVMBuildSelect(tangents->builder, decision, first, second, "");
  LLVMValueRef choice = first;
  for (unsigned i = 0; i < nb_element_count(type); i++) {
    LLVMValueRef one = LLVMBuildExtractValue(tangents->builder, first, i, "");
    LLVMValueRef other = LLVMBuildExtractValue(tangents->builder, second, i, "");
    LLVMValueRef lane = nb_tangent_choose(tangents, decision, one, other);
    choice = LLVMBuildInsertValue(tangents->builder, choice, lane, i, "");
  }
  return choice;
}

LLVMValueRef nb_tangent_clear(const NbTangents *tangents, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!nb_type_has_float(type))
    return value;
  if (!is_aggregate(type))
    return LLVMConstNull(type);
  for (unsigned i = 0; i < nb_element_count(type); i++) {
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

/* Libraries round to bfloat from float; not all do from double. */
static LLVMValueRef cast_scalars(const NbTangents *tangents, LLVMValueRef tangent,
                                 LLVMTypeRef type) {
  LLVMTypeRef single = LLVMFloatTypeInContext(LLVMGetTypeContext(type));
  if (scalar_kind(type) == LLVMBFloatTypeKind)
    tangent = LLVMBuildFPCast(tangents->builder, tangent, with_scalar(type, single), "");
  return LLVMBuildFPCast(tangents->builder, tangent, type, "");
}

LLVMValueRef nb_tangent_cast(const NbTangents *tangents, LLVMValueRef tangent, LLVMTypeRef type) {
  if (LLVMTypeOf(tangent) == type)
    return tangent;
  if (!is_aggregate(type) && tangents->masks)
    return nb_masks_cast(tangents->builder, tangent, type);
  if (!is_aggregate(type))
    return cast_scalars(tangents, tangent, type);
  LLVMValueRef cast = LLVMGetPoison(type);
  for (unsigned i = 0; i < nb_element_count(type); i++) {
    LLVMValueRef lane = LLVMBuildExtractValue(tangents->builder, tangent, i, "");
    lane = nb_tangent_cast(tangents, lane, LLVMGetElementType(type));
    cast = LLVMBuildInsertValue(tangents->builder, cast, lane, i, "");
  }
  return cast;
}
