// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Floats whose halves or bytes are moved together, as lanes of narrower integers, are moved as a
 * whole: `_mm_shuffle_epi32` on doubles. Casts of casts become one. It is what LLVM's combiner does
 * in optimised code, where it does not give up. */
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

/* How many lanes of a vector of the one type make a lane of the other. */
static unsigned lanes_within(const NbContext *context, LLVMTypeRef vector, LLVMTypeRef other) {
  LLVMTypeRef lane = nb_scalar_type(other);
  LLVMTypeKind kind = LLVMGetTypeKind(lane);
  if (kind != LLVMIntegerTypeKind && !nb_is_float_kind(kind))
    return 1;
  uint64_t size = LLVMSizeOfTypeInBits(context->layout, lane);
  uint64_t width = LLVMSizeOfTypeInBits(context->layout, LLVMGetElementType(vector));
  return size % width == 0 ? (unsigned)(size / width) : 1;
}

/* How many make one of what the vector was cast from, or is cast to. */
static unsigned lanes_in_casts(const NbContext *context, LLVMValueRef vector) {
  LLVMTypeRef type = LLVMTypeOf(vector);
  unsigned most = lanes_within(context, type, LLVMTypeOf(without_casts(vector)));
  for (LLVMUseRef use = LLVMGetFirstUse(vector); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    unsigned lanes = LLVMIsABitCastInst(user) ? lanes_within(context, type, LLVMTypeOf(user)) : 1;
    most = lanes > most ? lanes : most;
  }
  return most;
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
  unsigned group = lanes_in_casts(shuffle->context, shuffle->inst);
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef operand = LLVMGetOperand(shuffle->inst, i);
    LLVMTypeRef source = LLVMTypeOf(without_casts(operand));
    unsigned lanes = lanes_within(shuffle->context, LLVMTypeOf(operand), source);
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

/* The one type that all users of what is loaded cast it to; NULL where there is none. */
static LLVMTypeRef cast_type(LLVMValueRef load) {
  LLVMTypeRef type = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsABitCastInst(user) || (type && LLVMTypeOf(user) != type))
      return NULL;
    type = LLVMTypeOf(user);
  }
  return type;
}

/* Integers that are loaded as such only to be cast, whatever their tag says of them. */
static LLVMValueRef load_cast(LLVMBuilderRef builder, LLVMValueRef load) {
  LLVMTypeRef type = is_integer_vector(LLVMTypeOf(load)) ? cast_type(load) : NULL;
  bool plain = nb_access_is_plain(load);
  if (!type || !plain)
    return NULL;
  LLVMValueRef fresh = LLVMBuildLoad2(builder, type, LLVMGetOperand(load, 0), nb_name(load));
  LLVMSetAlignment(fresh, LLVMGetAlignment(load));
  return LLVMBuildBitCast(builder, fresh, LLVMTypeOf(load), "");
}

/* What can stand in the instruction's place; NULL where it stays. */
static LLVMValueRef replacement(NbContext *context, LLVMBuilderRef builder, LLVMValueRef inst) {
  Shuffle shuffle = {.context = context, .builder = builder, .inst = inst};
  LLVMPositionBuilderBefore(builder, inst);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst));
  if (LLVMIsABitCastInst(inst) && LLVMIsABitCastInst(LLVMGetOperand(inst, 0)))
    return LLVMBuildBitCast(builder, without_casts(inst), LLVMTypeOf(inst), "");
  if (LLVMIsALoadInst(inst))
    return load_cast(builder, inst);
  return find_group(&shuffle) ? widen(&shuffle) : NULL;
}

static bool rewrite(NbContext *context, LLVMBuilderRef builder, LLVMValueRef function) {
  bool changed = false;
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    bool dead = LLVMIsABitCastInst(at) && !LLVMGetFirstUse(at);
    LLVMValueRef value = dead ? NULL : replacement(context, builder, at);
    if (!value && !dead)
      continue;
    if (value)
      LLVMReplaceAllUsesWith(at, value);
    LLVMInstructionEraseFromParent(at);
    changed = true;
  }
  return changed;
}

/* The pointer whose bits are the number; NULL where it is not made so. */
static LLVMValueRef pointer_in(LLVMValueRef number) {
  LLVMValueRef bits = LLVMIsABitCastInst(number) ? LLVMGetOperand(number, 0) : NULL;
  bool whole = bits && LLVMIsAPtrToIntInst(bits) && nb_type_has_float(LLVMTypeOf(number)) &&
               LLVMGetTypeKind(LLVMTypeOf(bits)) == LLVMIntegerTypeKind &&
               LLVMGetIntTypeWidth(LLVMTypeOf(bits)) == 64;
  return whole ? LLVMGetOperand(bits, 0) : NULL;
}

/* What is stored as a number that is made of a pointer becomes that pointer. */
static bool store_pointers(LLVMBuilderRef builder, LLVMValueRef function) {
  bool changed = false;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef pointer = LLVMIsAStoreInst(at) ? pointer_in(LLVMGetOperand(at, 0)) : NULL;
    if (!pointer || !nb_access_is_plain(at))
      continue;
    LLVMPositionBuilderBefore(builder, at);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
    LLVMValueRef made = LLVMBuildStore(builder, pointer, LLVMGetOperand(at, 1));
    LLVMSetAlignment(made, LLVMGetAlignment(at));
    LLVMValueRef number = LLVMGetOperand(at, 0), bits = LLVMGetOperand(number, 0);
    LLVMInstructionEraseFromParent(at);
    if (!LLVMGetFirstUse(number))
      LLVMInstructionEraseFromParent(number);
    if (!LLVMGetFirstUse(bits))
      LLVMInstructionEraseFromParent(bits);
    changed = true;
    at = made;
  }
  return changed;
}

bool nb_types_rewrite_shuffles(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  while (rewrite(context, builder, function))
    changed = true;
  changed = store_pointers(builder, function) || changed;
  LLVMDisposeBuilder(builder);
  return changed;
}
