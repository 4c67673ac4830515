// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers that `va_arg` takes: it promises that they are of the type that was passed. The front
 * end loads them from where a member of the list says (System V's ABI, x86-64, 3.5.7): registers on
 * one way, memory on the other. A struct it copies as a whole, without such a load.
 *
 * The bits of a number may be passed as an integer, too. So only what is computed with and goes
 * nowhere else is noted. */
#include "objects/graph.h"

#include <string.h>

#define LIST_STRUCT "struct.__va_list_tag"
enum { MOST_FOLLOWED = 64 };

/* Is the address what a member of a list says, or is a number added to that? */
static bool is_said_by_list(LLVMValueRef address) {
  if (LLVMIsAGetElementPtrInst(address))
    address = LLVMGetOperand(address, 0);
  LLVMValueRef member = LLVMIsALoadInst(address) ? LLVMGetOperand(address, 0) : NULL;
  if (!member || !LLVMIsAGetElementPtrInst(member))
    return false;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(member);
  bool named = LLVMGetTypeKind(type) == LLVMStructTypeKind && !LLVMIsLiteralStruct(type);
  const char *name = named ? LLVMGetStructName(type) : NULL;
  return name && strcmp(name, LIST_STRUCT) == 0;
}

static bool is_taken(LLVMValueRef load) {
  LLVMValueRef address = LLVMGetOperand(load, 0);
  unsigned count = LLVMIsAPHINode(address) ? LLVMCountIncoming(address) : 0;
  for (unsigned i = 0; i < count; i++)
    if (!is_said_by_list(LLVMGetIncomingValue(address, i)))
      return false;
  return count == 2;
}

/* Integers, and variables that hold them, in the order in which they are found. */
typedef struct Followed {
  LLVMValueRef items[MOST_FOLLOWED];
  unsigned count;
} Followed;

static bool follow(Followed *followed, LLVMValueRef value) {
  for (unsigned i = 0; i < followed->count; i++)
    if (followed->items[i] == value)
      return true;
  if (followed->count == MOST_FOLLOWED)
    return false;
  followed->items[followed->count++] = value;
  return true;
}

static bool ends_here(LLVMValueRef user) {
  return LLVMIsASIToFPInst(user) || LLVMIsAUIToFPInst(user) || LLVMIsACmpInst(user) ||
         LLVMIsASwitchInst(user);
}

static bool is_integer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind; }

/* Is what the user makes of it a number, too? */
static bool follow_use(Followed *followed, LLVMValueRef value, LLVMValueRef user) {
  bool variable = LLVMIsAAllocaInst(value) != NULL;
  bool index = LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) != value;
  if (ends_here(user) || (index && !variable))
    return true;
  if (LLVMIsAStoreInst(user)) {
    LLVMValueRef to = LLVMGetOperand(user, 1);
    bool whole =
        LLVMIsAAllocaInst(to) && LLVMGetAllocatedType(to) == LLVMTypeOf(LLVMGetOperand(user, 0));
    return whole && is_integer(LLVMGetAllocatedType(to)) && (variable || follow(followed, to));
  }
  if (LLVMIsALoadInst(user))
    return variable && LLVMTypeOf(user) == LLVMGetAllocatedType(value) && follow(followed, user);
  bool computed = LLVMIsABinaryOperator(user) || LLVMIsACastInst(user) || LLVMIsAPHINode(user) ||
                  LLVMIsASelectInst(user);
  return computed && !variable && is_integer(LLVMTypeOf(user)) && follow(followed, user);
}

/* Is the integer computed with and compared, and neither stored, but in variables of its own kind,
 * nor passed on? */
static bool stays_number(LLVMValueRef integer) {
  Followed followed = {.count = 0};
  follow(&followed, integer);
  for (unsigned i = 0; i < followed.count; i++) {
    LLVMValueRef value = followed.items[i];
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      if (!follow_use(&followed, value, LLVMGetUser(use)))
        return false;
  }
  return true;
}

void nb_taken_note(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (LLVMIsALoadInst(at) && is_integer(LLVMTypeOf(at)) && is_taken(at) && stays_number(at))
      nb_access_note_member(context, at);
}
