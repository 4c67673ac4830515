// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Lanes chosen by masks, `(m & a) | (~m & b)` on the bits of floats, become selects: what LLVM's
 * combiner does in optimised code. */
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>

enum { DEPTH = 4 };

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

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
  while (is_operation(value, LLVMXor) && is_all_ones(LLVMGetOperand(value, 1))) {
    mask.inverted = !mask.inverted;
    value = LLVMGetOperand(value, 0);
  }
  if (is_operation(value, LLVMSExt) && is_bit(LLVMTypeOf(LLVMGetOperand(value, 0))))
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
  for (unsigned i = 0; is_operation(and, LLVMAnd) && i < 2 && !masked.mask.condition; i++) {
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

/* The value of the type whose bits the integer is; NULL where it is no choice of such. */
static LLVMValueRef float_of(LLVMBuilderRef builder, LLVMValueRef bits, LLVMTypeRef type,
                             unsigned depth) {
  if (LLVMIsAConstant(bits) && LLVMIsNull(bits))
    return LLVMConstNull(type);
  if (is_operation(bits, LLVMBitCast) && LLVMTypeOf(LLVMGetOperand(bits, 0)) == type)
    return LLVMGetOperand(bits, 0);
  Masked first = masked_by(bits), second = {{NULL, false}, NULL};
  if (is_operation(bits, LLVMOr)) {
    first = masked_by(LLVMGetOperand(bits, 0));
    second = masked_by(LLVMGetOperand(bits, 1));
    if (!second.bits || first.mask.condition != second.mask.condition ||
        first.mask.inverted == second.mask.inverted)
      return NULL;
  }
  if (!first.mask.condition || !depth)
    return NULL;
  LLVMValueRef kept = float_of(builder, first.bits, type, depth - 1);
  LLVMValueRef other =
      second.bits ? float_of(builder, second.bits, type, depth - 1) : LLVMConstNull(type);
  return kept && other ? choose(builder, first.mask, kept, other) : NULL;
}

/* A cast of a choice of bits to floats. */
static bool casts_choice(LLVMValueRef value) {
  if (!is_operation(value, LLVMBitCast) || !nb_type_has_float(LLVMTypeOf(value)))
    return false;
  LLVMValueRef bits = LLVMGetOperand(value, 0);
  return is_operation(bits, LLVMAnd) || is_operation(bits, LLVMOr);
}

bool nb_types_rewrite_masks(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMValueRef at = nb_instruction_first(function);
  while (at) {
    LLVMValueRef next = nb_instruction_next(at);
    LLVMValueRef value = NULL;
    if (casts_choice(at)) {
      LLVMPositionBuilderBefore(builder, at);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
      value = float_of(builder, LLVMGetOperand(at, 0), LLVMTypeOf(at), DEPTH);
    }
    if (value) {
      LLVMReplaceAllUsesWith(at, value);
      LLVMInstructionEraseFromParent(at);
      changed = true;
    }
    at = next;
  }
  LLVMDisposeBuilder(builder);
  return changed;
}
