// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Floats whose halves or bytes are moved together, as lanes of narrower integers, are moved as a
 * whole: `_mm_shuffle_epi32` on doubles. Casts of casts become one. It is what LLVM's combiner does
 * in optimised code. */
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>

typedef struct Shuffle {
  NbContext *context;
  LLVMBuilderRef builder;
  LLVMValueRef inst;
  unsigned group; /* lanes that move together, a power of two */
} Shuffle;

static bool is_integer_vector(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
         LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind;
}

static LLVMValueRef without_casts(LLVMValueRef value) {
  while (LLVMIsABitCastInst(value))
    value = LLVMGetOperand(value, 0);
  return value;
}

/* How many lanes of the vector make one of what it was cast from. */
static unsigned lanes_in_source(const NbContext *context, LLVMValueRef vector) {
  LLVMTypeRef source = nb_scalar_type(LLVMTypeOf(without_casts(vector)));
  LLVMTypeRef lane = LLVMGetElementType(LLVMTypeOf(vector));
  LLVMTypeKind kind = LLVMGetTypeKind(source);
  if (kind != LLVMIntegerTypeKind && !nb_is_float_kind(kind))
    return 1;
  uint64_t size = LLVMSizeOfTypeInBits(context->layout, source);
  uint64_t width = LLVMSizeOfTypeInBits(context->layout, lane);
  return size % width == 0 ? (unsigned)(size / width) : 1;
}

/* The first lane of those that the group moves, as many as it has and in their order: a multiple of
 * their number; -1 where nobody asks for them, -2 where they do not move together. */
static int moved_group(LLVMValueRef inst, unsigned start, unsigned group) {
  int first = -1;
  for (unsigned i = 0; i < group; i++) {
    int lane = LLVMGetMaskValue(inst, start + i);
    if (lane < 0)
      continue;
    int begin = lane - (int)i;
    if (begin < 0 || begin % (int)group != 0 || (first >= 0 && begin != first))
      return -2;
    first = begin;
  }
  return first;
}

static bool moves_groups(const Shuffle *shuffle) {
  unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(shuffle->inst, 0)));
  unsigned count = LLVMGetNumMaskElements(shuffle->inst);
  if (lanes % shuffle->group || count % shuffle->group)
    return false;
  for (unsigned i = 0; i < count; i += shuffle->group)
    if (moved_group(shuffle->inst, i, shuffle->group) == -2)
      return false;
  return true;
}

/* The widest group that moves together and lies within one lane of what was shuffled. */
static bool find_group(Shuffle *shuffle) {
  if (!LLVMIsAShuffleVectorInst(shuffle->inst) || !is_integer_vector(LLVMTypeOf(shuffle->inst)))
    return false;
  unsigned group = 1;
  for (unsigned i = 0; i < 2; i++) {
    unsigned lanes = lanes_in_source(shuffle->context, LLVMGetOperand(shuffle->inst, i));
    group = lanes > group ? lanes : group;
  }
  for (shuffle->group = group; shuffle->group > 1; shuffle->group /= 2)
    if (shuffle->group % 2 == 0 && moves_groups(shuffle))
      return true;
  return false;
}

static LLVMValueRef widen_operand(const Shuffle *shuffle, unsigned index, LLVMTypeRef lane) {
  LLVMValueRef operand = LLVMGetOperand(shuffle->inst, index);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(operand)) / shuffle->group;
  return LLVMBuildBitCast(shuffle->builder, operand, LLVMVectorType(lane, count), "");
}

static LLVMValueRef widen(const Shuffle *shuffle) {
  LLVMContextRef llvm = shuffle->context->llvm;
  LLVMTypeRef narrow = LLVMGetElementType(LLVMTypeOf(shuffle->inst));
  LLVMTypeRef lane = LLVMIntTypeInContext(llvm, LLVMGetIntTypeWidth(narrow) * shuffle->group);
  LLVMTypeRef number = LLVMInt32TypeInContext(llvm);
  unsigned count = LLVMGetNumMaskElements(shuffle->inst) / shuffle->group;
  LLVMValueRef *mask = NB_NEW_ARRAY(shuffle->context->arena, LLVMValueRef, count);
  for (unsigned i = 0; i < count; i++) {
    int first = moved_group(shuffle->inst, i * shuffle->group, shuffle->group);
    mask[i] = first < 0 ? LLVMGetPoison(number)
                        : LLVMConstInt(number, (unsigned)first / shuffle->group, false);
  }
  LLVMValueRef a = widen_operand(shuffle, 0, lane);
  LLVMValueRef b = widen_operand(shuffle, 1, lane);
  LLVMValueRef wide =
      LLVMBuildShuffleVector(shuffle->builder, a, b, LLVMConstVector(mask, count), "");
  return LLVMBuildBitCast(shuffle->builder, wide, LLVMTypeOf(shuffle->inst), "");
}

/* What can stand in the instruction's place; NULL where it stays. */
static LLVMValueRef replacement(NbContext *context, LLVMBuilderRef builder, LLVMValueRef inst) {
  Shuffle shuffle = {.context = context, .builder = builder, .inst = inst};
  LLVMPositionBuilderBefore(builder, inst);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst));
  if (LLVMIsABitCastInst(inst) && LLVMIsABitCastInst(LLVMGetOperand(inst, 0)))
    return LLVMBuildBitCast(builder, without_casts(inst), LLVMTypeOf(inst), "");
  return find_group(&shuffle) ? widen(&shuffle) : NULL;
}

static bool rewrite(NbContext *context, LLVMBuilderRef builder, LLVMValueRef function) {
  bool changed = false;
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    LLVMValueRef value = replacement(context, builder, at);
    if (!value)
      continue;
    LLVMReplaceAllUsesWith(at, value);
    LLVMInstructionEraseFromParent(at);
    changed = true;
  }
  return changed;
}

bool nb_types_rewrite_shuffles(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  while (rewrite(context, builder, function))
    changed = true;
  LLVMDisposeBuilder(builder);
  return changed;
}
