// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/access.h"

#include "emit/alias.h"
#include "emit/tangent.h"

LLVMValueRef nb_shadow_load(const NbLinear *linear, LLVMBuilderRef builder,
                            const NbStatement *statement, const LLVMValueRef *addresses) {
  LLVMValueRef lanes[NB_MOST_WIDTH];
  if (statement->interleaved) {
    LLVMTypeRef type = nb_tangent_type(statement->type, statement->width);
    LLVMValueRef all = LLVMBuildLoad2(builder, type, addresses[0], "tangent");
    LLVMSetAlignment(all, statement->align);
    nb_alias_shadow(linear, all);
    return all;
  }
  for (unsigned lane = 0; lane < statement->width; lane++) {
    lanes[lane] = LLVMBuildLoad2(builder, statement->type, addresses[lane], "tangent");
    LLVMSetAlignment(lanes[lane], statement->align);
    nb_alias_shadow(linear, lanes[lane]);
  }
  return nb_tangent_of_lanes(builder, statement->type, statement->width, lanes);
}

void nb_shadow_store(const NbLinear *linear, LLVMBuilderRef builder, const NbStatement *statement,
                     const LLVMValueRef *addresses, LLVMValueRef tangent) {
  if (statement->interleaved) {
    LLVMValueRef store = LLVMBuildStore(builder, tangent, addresses[0]);
    LLVMSetAlignment(store, statement->align);
    nb_alias_shadow(linear, store);
    return;
  }
  for (unsigned lane = 0; lane < statement->width; lane++) {
    LLVMValueRef value = nb_tangent_lane(builder, tangent, statement->type, statement->width, lane);
    LLVMValueRef store = LLVMBuildStore(builder, value, addresses[lane]);
    LLVMSetAlignment(store, statement->align);
    nb_alias_shadow(linear, store);
  }
}

/* The integers as wide as the floats. */
static LLVMTypeRef bits_type(LLVMTypeRef type) {
  LLVMTypeRef scalar = nb_scalar_type(type);
  unsigned width = LLVMGetTypeKind(scalar) == LLVMDoubleTypeKind ? 64 : 32;
  LLVMTypeRef bits = LLVMIntTypeInContext(LLVMGetTypeContext(type), width);
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return vector ? LLVMVectorType(bits, LLVMGetVectorSize(type)) : bits;
}

static bool has_bits(LLVMTypeRef type) {
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  if (vector && LLVMGetVectorSize(type) > NB_MOST_WIDTH)
    return false;
  LLVMTypeKind kind = LLVMGetTypeKind(nb_scalar_type(type));
  return kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind;
}

/* All bits but the sign, one to the left. */
static LLVMValueRef magnitude(LLVMBuilderRef builder, LLVMValueRef number, LLVMTypeRef type) {
  LLVMValueRef bits = LLVMBuildBitCast(builder, number, type, "");
  return LLVMBuildAdd(builder, bits, bits, "");
}

static LLVMValueRef number_of(LLVMTypeRef type, uint64_t value) {
  LLVMValueRef number = LLVMConstInt(nb_scalar_type(type), value, false), numbers[NB_MOST_WIDTH];
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return number;
  unsigned count = LLVMGetVectorSize(type);
  for (unsigned i = 0; i < count; i++)
    numbers[i] = number;
  return LLVMConstVector(numbers, count);
}

/* Is it denormal, or no number? An addition may change the bits of such a one. */
static LLVMValueRef is_odd(LLVMBuilderRef builder, LLVMValueRef number, LLVMTypeRef type) {
  bool wide = LLVMGetIntTypeWidth(nb_scalar_type(type)) == 64;
  uint64_t least = wide ? UINT64_C(1) << 53 : UINT64_C(1) << 24;
  uint64_t infinite = wide ? UINT64_C(0xffe0000000000000) : UINT64_C(0xff000000);
  LLVMValueRef bits = magnitude(builder, number, type);
  LLVMValueRef less = LLVMBuildSub(builder, bits, number_of(type, 1), "");
  LLVMValueRef denormal =
      LLVMBuildICmp(builder, LLVMIntULT, less, number_of(type, least - 1), "denormal");
  LLVMValueRef none = LLVMBuildICmp(builder, LLVMIntUGT, bits, number_of(type, infinite), "none");
  return LLVMBuildOr(builder, denormal, none, "odd");
}

/* A zero is added like others where it makes no difference: its tangent counts. */
LLVMValueRef nb_sum_but_for_zero(LLVMBuilderRef builder, LLVMValueRef shadow,
                                 LLVMValueRef adjoint) {
  LLVMValueRef sum = LLVMBuildFAdd(builder, shadow, adjoint, "");
  if (!has_bits(LLVMTypeOf(adjoint)))
    return sum;
  LLVMTypeRef type = bits_type(LLVMTypeOf(adjoint));
  LLVMValueRef bits = magnitude(builder, adjoint, type);
  LLVMValueRef zero = LLVMBuildICmp(builder, LLVMIntEQ, bits, LLVMConstNull(type), "zero");
  LLVMValueRef odd = is_odd(builder, shadow, type);
  LLVMValueRef keep = LLVMBuildAnd(builder, zero, odd, "keep");
  return LLVMBuildSelect(builder, keep, shadow, sum, "");
}

void nb_shadow_add(const NbLinear *linear, LLVMBuilderRef builder, const NbStatement *statement,
                   const LLVMValueRef *addresses, LLVMValueRef adjoint) {
  LLVMValueRef shadow = nb_shadow_load(linear, builder, statement, addresses);
  LLVMValueRef lanes[NB_MOST_WIDTH];
  for (unsigned lane = 0; lane < statement->width; lane++) {
    LLVMValueRef old = nb_tangent_lane(builder, shadow, statement->type, statement->width, lane);
    LLVMValueRef more = nb_tangent_lane(builder, adjoint, statement->type, statement->width, lane);
    lanes[lane] = nb_sum_but_for_zero(builder, old, more);
  }
  LLVMValueRef sum = nb_tangent_of_lanes(builder, statement->type, statement->width, lanes);
  nb_shadow_store(linear, builder, statement, addresses, sum);
}
