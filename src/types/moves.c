// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers that are only moved. What the optimiser makes of a copy of eight bytes, or of a variable
 * that was one of several types, is often a load and a store of a pointer, whatever the bytes are.
 */
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

static Moved joined_with(LLVMValueRef pointer) {
  Moved moved = {.count = 0};
  enter(&moved, pointer);
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

bool nb_pointer_is_moved(LLVMValueRef pointer) { return !joined_with(pointer).failed; }

NbList nb_pointer_sources(NbTypes *types, LLVMValueRef pointer) {
  Moved moved = joined_with(pointer);
  NbList sources = nb_list(types->arena);
  for (unsigned i = 0; i < moved.count && !moved.failed; i++) {
    LLVMValueRef load = moved.items[i];
    if (LLVMIsALoadInst(load) && !nb_tbaa_name(load) &&
        nb_types_holds(types, LLVMGetOperand(load, 0),
                       nb_store_size(types->context, LLVMTypeOf(load)), NB_KIND_FLOAT))
      nb_list_push(&sources, load);
  }
  return sources;
}
