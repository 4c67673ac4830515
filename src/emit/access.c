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
  LLVMTypeKind kind = LLVMGetTypeKind(nb_scalar_type(type));
  return kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind;
}

static LLVMValueRef sum_but_for_zero(LLVMBuilderRef builder, LLVMValueRef shadow,
                                     LLVMValueRef adjoint) {
  LLVMValueRef sum = LLVMBuildFAdd(builder, shadow, adjoint, "");
  if (!has_bits(LLVMTypeOf(adjoint)))
    return sum;
  LLVMTypeRef type = bits_type(LLVMTypeOf(adjoint));
  LLVMValueRef bits = LLVMBuildBitCast(builder, adjoint, type, "");
  LLVMValueRef unsigned_bits = LLVMBuildAdd(builder, bits, bits, "");
  LLVMValueRef zero = LLVMBuildICmp(builder, LLVMIntEQ, unsigned_bits, LLVMConstNull(type), "zero");
  return LLVMBuildSelect(builder, zero, shadow, sum, "");
}

void nb_shadow_add(const NbLinear *linear, LLVMBuilderRef builder, const NbStatement *statement,
                   const LLVMValueRef *addresses, LLVMValueRef adjoint) {
  LLVMValueRef shadow = nb_shadow_load(linear, builder, statement, addresses);
  LLVMValueRef lanes[NB_MOST_WIDTH];
  for (unsigned lane = 0; lane < statement->width; lane++) {
    LLVMValueRef old = nb_tangent_lane(builder, shadow, statement->type, statement->width, lane);
    LLVMValueRef more = nb_tangent_lane(builder, adjoint, statement->type, statement->width, lane);
    lanes[lane] = sum_but_for_zero(builder, old, more);
  }
  LLVMValueRef sum = nb_tangent_of_lanes(builder, statement->type, statement->width, lanes);
  nb_shadow_store(linear, builder, statement, addresses, sum);
}
