// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers and integers that are only moved. What the optimiser makes of a copy of eight bytes, or
 * of a variable that was one of several types, is often a load and a store of a pointer, whatever
 * the bytes are; programs exchange what has any type word by word. */
#include "types/facts.h"

/* --- Bits of numbers. --------------------------------------------------------------------------
 */

static bool is_cast_of_float(LLVMValueRef cast) {
  LLVMValueRef moved = LLVMIsABitCastInst(cast) ? LLVMGetOperand(cast, 0) : NULL;
  bool either = LLVMIsABitCastInst(cast) && nb_access_is_either(cast);
  if (!moved || either || (LLVMIsAInstruction(moved) && nb_access_is_either(moved)))
    return false;
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(cast, 0)), to = LLVMTypeOf(cast);
  return nb_is_float_kind(LLVMGetTypeKind(nb_scalar_type(from))) !=
         nb_is_float_kind(LLVMGetTypeKind(nb_scalar_type(to)));
}

static bool is_cast_to_float(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (is_cast_of_float(LLVMGetUser(use)))
      return true;
  return false;
}

static void enter_joined(NbMoved *moved, LLVMValueRef value) {
  for (unsigned i = 0; i < moved->count; i++)
    if (moved->items[i] == value)
      return;
  if (!LLVMIsAConstant(value) && moved->count < NB_MOST_MOVED)
    moved->items[moved->count++] = value;
}

/* Is the integer computed with, or compared? The optimiser makes one load of those of several
 * members of a union. */
static bool is_computed_with(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsABinaryOperator(user) || LLVMIsACmpInst(user) || LLVMIsASIToFPInst(user) ||
        LLVMIsAUIToFPInst(user))
      return true;
  }
  return false;
}

bool nb_value_is_bits(LLVMValueRef first) {
  NbMoved moved = {.count = 0};
  bool found = false;
  LLVMTypeKind kind = LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(first)));
  if (kind != LLVMIntegerTypeKind)
    return false;
  enter_joined(&moved, first);
  for (unsigned i = 0; i < moved.count; i++) {
    LLVMValueRef value = moved.items[i];
    found |= is_cast_of_float(value) || is_cast_to_float(value);
    if (is_computed_with(value))
      return false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      if (nb_value_joins(LLVMGetUser(use)) && LLVMTypeOf(LLVMGetUser(use)) == LLVMTypeOf(value))
        enter_joined(&moved, LLVMGetUser(use));
    for (int k = LLVMIsASelectInst(value) ? 1 : 0;
         nb_value_joins(value) && k < LLVMGetNumOperands(value); k++)
      enter_joined(&moved, LLVMGetOperand(value, (unsigned)k));
  }
  return found;
}

/* --- Pointers that go on. --------------------------------------------------------------------- */

enum { MOST_FOLLOWED = 6 };

static bool is_kept(NbContext *context, LLVMValueRef pointer, unsigned depth);

static bool is_kept_argument(NbContext *context, LLVMValueRef call, unsigned index,
                             unsigned depth) {
  if (nb_call_promised_bytes(call, index))
    return false;
  NbCall what = nb_call_of(context, call);
  switch (what.kind) {
  case NB_CALL_BODY:
    return index >= LLVMCountParams(what.callee) ||
           (depth && is_kept(context, LLVMGetParam(what.callee, index), depth - 1));
  case NB_CALL_ROW:
    return what.rule->returns == index;
  case NB_CALL_COPY:
  case NB_CALL_FILL:
    return nb_type_has_pointer(LLVMTypeOf(call));
  case NB_CALL_HARMLESS:
    return false;
  default:
    return !nb_call_only_looks(context, call);
  }
}

bool nb_pointer_is_kept_by(NbContext *context, LLVMValueRef call, unsigned index) {
  return !nb_memory_nocapture(call, index) && is_kept_argument(context, call, index, MOST_FOLLOWED);
}

static bool is_kept_by_call(NbContext *context, LLVMUseRef use, unsigned depth) {
  LLVMValueRef call = LLVMGetUser(use);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == LLVMGetUsedValue(use) && !nb_memory_nocapture(call, i) &&
        is_kept_argument(context, call, i, depth))
      return true;
  return false;
}

/* Is it stored in a variable that is nothing but loaded and stored, and kept by who loads it? So
 * are arguments where nothing is optimised. */
static bool is_kept_in_variable(NbContext *context, LLVMValueRef store, unsigned depth) {
  LLVMValueRef variable = LLVMGetOperand(store, 1);
  if (!LLVMIsAAllocaInst(variable))
    return true;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable;
    bool loaded = LLVMIsALoadInst(user) != NULL;
    if ((!stored && !loaded) || (loaded && is_kept(context, user, depth - 1)))
      return true;
  }
  return false;
}

static bool is_kept_by(NbContext *context, LLVMUseRef use, unsigned depth) {
  LLVMValueRef pointer = LLVMGetUsedValue(use), user = LLVMGetUser(use);
  if (nb_is_call(user))
    return is_kept_by_call(context, use, depth);
  if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer)
    return is_kept_in_variable(context, user, depth);
  if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user) || LLVMIsAICmpInst(user))
    return false;
  bool moved = nb_value_joins(user) || LLVMIsAGetElementPtrInst(user);
  return !moved || is_kept(context, user, depth - 1);
}

static bool is_kept(NbContext *context, LLVMValueRef pointer, unsigned depth) {
  bool kept = !depth;
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && !kept; use = LLVMGetNextUse(use))
    kept = is_kept_by(context, use, depth);
  return kept;
}

bool nb_pointer_is_kept(NbContext *context, LLVMValueRef pointer) {
  return is_kept(context, pointer, MOST_FOLLOWED);
}

static bool only_moves(LLVMValueRef pointer, unsigned depth);

static bool is_moved_by_call(LLVMUseRef use, unsigned depth) {
  LLVMValueRef call = LLVMGetUser(use), callee = nb_callee(call);
  bool body = callee && LLVMGetFirstBasicBlock(callee);
  for (unsigned i = 0; body && i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == LLVMGetUsedValue(use) &&
        (i >= LLVMCountParams(callee) || !depth || !only_moves(LLVMGetParam(callee, i), depth - 1)))
      return false;
  return body;
}

static bool only_moves(LLVMValueRef pointer, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer;
    if (!stored && !LLVMIsAReturnInst(user) && !(nb_is_call(user) && is_moved_by_call(use, depth)))
      return false;
  }
  return LLVMGetFirstUse(pointer) != NULL;
}

bool nb_pointer_is_moved(LLVMValueRef pointer) {
  bool given = LLVMIsALoadInst(pointer) != NULL;
  return nb_value_is_moved(pointer) || (given && only_moves(pointer, MOST_FOLLOWED));
}
