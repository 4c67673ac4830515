// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* clang reads and writes the integer that holds bit-fields without saying what it is (TBAA), and
 * the fields of a struct with a flexible array without saying that they are fields; and the
 * optimiser drops the struct's type from the address. That it is a struct's integer is noted now,
 * at the access; and so for pointers, since without TBAA nothing tells them from a union's. A
 * struct in a union shares its place with other things. */
#include "base/names.h"
#include "objects/graph.h"
#include "objects/words.h"

enum { MOST_SHIFTED = 12, LARGEST_UNIT = 4096 };

/* What the indices of the gep lead to; NULL where it does not begin at a struct. */
static LLVMTypeRef type_in_struct(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int count = LLVMGetNumOperands(gep);
  if (!nb_is_declared_struct(type))
    return NULL;
  for (int i = 2; i < count; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    type = structure ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                     : LLVMGetElementType(type);
  }
  return type;
}

/* What the front end says that a pointer made by `gep` points to; NULL where it says nothing. The
 * elements of an array that is a member are what it says, too; bytes may be those of anything. */
static LLVMTypeRef type_behind_gep(LLVMValueRef gep) {
  LLVMTypeRef array = LLVMGetGEPSourceElementType(gep);
  if (LLVMGetTypeKind(array) != LLVMArrayTypeKind)
    return type_in_struct(gep);
  LLVMValueRef base = LLVMGetOperand(gep, 0);
  if (!LLVMIsAGetElementPtrInst(base) || LLVMGetNumOperands(gep) != 3 ||
      type_behind_gep(base) != array)
    return NULL;
  return LLVMGetElementType(array);
}

/* What is known of a function's pointers, each of which many accesses may go through. */
typedef struct Declared {
  NbContext *context;
  NbArena *arena;
  NbMap *used;      /* pointer -> Known: what its own uses take it to point to */
  NbMap *variables; /* local variable -> Known, a list: the same of pointers that it holds */
} Declared;

typedef struct Known {
  LLVMTypeRef before, type; /* joined with `before`, it is `type` */
  struct Known *next;
} Known;

static Known *know(const Declared *declared, LLVMTypeRef before, LLVMTypeRef type, Known *next) {
  Known *known = NB_NEW(declared->arena, Known);
  *known = (Known){before, type, next};
  return known;
}

/* The struct that uses of the pointer take it to point to, joined with `type`; NULL where there is
 * none, or they differ. */
static LLVMTypeRef struct_of_uses(LLVMValueRef pointer, LLVMTypeRef type) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != pointer)
      continue;
    LLVMValueRef index = LLVMGetOperand(user, 1);
    bool here = LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) == 0;
    LLVMTypeRef used = LLVMGetGEPSourceElementType(user);
    if (here && type && used != type)
      return NULL;
    if (here && nb_is_declared_struct(used))
      type = used;
  }
  return type;
}

static LLVMTypeRef struct_of_pointer(const Declared *declared, LLVMValueRef pointer) {
  const Known *known = nb_map_get(declared->used, pointer);
  if (!known) {
    known = know(declared, NULL, struct_of_uses(pointer, NULL), NULL);
    nb_map_set(declared->used, pointer, (void *)known);
  }
  return known->type;
}

/* The struct that uses of what is read from the variable take it to point to, joined with `type`.
 */
static LLVMTypeRef struct_of_loads(LLVMValueRef variable, LLVMTypeRef type) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMTypeRef before = type;
    if (LLVMIsALoadInst(LLVMGetUser(use)))
      type = struct_of_uses(LLVMGetUser(use), type);
    if (before && !type)
      return NULL;
  }
  return type;
}

/* A pointer's first field has the pointer's address: what it is, other uses of the variable that
 * the pointer is read from tell. */
static LLVMTypeRef struct_of_variable(const Declared *declared, LLVMValueRef pointer) {
  LLVMTypeRef type = struct_of_pointer(declared, pointer);
  LLVMValueRef variable = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
  if (!variable || !LLVMIsAAllocaInst(variable))
    return type;
  Known *all = nb_map_get(declared->variables, variable), *known = all;
  while (known && known->before != type)
    known = known->next;
  if (!known) {
    known = know(declared, type, struct_of_loads(variable, type), all);
    nb_map_set(declared->variables, variable, known);
  }
  return known->type;
}

/* Do the first `bytes` bytes of the type hold one scalar of the kind, or a part of it? */
static bool starts_with(LLVMTargetDataRef layout, LLVMTypeRef type, LLVMTypeKind kind,
                        uint64_t bytes) {
  while (nb_is_declared_struct(type) && LLVMCountStructElementTypes(type))
    type = LLVMStructGetTypeAtIndex(type, 0);
  LLVMTypeRef leaf = type;
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    leaf = LLVMGetElementType(type);
  return LLVMGetTypeKind(leaf) == kind && LLVMTypeIsSized(type) &&
         LLVMABISizeOfType(layout, type) >= bytes;
}

/* Bytes that are a member may be storage for anything, which is moved in words. */
static bool moves_storage(LLVMValueRef value, LLVMTypeRef type) {
  while (nb_is_declared_struct(type) && LLVMCountStructElementTypes(type))
    type = LLVMStructGetTypeAtIndex(type, 0);
  LLVMTypeRef element =
      LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetElementType(type) : NULL;
  return element && LLVMGetTypeKind(element) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(element) == 8 && !LLVMIsAConstant(value) && nb_value_is_moved(value);
}

/* Does nothing but the struct's type say that it is an integer, which is as wide as a number, and
 * is only moved, here or where it is handed to? */
static bool may_move_number(LLVMValueRef access, LLVMValueRef value) {
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  return (width == 32 || width == 64) && !LLVMIsAConstant(value) && !nb_tbaa_name(access) &&
         (nb_value_is_moved(value) || nb_access_hands_word(access));
}

/* Is all of the type made of integers of one width? Of short ones two may be the halves of a
 * number, which are none: no more than one is. */
static bool is_words(LLVMTypeRef type, LLVMTypeRef word) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool halves = LLVMGetIntTypeWidth(word) == 32;
  if (kind == LLVMArrayTypeKind)
    return !halves && is_words(LLVMGetElementType(type), word);
  if (kind != LLVMStructTypeKind)
    return type == word;
  unsigned count = LLVMCountStructElementTypes(type);
  for (unsigned i = 0; i < count; i++)
    if (!is_words(LLVMStructGetTypeAtIndex(type, i), word))
      return false;
  return count == 1 || (count && !halves);
}

/* And all structs on the way to it? Such ones are laid over numbers to move these. */
static bool is_of_words(LLVMValueRef pointer, LLVMTypeRef behind, LLVMTypeRef word) {
  for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    if (nb_is_declared_struct(type) && !is_words(type, word))
      return false;
  }
  return is_words(behind, word);
}

static bool holds_others(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMArrayTypeKind)
    return holds_others(LLVMGetElementType(type));
  if (kind != LLVMStructTypeKind)
    return kind != LLVMPointerTypeKind;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    if (holds_others(LLVMStructGetTypeAtIndex(type, i)))
      return true;
  return false;
}

/* Does the struct that holds the pointer hold other things, too? */
static bool is_link(LLVMValueRef pointer, LLVMTypeRef behind) {
  bool gep = LLVMIsAGetElementPtrInst(pointer) && LLVMGetNumOperands(pointer) == 3;
  LLVMTypeRef type = gep ? LLVMGetGEPSourceElementType(pointer) : behind;
  return nb_is_declared_struct(type) && holds_others(type);
}

static void note_access(const Declared *declared, LLVMValueRef access) {
  NbContext *context = declared->context;
  bool store = LLVMIsAStoreInst(access) != NULL;
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access);
  LLVMValueRef pointer = LLVMGetOperand(access, store ? 1 : 0);
  LLVMTypeKind scalar = LLVMGetTypeKind(type);
  if (scalar != LLVMIntegerTypeKind && scalar != LLVMPointerTypeKind)
    return;
  bool gep = LLVMIsAGetElementPtrInst(pointer) != NULL;
  LLVMTypeRef behind = gep ? type_behind_gep(pointer) : struct_of_variable(declared, pointer);
  uint64_t bytes = LLVMStoreSizeOfType(context->layout, type);
  LLVMValueRef value = store ? LLVMGetOperand(access, 0) : access;
  if (!behind || nb_is_in_union(pointer) || !starts_with(context->layout, behind, scalar, bytes) ||
      moves_storage(value, behind))
    return;
  bool integer = scalar == LLVMIntegerTypeKind;
  bool open = integer && (nb_access_is_word(access) ||
                          (may_move_number(access, value) && is_of_words(pointer, behind, type)));
  nb_access_note(access, open ? NB_WORD_FIELD : integer ? NB_INTEGER_FIELD : NB_POINTER_FIELD);
  if (!integer && is_link(pointer, behind))
    nb_access_note(access, NB_LINK_FIELD);
  if (integer && !open)
    nb_access_note_integer(context, access);
}

/* The constant that the number is written to be a multiple of. */
static uint64_t written_factor(LLVMValueRef number) {
  LLVMOpcode opcode =
      LLVMIsABinaryOperator(number) ? LLVMGetInstructionOpcode(number) : LLVMUnreachable;
  for (unsigned i = 0; i < 2 && (opcode == LLVMMul || opcode == LLVMShl); i++) {
    LLVMValueRef by = LLVMGetOperand(number, i);
    uint64_t constant = LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) : 0;
    if (opcode == LLVMMul && constant)
      return constant;
    if (opcode == LLVMShl && i == 1 && constant <= MOST_SHIFTED)
      return UINT64_C(1) << constant;
  }
  return 1;
}

/* `memmove(to, from, (end - from) * sizeof *to)`: once the optimiser has made that a difference of
 * addresses, nothing says that it is a whole number of elements. */
static void note_bytes(NbContext *context, LLVMValueRef call) {
  NbCall what = nb_call_of(context, call);
  bool moves = what.kind == NB_CALL_COPY || what.kind == NB_CALL_FILL;
  if (!moves || !what.bytes)
    return;
  uint64_t factor = written_factor(what.bytes);
  if (factor > 1 && factor <= LARGEST_UNIT)
    nb_number_note(call, NB_NOTED_UNIT, factor);
  nb_within_note(context, call, &what);
}

void nb_fields_settle(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && nb_access_is_word(at))
      nb_access_note(at, NB_INTEGER_FIELD);
}

void nb_fields_note(NbContext *context, LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  const Declared declared = {context, arena, nb_map_new(arena), nb_map_new(arena)};
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (LLVMIsALoadInst(at) || LLVMIsAStoreInst(at))
      note_access(&declared, at);
    else if (nb_is_call(at))
      note_bytes(context, at);
  }
  nb_arena_free(arena);
}
