// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Floats that are cut out of a wider integer, and integers put together of their parts. */
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>

/* The integer that `cast`, from an integer to a float, takes its bits from by a truncation, and at
 * which bit; NULL where it does not. */
static LLVMValueRef lane_source(LLVMValueRef cast, uint64_t *bit) {
  LLVMValueRef cut = LLVMGetOperand(cast, 0);
  *bit = 0;
  if (!LLVMIsATruncInst(cut) ||
      !nb_is_float_kind(LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(cast)))))
    return NULL;
  LLVMValueRef wide = LLVMGetOperand(cut, 0);
  bool shifted = LLVMIsABinaryOperator(wide) && LLVMGetInstructionOpcode(wide) == LLVMLShr &&
                 LLVMIsAConstantInt(LLVMGetOperand(wide, 1));
  if (!shifted)
    return wide;
  *bit = LLVMConstIntGetZExtValue(LLVMGetOperand(wide, 1));
  return LLVMGetOperand(wide, 0);
}

bool nb_cut_feeds_float(LLVMValueRef cut) {
  uint64_t bit;
  for (LLVMUseRef use = LLVMGetFirstUse(cut); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsABitCastInst(user) && lane_source(user, &bit))
      return true;
  }
  return false;
}

/* Is the integer that is loaded also used as one, as a member of a union is? */
static bool is_also_used_whole(LLVMValueRef load) {
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsASIToFPInst(user) || LLVMIsAUIToFPInst(user) || LLVMIsAICmpInst(user))
      return true;
  }
  return false;
}

/* Then a float cut out of it is loaded by itself. */
static bool load_lane(LLVMBuilderRef builder, LLVMValueRef cast, LLVMValueRef load, uint64_t bit) {
  bool apart =
      LLVMIsALoadInst(load) && nb_access_is_plain(load) && !nb_tbaa_name(load) && bit % 8 == 0;
  if (!apart || !is_also_used_whole(load))
    return false;
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(cast)));
  LLVMPositionBuilderBefore(builder, load);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(load));
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(byte)), bit / 8, 0);
  LLVMValueRef place = LLVMBuildGEP2(builder, byte, LLVMGetOperand(load, 0), &offset, 1, "");
  LLVMValueRef lane = LLVMBuildLoad2(builder, LLVMTypeOf(cast), place, nb_name(cast));
  uint64_t align = LLVMGetAlignment(load);
  LLVMSetAlignment(lane, (unsigned)(bit ? nb_gcd(align, bit / 8) : align));
  LLVMReplaceAllUsesWith(cast, lane);
  return true;
}

/* Rewrites a float cut out of the bits of a vector of its kind into an extraction. */
static bool rewrite_lane(LLVMBuilderRef builder, LLVMValueRef cast) {
  uint64_t bit;
  LLVMValueRef source = LLVMIsABitCastInst(cast) ? lane_source(cast, &bit) : NULL;
  if (source && load_lane(builder, cast, source, bit))
    return true;
  if (!source || !LLVMIsABitCastInst(source))
    return false;
  LLVMValueRef vector = LLVMGetOperand(source, 0);
  LLVMTypeRef type = LLVMTypeOf(cast);
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(cast, 0)));
  bool lanes = LLVMGetTypeKind(LLVMTypeOf(vector)) == LLVMVectorTypeKind &&
               LLVMGetElementType(LLVMTypeOf(vector)) == type && bit % width == 0;
  if (!lanes)
    return false;
  LLVMPositionBuilderBefore(builder, cast);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(cast));
  LLVMTypeRef index = LLVMInt64TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef lane = LLVMConstInt(index, bit / width, false);
  LLVMReplaceAllUsesWith(cast, LLVMBuildExtractElement(builder, vector, lane, nb_name(cast)));
  return true;
}

/* --- Integers that are put together again of all their parts. ----------------------------------
 */

enum { WIDEST = 64, MOST_PARTS = 4 };

static uint64_t ones(unsigned count) {
  return count < WIDEST ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

static bool is_shifted(LLVMValueRef value, LLVMOpcode opcode, uint64_t by) {
  LLVMValueRef count = nb_is_operation(value, opcode) ? LLVMGetOperand(value, 1) : NULL;
  return count && LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == by;
}

/* Which bits of an integer, `*source`, the value has in their places, and no others: none where it
 * is not one's. */
static uint64_t bits_in_place(LLVMValueRef value, LLVMValueRef *source, unsigned depth) {
  bool up = nb_is_operation(value, LLVMShl) && LLVMIsAConstantInt(LLVMGetOperand(value, 1));
  uint64_t by = up ? LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) : 0;
  LLVMValueRef part = up ? LLVMGetOperand(value, 0) : value;
  if (nb_is_operation(value, LLVMOr) && depth) {
    LLVMValueRef other = NULL;
    uint64_t left = bits_in_place(LLVMGetOperand(value, 0), source, depth - 1);
    uint64_t right = bits_in_place(LLVMGetOperand(value, 1), &other, depth - 1);
    return left && right && *source == other ? left | right : 0;
  }
  LLVMValueRef cut = LLVMIsAZExtInst(part) ? LLVMGetOperand(part, 0) : NULL;
  if (!cut || !LLVMIsATruncInst(cut) || by >= WIDEST)
    return 0;
  *source = LLVMGetOperand(cut, 0);
  if (by && !is_shifted(*source, LLVMLShr, by))
    return 0;
  *source = by ? LLVMGetOperand(*source, 0) : *source;
  return LLVMTypeOf(*source) == LLVMTypeOf(value) ? ones(LLVMGetIntTypeWidth(LLVMTypeOf(cut))) << by
                                                  : 0;
}

static LLVMValueRef whole_of(NbContext *context, LLVMBuilderRef builder, LLVMValueRef value) {
  (void)context;
  (void)builder;
  LLVMTypeRef type = LLVMTypeOf(value);
  bool joined = nb_is_operation(value, LLVMOr) && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
                LLVMGetIntTypeWidth(type) <= WIDEST;
  LLVMValueRef source = NULL;
  uint64_t bits = joined ? bits_in_place(value, &source, MOST_PARTS) : 0;
  return bits && (bits & ones(LLVMGetIntTypeWidth(type))) == ones(LLVMGetIntTypeWidth(type))
             ? source
             : NULL;
}

bool nb_types_rejoin(NbContext *context, LLVMValueRef function) {
  return nb_types_replace_each(context, function, whole_of);
}

bool nb_types_rewrite_cuts(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMValueRef at = nb_instruction_first(function);
  while (at) {
    LLVMValueRef next = nb_instruction_next(at);
    if (rewrite_lane(builder, at)) {
      LLVMInstructionEraseFromParent(at);
      changed = true;
    }
    at = next;
  }
  LLVMDisposeBuilder(builder);
  return changed;
}
