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

static bool is_integer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind; }

static void follow_loads(NbMap *followed, LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user))
      nb_map_set(followed, user, user);
  }
}

/* Is what the user makes of an integer a number, too? */
static bool follow_use(NbMap *followed, LLVMValueRef user) {
  if (LLVMIsAStoreInst(user)) {
    LLVMValueRef variable = LLVMGetOperand(user, 1);
    bool simple = nb_is_simple_variable(variable, LLVMTypeOf(LLVMGetOperand(user, 0)));
    if (simple)
      follow_loads(followed, variable);
    return simple;
  }
  bool computed = LLVMIsABinaryOperator(user) || LLVMIsACastInst(user) || LLVMIsAPHINode(user) ||
                  LLVMIsASelectInst(user);
  if (!computed || !is_integer(LLVMTypeOf(user)))
    return LLVMIsASIToFPInst(user) || LLVMIsAUIToFPInst(user) || LLVMIsACmpInst(user) ||
           LLVMIsASwitchInst(user) || LLVMIsAGetElementPtrInst(user);
  nb_map_set(followed, user, user);
  return true;
}

/* Is the integer computed with and compared, and neither stored, but in variables of its own kind,
 * nor passed on? */
static bool stays_number(NbContext *context, LLVMValueRef integer) {
  NbMap *followed = nb_map_new(context->arena);
  nb_map_set(followed, integer, integer);
  for (unsigned i = 0; i < nb_map_count(followed) && i < MOST_FOLLOWED; i++) {
    LLVMValueRef value = (LLVMValueRef)nb_map_key(followed, i);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      if (!follow_use(followed, LLVMGetUser(use)))
        return false;
  }
  return nb_map_count(followed) <= MOST_FOLLOWED;
}

void nb_taken_note(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (LLVMIsALoadInst(at) && is_integer(LLVMTypeOf(at)) && is_taken(at) &&
        stays_number(context, at))
      nb_access_note_member(context, at);
}
