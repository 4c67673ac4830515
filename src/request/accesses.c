// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Follows a pointer through a function, and through what that calls, as far as bodies are there. */
#include "request/accesses.h"

#include <string.h>

/* One pointer, and what becomes of it. */
typedef struct Search {
  NbMap *seen;
  NbFormatBehind *format;
  NbAccesses *accesses;
  bool deep; /* a pointer that was found in memory */
} Search;

enum { SUMS = 8 };

static bool is_kind(LLVMTypeRef type, LLVMTypeKind kind) { return LLVMGetTypeKind(type) == kind; }

static bool is_pointer(LLVMTypeRef type) { return is_kind(type, LLVMPointerTypeKind); }

static bool is_integer(LLVMTypeRef type) { return is_kind(type, LLVMIntegerTypeKind); }

static bool is_real(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

/* `value` plus or minus something; NULL where `user` is anything else. */
static LLVMValueRef sum_with(LLVMValueRef user, LLVMValueRef value) {
  enum { ADDEND = 2 };
  if (LLVMIsACallInst(user) && nb_call_multiplies_and_adds(user))
    return LLVMGetOperand(user, ADDEND) == value ? user : NULL;
  LLVMOpcode code = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMRet;
  bool first = code == LLVMFSub && LLVMGetOperand(user, 0) == value;
  return code == LLVMFAdd || first ? user : NULL;
}

/* Is the value only added to, and put back where it was? */
static bool is_sum_at(LLVMValueRef value, LLVMValueRef place, unsigned depth) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  bool only = use && depth;
  for (; only && use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use), sum = sum_with(user, value);
    bool back = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == place;
    only = back || (sum && is_sum_at(sum, place, depth - 1));
  }
  return only;
}

/* Does it begin with what was there? */
static bool begins_at(LLVMValueRef value, LLVMValueRef place, unsigned depth) {
  if (LLVMIsALoadInst(value))
    return LLVMGetOperand(value, 0) == place;
  bool found = false;
  for (int i = 0; depth && LLVMIsAInstruction(value) && i < LLVMGetNumOperands(value); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    found |= sum_with(value, operand) && begins_at(operand, place, depth - 1);
  }
  return found;
}

static void note_access(const Search *search, LLVMTypeRef type) {
  NbFormatBehind *format = search->format;
  if (search->deep)
    return;
  if (is_kind(type, LLVMVectorTypeKind))
    type = LLVMGetElementType(type);
  format->mixed |=
      (!is_real(type) && !is_integer(type)) || (format->number && format->number != type);
  format->number = type;
}

static NbChange *change_of(const Search *search) {
  return search->deep ? &search->accesses->behind : &search->accesses->here;
}

static void look_at_uses(Search *search, LLVMValueRef pointer);

static void look_at_variable(Search *search, LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
    if (LLVMIsALoadInst(LLVMGetUser(use)))
      look_at_uses(search, LLVMGetUser(use));
}

static void look_at_copy(const Search *search, LLVMValueRef copy, LLVMValueRef pointer) {
  NbChange *change = change_of(search);
  change->stored |= LLVMGetOperand(copy, 0) == pointer;
  change->moved = true;
}

static bool is_copy(LLVMValueRef call) {
  return LLVMIsAMemCpyInst(call) || LLVMIsAMemMoveInst(call) || LLVMIsAMemSetInst(call);
}

static void look_at_call(Search *search, LLVMValueRef call, LLVMValueRef pointer) {
  LLVMValueRef callee = nb_callee(call);
  if (is_copy(call)) {
    look_at_copy(search, call, pointer);
    return;
  }
  if (!callee || LLVMIsDeclaration(callee)) {
    search->accesses->unseen = true;
    return;
  }
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(callee); i++)
    if (LLVMGetOperand(call, i) == pointer)
      look_at_uses(search, LLVMGetParam(callee, i));
  if (is_pointer(LLVMTypeOf(call)))
    look_at_uses(search, call);
}

static void look_at_load(Search *search, LLVMValueRef load, LLVMValueRef pointer) {
  note_access(search, LLVMTypeOf(load));
  if (!is_pointer(LLVMTypeOf(load))) {
    change_of(search)->moved |= !is_sum_at(load, pointer, SUMS);
    return;
  }
  bool deep = search->deep;
  search->deep = true;
  look_at_uses(search, load);
  search->deep = deep;
}

static void look_at_store(Search *search, LLVMValueRef store, LLVMValueRef pointer) {
  LLVMValueRef value = LLVMGetOperand(store, 0), place = LLVMGetOperand(store, 1);
  NbChange *change = change_of(search);
  if (place == pointer) {
    note_access(search, LLVMTypeOf(value));
    change->stored = true;
    change->moved |= !begins_at(value, place, SUMS);
  } else if (LLVMIsAAllocaInst(place)) {
    look_at_variable(search, place);
  } else {
    search->accesses->unseen = true;
  }
}

static void look_at_use(Search *search, LLVMValueRef user, LLVMValueRef pointer) {
  if (LLVMIsALoadInst(user))
    look_at_load(search, user, pointer);
  else if (LLVMIsAStoreInst(user))
    look_at_store(search, user, pointer);
  else if (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user))
    look_at_call(search, user, pointer);
  else if (is_pointer(LLVMTypeOf(user)))
    look_at_uses(search, user);
}

static void look_at_uses(Search *search, LLVMValueRef pointer) {
  if (nb_map_has(search->seen, pointer))
    return;
  nb_map_set(search->seen, pointer, pointer);
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
    look_at_use(search, LLVMGetUser(use), pointer);
}

NbAccesses nb_accesses_behind(NbContext *context, LLVMValueRef pointer, NbFormatBehind *format) {
  NbAccesses accesses = {.unseen = false};
  Search search = {nb_map_new(context->arena), format, &accesses, false};
  look_at_uses(&search, pointer);
  return accesses;
}
