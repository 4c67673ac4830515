// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Lanes chosen by masks, `(m & a) | (~m & b)` on the bits of floats, become selects: what LLVM's
 * combiner does in optimised code. So do lanes whose signs a constant mask changes. */
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>

enum { DEPTH = 4 };

typedef struct Rewrite {
  NbContext *context;
  LLVMBuilderRef builder;
  LLVMTypeRef type; /* of the floats */
} Rewrite;

static bool is_bit(LLVMTypeRef type) {
  type = nb_scalar_type(type);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static bool is_all_ones(LLVMValueRef value) {
  return LLVMIsAConstant(value) && value == LLVMConstAllOnes(LLVMTypeOf(value));
}

/* A choice between all bits of a lane and none: all where the condition holds, or where it does
 * not. */
typedef struct Mask {
  LLVMValueRef condition; /* NULL: it is none */
  bool inverted;
} Mask;

static Mask mask_of(LLVMValueRef value) {
  Mask mask = {NULL, false};
  while (nb_is_operation(value, LLVMXor) && is_all_ones(LLVMGetOperand(value, 1))) {
    mask.inverted = !mask.inverted;
    value = LLVMGetOperand(value, 0);
  }
  if (nb_is_operation(value, LLVMSExt) && is_bit(LLVMTypeOf(LLVMGetOperand(value, 0))))
    mask.condition = LLVMGetOperand(value, 0);
  return mask;
}

/* What a mask leaves of an integer. */
typedef struct Masked {
  Mask mask; /* without condition: it is no such thing */
  LLVMValueRef bits;
} Masked;

static Masked masked_by(LLVMValueRef and) {
  Masked masked = {{NULL, false}, NULL};
  for (unsigned i = 0; nb_is_operation(and, LLVMAnd) && i < 2 && !masked.mask.condition; i++) {
    masked.mask = mask_of(LLVMGetOperand(and, i));
    masked.bits = LLVMGetOperand(and, 1 - i);
  }
  return masked;
}

static LLVMValueRef choose(LLVMBuilderRef builder, Mask mask, LLVMValueRef kept,
                           LLVMValueRef other) {
  return mask.inverted ? LLVMBuildSelect(builder, mask.condition, other, kept, "")
                       : LLVMBuildSelect(builder, mask.condition, kept, other, "");
}

static LLVMValueRef float_of(const Rewrite *rewrite, LLVMValueRef bits, unsigned depth);

/* --- Signs, lane by lane. ----------------------------------------------------------------------
 */

typedef enum { LANE_KEPT, LANE_FLIPPED, LANE_CLEARED, LANE_SET, LANE_ZERO, LANE_OTHER } Change;

/* What the operation with the constant makes of the bits of a float. */
static Change change_of(LLVMOpcode opcode, LLVMValueRef constant) {
  if (!constant || !LLVMIsAConstantInt(constant) || LLVMGetIntTypeWidth(LLVMTypeOf(constant)) > 64)
    return LANE_OTHER;
  uint64_t sign = UINT64_C(1) << (LLVMGetIntTypeWidth(LLVMTypeOf(constant)) - 1);
  uint64_t bits = LLVMConstIntGetZExtValue(constant), rest = sign - 1;
  if (opcode == LLVMAnd && bits == 0)
    return LANE_ZERO;
  if (opcode == LLVMAnd)
    return bits == (sign | rest) ? LANE_KEPT : bits == rest ? LANE_CLEARED : LANE_OTHER;
  if (bits == 0)
    return LANE_KEPT;
  Change change = opcode == LLVMXor ? LANE_FLIPPED : LANE_SET;
  return bits == sign ? change : LANE_OTHER;
}

static LLVMValueRef build_change(const Rewrite *rewrite, LLVMValueRef value, Change change) {
  if (change == LANE_ZERO)
    return LLVMConstNull(rewrite->type);
  NbSignChange sign = change == LANE_FLIPPED   ? NB_SIGN_FLIPPED
                      : change == LANE_CLEARED ? NB_SIGN_CLEARED
                                               : NB_SIGN_SET;
  return nb_sign_change_build(rewrite->context, rewrite->builder, sign, value);
}

/* Is it a vector of integers with a lane for each float? */
static bool is_lane_by_lane(const Rewrite *rewrite, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
      LLVMGetTypeKind(rewrite->type) != LLVMVectorTypeKind)
    return false;
  return LLVMGetVectorSize(type) == LLVMGetVectorSize(rewrite->type);
}

/* The floats, in the lanes of which the constant changes the sign; of one kind of change. */
static LLVMValueRef changed_lanes(const Rewrite *rewrite, LLVMValueRef bits, LLVMValueRef constant,
                                  LLVMValueRef floats) {
  unsigned count = LLVMGetVectorSize(rewrite->type);
  LLVMTypeRef bit = LLVMInt1TypeInContext(rewrite->context->llvm);
  LLVMValueRef *kept = NB_NEW_ARRAY(rewrite->context->arena, LLVMValueRef, count);
  Change all = LANE_KEPT;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef lane = LLVMGetAggregateElement(constant, i);
    Change change = change_of(LLVMGetInstructionOpcode(bits), lane);
    if (change == LANE_OTHER || (change && all && change != all))
      return NULL;
    all = change ? change : all;
    kept[i] = LLVMConstInt(bit, !change, false);
  }
  if (!all)
    return floats;
  LLVMValueRef changed = build_change(rewrite, floats, all);
  LLVMValueRef where = LLVMConstVector(kept, count);
  return LLVMBuildSelect(rewrite->builder, where, floats, changed, "");
}

static LLVMValueRef with_signs(const Rewrite *rewrite, LLVMValueRef bits, unsigned depth) {
  bool changes = nb_is_operation(bits, LLVMXor) || nb_is_operation(bits, LLVMAnd) ||
                 nb_is_operation(bits, LLVMOr);
  if (!changes || !depth || !is_lane_by_lane(rewrite, LLVMTypeOf(bits)))
    return NULL;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef constant = LLVMGetOperand(bits, i);
    bool vector = LLVMIsAConstant(constant) && !LLVMIsAConstantExpr(constant);
    LLVMValueRef floats = vector ? float_of(rewrite, LLVMGetOperand(bits, 1 - i), depth - 1) : NULL;
    if (floats)
      return changed_lanes(rewrite, bits, constant, floats);
  }
  return NULL;
}

/* --- Choices. ----------------------------------------------------------------------------------
 */

static LLVMValueRef chosen(const Rewrite *rewrite, LLVMValueRef bits, unsigned depth) {
  Masked first = masked_by(bits), second = {{NULL, false}, NULL};
  if (nb_is_operation(bits, LLVMOr)) {
    first = masked_by(LLVMGetOperand(bits, 0));
    second = masked_by(LLVMGetOperand(bits, 1));
    if (!second.bits || first.mask.condition != second.mask.condition ||
        first.mask.inverted == second.mask.inverted)
      return NULL;
  }
  if (!first.mask.condition || !depth)
    return NULL;
  LLVMValueRef kept = float_of(rewrite, first.bits, depth - 1);
  LLVMValueRef other =
      second.bits ? float_of(rewrite, second.bits, depth - 1) : LLVMConstNull(rewrite->type);
  return kept && other ? choose(rewrite->builder, first.mask, kept, other) : NULL;
}

/* The value of the type whose bits the integer is; NULL where it is no choice of such. */
static LLVMValueRef float_of(const Rewrite *rewrite, LLVMValueRef bits, unsigned depth) {
  if (LLVMIsAConstant(bits) && LLVMIsNull(bits))
    return LLVMConstNull(rewrite->type);
  if (nb_is_operation(bits, LLVMBitCast) && LLVMTypeOf(LLVMGetOperand(bits, 0)) == rewrite->type)
    return LLVMGetOperand(bits, 0);
  LLVMValueRef value = chosen(rewrite, bits, depth);
  return value ? value : with_signs(rewrite, bits, depth);
}

/* A cast of a choice of bits to floats. */
static bool casts_choice(LLVMValueRef value) {
  if (!nb_is_operation(value, LLVMBitCast) || !nb_type_has_float(LLVMTypeOf(value)))
    return false;
  LLVMValueRef bits = LLVMGetOperand(value, 0);
  return nb_is_operation(bits, LLVMAnd) || nb_is_operation(bits, LLVMOr) ||
         nb_is_operation(bits, LLVMXor);
}

static LLVMValueRef choice_of(NbContext *context, LLVMBuilderRef builder, LLVMValueRef at) {
  if (!casts_choice(at))
    return NULL;
  LLVMPositionBuilderBefore(builder, at);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
  Rewrite rewrite = {context, builder, LLVMTypeOf(at)};
  return float_of(&rewrite, LLVMGetOperand(at, 0), DEPTH);
}

bool nb_types_rewrite_masks(NbContext *context, LLVMValueRef function) {
  return nb_types_replace_each(context, function, choice_of);
}

bool nb_types_replace_each(NbContext *context, LLVMValueRef function, NbReplacement replacement) {
  bool changed = false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    LLVMValueRef value = replacement(context, builder, at);
    if (!value)
      continue;
    LLVMReplaceAllUsesWith(at, value);
    LLVMInstructionEraseFromParent(at);
    changed = true;
  }
  LLVMDisposeBuilder(builder);
  return changed;
}
