// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers and integers that are only moved. What the optimiser makes of a copy of eight bytes, or
 * of a variable that was one of several types, is often a load and a store of a pointer, whatever
 * the bytes are; programs exchange what has any type word by word. */
#include "types/facts.h"

enum { MOST_MOVED = 64 };

static bool joins(LLVMValueRef value) {
  return LLVMIsAPHINode(value) || LLVMIsASelectInst(value) || LLVMIsAFreezeInst(value);
}

/* Values that are joined by moves. */
typedef struct Moved {
  LLVMValueRef items[MOST_MOVED];
  unsigned count;
  bool failed;
} Moved;

static void enter(Moved *moved, LLVMValueRef value) {
  if (LLVMIsNull(value) || LLVMIsUndef(value))
    return;
  for (unsigned i = 0; i < moved->count; i++)
    if (moved->items[i] == value)
      return;
  bool made = LLVMIsALoadInst(value) || joins(value);
  moved->failed |= !made || moved->count == MOST_MOVED;
  if (!moved->failed)
    moved->items[moved->count++] = value;
}

static void visit_use(Moved *moved, LLVMUseRef use) {
  LLVMValueRef user = LLVMGetUser(use);
  LLVMValueRef value = LLVMGetUsedValue(use);
  if (joins(user))
    enter(moved, user);
  else if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != value)
    moved->failed = true;
}

static Moved joined_with(LLVMValueRef first) {
  Moved moved = {.count = 0};
  enter(&moved, first);
  for (unsigned i = 0; i < moved.count && !moved.failed; i++) {
    LLVMValueRef value = moved.items[i];
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      visit_use(&moved, use);
    for (int k = LLVMIsASelectInst(value) ? 1 : 0; joins(value) && k < LLVMGetNumOperands(value);
         k++)
      enter(&moved, LLVMGetOperand(value, (unsigned)k));
  }
  return moved;
}

bool nb_value_is_moved(LLVMValueRef value) { return !joined_with(value).failed; }

/* --- Pointers that go on. --------------------------------------------------------------------- */

enum { MOST_FOLLOWED = 6 };

static bool is_kept(NbContext *context, LLVMValueRef pointer, unsigned depth);

static bool is_kept_argument(NbContext *context, LLVMValueRef call, unsigned index,
                             unsigned depth) {
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

static bool is_kept(NbContext *context, LLVMValueRef pointer, unsigned depth) {
  if (!depth)
    return true;
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool accessed =
        LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer);
    bool moved = joins(user) || LLVMIsAGetElementPtrInst(user);
    bool kept = nb_is_call(user) ? is_kept_by_call(context, use, depth)
                                 : !accessed && !LLVMIsAICmpInst(user) &&
                                       (!moved || is_kept(context, user, depth - 1));
    if (kept)
      return true;
  }
  return false;
}

bool nb_pointer_is_kept(NbContext *context, LLVMValueRef pointer) {
  return is_kept(context, pointer, MOST_FOLLOWED);
}
