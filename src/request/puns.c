// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* That a member is declared to be an integer tells what lies there, unless the program copies the
 * bytes of a number there (`memcpy(&s.bits, &x, sizeof x)`), which C allows. Another function may
 * hand the struct on, and sees none of that: it would take the bits for an integer, and their
 * derivative would be lost. So such structs are looked for in the whole module, while addresses are
 * the front end's, and what declares their members is taken away: the name that says that a type is
 * a struct, and what says (TBAA) where an assignment has which member. */
#include "request/puns.h"

#include "bridge/bridge.h"
#include "objects/graph.h"
#include "request/layout.h"

#include <string.h>

enum { NARROWEST = 4, WIDEST = 256 };

/* A member, by the address of it. */
typedef struct Member {
  LLVMTypeRef whole; /* the struct that it is in; NULL: it is in none */
  LLVMTypeRef type;
} Member;

static Member member_at(LLVMValueRef pointer) {
  Member member = {NULL, NULL};
  while (LLVMIsAGetElementPtrInst(pointer) &&
         !nb_is_declared_struct(LLVMGetGEPSourceElementType(pointer)))
    pointer = LLVMGetOperand(pointer, 0);
  if (!LLVMIsAGetElementPtrInst(pointer))
    return member;
  member.type = LLVMGetGEPSourceElementType(pointer);
  for (int i = 2; i < LLVMGetNumOperands(pointer); i++) {
    LLVMValueRef index = LLVMGetOperand(pointer, (unsigned)i);
    bool structure = LLVMGetTypeKind(member.type) == LLVMStructTypeKind;
    member.whole = structure ? member.type : member.whole;
    member.type =
        structure ? LLVMStructGetTypeAtIndex(member.type, (unsigned)LLVMConstIntGetZExtValue(index))
                  : LLVMGetElementType(member.type);
  }
  return member;
}

static LLVMTypeRef element_of(LLVMTypeRef type) {
  while (type && LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return type;
}

static bool is_integer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind; }

/* What is declared to lie at the address; NULL where nothing says so. */
static LLVMTypeRef declared_at(LLVMValueRef pointer) {
  Member member = member_at(pointer);
  if (member.whole)
    return element_of(member.type);
  if (LLVMIsAAllocaInst(pointer))
    return element_of(LLVMGetAllocatedType(pointer));
  if (LLVMIsAGlobalVariable(pointer))
    return element_of(LLVMGlobalGetValueType(pointer));
  return NULL;
}

static void add(NbMap *punned, LLVMTypeRef whole) { nb_map_set(punned, whole, whole); }

/* Of what an unknown pointer leads to, as many bytes as the member has may be a number. */
static void look_at_copy(const NbContext *context, NbMap *punned, LLVMValueRef copy) {
  LLVMValueRef size = LLVMGetOperand(copy, 2);
  uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
  if (bytes < NARROWEST || bytes > WIDEST)
    return;
  for (unsigned i = 0; i < 2; i++) {
    Member member = member_at(LLVMGetOperand(copy, i));
    if (!member.whole || !is_integer(element_of(member.type)))
      continue;
    LLVMTypeRef other = declared_at(LLVMGetOperand(copy, 1 - i));
    bool scalar = is_integer(member.type) && nb_store_size(context, member.type) == bytes;
    if (other ? nb_type_has_float(other) : scalar)
      add(punned, member.whole);
  }
}

static void look_at_access(NbMap *punned, LLVMValueRef access) {
  bool store = LLVMIsAStoreInst(access) != NULL;
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access);
  Member member = member_at(LLVMGetOperand(access, store ? 1 : 0));
  if (member.whole && nb_is_float_kind(LLVMGetTypeKind(type)) &&
      is_integer(element_of(member.type)))
    add(punned, member.whole);
}

static NbMap *find_punned(const NbContext *context) {
  NbMap *punned = nb_map_new(context->arena);
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
      if (LLVMIsAMemCpyInst(at) || LLVMIsAMemMoveInst(at))
        look_at_copy(context, punned, at);
      else if (LLVMIsALoadInst(at) || LLVMIsAStoreInst(at))
        look_at_access(punned, at);
    }
  return punned;
}

/* Takes away what says where assignments of at least so many bytes have which member. */
static void forget_fields(const NbContext *context, uint64_t least) {
  unsigned kind =
      LLVMGetMDKindIDInContext(context->llvm, "tbaa.struct", (unsigned)strlen("tbaa.struct"));
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
      LLVMValueRef size = LLVMIsAMemCpyInst(at) ? LLVMGetOperand(at, 2) : NULL;
      if (size && LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) >= least)
        LLVMSetMetadata(at, kind, NULL);
    }
}

void nb_puns_note(NbContext *context) {
  NbMap *punned = find_punned(context);
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < nb_map_count(punned); i++) {
    LLVMTypeRef whole = (LLVMTypeRef)nb_map_key(punned, i);
    uint64_t size = LLVMABISizeOfType(context->layout, whole);
    const char *name = nb_arena_print(context->arena, "punned.%s", LLVMGetStructName(whole));
    nb_struct_rename(whole, name);
    least = size < least ? size : least;
  }
  if (nb_map_count(punned))
    forget_fields(context, least);
}
