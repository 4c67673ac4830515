// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* That a member is declared to be an integer tells what lies there, unless the program copies the
 * bytes of a number there (`memcpy(&s.bits, &x, sizeof x)`), which C allows. Another function may
 * hand the struct on, and sees none of that: it would take the bits for an integer, and their
 * derivative would be lost. So such structs are looked for in the whole module, while addresses are
 * the front end's, and what declares their members is taken away: the name that says that a type is
 * a struct, and what says (TBAA) where an assignment has which member.
 *
 * A variable that is an array of integers, as wide as numbers, may hold such bytes, too, and code
 * that sorts or turns them round moves them as what they are declared to be. Where a module has
 * one, what is only moved in integers of that width is no longer said to be of them. */
#include "request/puns.h"

#include "base/names.h"
#include "bridge/bridge.h"
#include "objects/graph.h"
#include "objects/path.h"
#include "request/collected.h"
#include "request/layout.h"

#include <string.h>

enum { NARROWEST = 4, WIDEST = 256 };

/* By the width of the integers: of 32 bits, and of 64. */
enum { SHORT, LONG, WIDTHS };

typedef struct Puns {
  NbMap *structs; /* that hold numbers: lists of the types of members that do, NULL for all */
  NbMap *unsure[WIDTHS]; /* structs that do so if what an unknown pointer leads to are numbers */
  NbMap *words[WIDTHS];  /* the same of structs that are made of such integers alone */
  NbMap *copies;         /* function -> list of the copies in it */
  bool arrays[WIDTHS];   /* there are some that hold numbers */
  bool numbers[WIDTHS];  /* the module has numbers as wide */
  bool tagged;           /* it says (TBAA) what is accessed */
} Puns;

static int index_of(unsigned width) { return width == 32 ? SHORT : width == 64 ? LONG : WIDTHS; }

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

/* --- Structs. -------------------------------------------------------------------------------- */

static void add(const NbContext *context, NbMap *structs, Member member) {
  NbList *members = nb_map_get(structs, member.whole);
  if (!members) {
    members = NB_NEW(context->arena, NbList);
    *members = nb_list(context->arena);
    nb_map_set(structs, member.whole, members);
  }
  nb_list_push(members, member.type);
}

/* May such a member of the struct hold the bits of numbers? */
static bool holds(NbMap *structs, Member member) {
  const NbList *members = nb_map_get(structs, member.whole);
  for (unsigned i = 0; members && i < members->count; i++)
    if (!members->items[i] || members->items[i] == member.type)
      return true;
  return false;
}

static LLVMValueRef tag_of(LLVMValueRef inst, const char *name) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(inst));
  return LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(llvm, name, (unsigned)strlen(name)));
}

/* Does the front end say what the fields are? Tags of our own (request/unions.c) do not. */
static bool is_assignment(const NbContext *context, LLVMValueRef copy) {
  LLVMValueRef fields = tag_of(copy, "tbaa.struct");
  unsigned count = fields && LLVMIsAMDNode(fields) ? LLVMGetMDNodeNumOperands(fields) : 0;
  if (count < 3)
    return fields != NULL;
  LLVMValueRef *items = NB_NEW_ARRAY(context->arena, LLVMValueRef, count);
  LLVMGetMDNodeOperands(fields, items);
  return !nb_tbaa_is_own(items[2]);
}

/* Of what an unknown pointer leads to, as many bytes as the member has may be a number. */
static void look_at_copy(const NbContext *context, Puns *puns, LLVMValueRef copy) {
  LLVMValueRef size = LLVMGetOperand(copy, 2);
  uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
  for (unsigned i = 0; i < 2; i++) {
    Member member = member_at(LLVMGetOperand(copy, i));
    LLVMTypeRef element = element_of(member.type);
    if (!member.whole || !is_integer(element))
      continue;
    LLVMTypeRef other = declared_at(LLVMGetOperand(copy, 1 - i));
    int index = index_of(LLVMGetIntTypeWidth(element));
    bool sized = bytes >= NARROWEST && bytes <= WIDEST;
    bool scalar = is_integer(member.type) && nb_store_size(context, member.type) == bytes;
    if (sized && (other ? nb_type_has_float(other) : scalar))
      add(context, puns->structs, member);
    else if (index != WIDTHS && !other && !is_integer(member.type) && !is_assignment(context, copy))
      add(context, puns->unsure[index], member);
  }
}

/* The type of the variable that the pointer leads into; NULL where it is none. */
static LLVMTypeRef variable_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAConstantExpr(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  if (LLVMIsAAllocaInst(pointer))
    return LLVMGetAllocatedType(pointer);
  return LLVMIsAGlobalVariable(pointer) ? LLVMGlobalGetValueType(pointer) : NULL;
}

/* --- Numbers over members. -------------------------------------------------------------------- */

/* The type of the numbers that the address leads to, as a variable or a member is declared; NULL
 * where nothing says that there are some. */
static LLVMTypeRef numbers_at(LLVMValueRef pointer) {
  LLVMTypeRef type = declared_at(pointer);
  LLVMTypeRef variable = type ? NULL : variable_of(pointer);
  type = type ? type : element_of(variable);
  return type && nb_is_float_kind(LLVMGetTypeKind(type)) ? type : NULL;
}

/* The struct that some address is computed in, from what is loaded from the variable: a pointer. */
static LLVMTypeRef struct_behind(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef load = LLVMIsALoadInst(LLVMGetUser(use));
    for (LLVMUseRef next = load ? LLVMGetFirstUse(load) : NULL; next; next = LLVMGetNextUse(next)) {
      LLVMValueRef gep = LLVMIsAGetElementPtrInst(LLVMGetUser(next));
      if (gep && nb_is_declared_struct(LLVMGetGEPSourceElementType(gep)))
        return LLVMGetGEPSourceElementType(gep);
    }
  }
  return NULL;
}

/* What the variable that the address begins at is declared to be, or what the pointer in it leads
 * to. */
static LLVMTypeRef declared_behind(LLVMValueRef root) {
  LLVMValueRef from = LLVMIsALoadInst(root) ? LLVMGetOperand(root, 0) : NULL;
  if (from)
    return LLVMIsAAllocaInst(from) ? struct_behind(from) : NULL;
  return element_of(variable_of(root));
}

/* The struct that the address leads into, by constants or from one to the next, and how far. */
static LLVMTypeRef struct_at(const NbContext *context, LLVMValueRef pointer, uint64_t *offset) {
  LLVMTypeRef type = nb_path_struct(context, pointer, offset);
  NbPath path = nb_path_of(context, pointer);
  LLVMTypeRef variable = type ? NULL : declared_behind(path.root);
  if (!variable || path.failed || path.offset < 0 || !nb_is_declared_struct(variable))
    return type;
  uint64_t size = LLVMABISizeOfType(context->layout, variable);
  for (unsigned i = 0; i < path.count; i++)
    if (path.pairs[2 * i] % size)
      return NULL;
  *offset = (uint64_t)path.offset % size;
  return variable;
}

/* Adds the structs that the byte of the struct lies in. */
static void add_around(const NbContext *context, Puns *puns, LLVMTypeRef type, uint64_t offset) {
  while (!nb_layout_is_scalar(type) && LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    LLVMTypeRef element = structure ? NULL : LLVMGetElementType(type);
    if (structure && nb_is_declared_struct(type))
      add(context, puns->structs, (Member){type, NULL});
    unsigned index = structure ? LLVMElementAtOffset(context->layout, type, offset) : 0;
    offset = structure ? offset - LLVMOffsetOfElement(context->layout, type, index)
                       : offset % LLVMABISizeOfType(context->layout, element);
    type = structure ? LLVMStructGetTypeAtIndex(type, index) : element;
  }
}

/* So many bytes of numbers come to lie in a struct: over members of other types? */
static void look_at_numbers(const NbContext *context, Puns *puns, LLVMValueRef pointer,
                            uint64_t bytes, LLVMTypeRef numbers) {
  uint64_t offset = 0;
  LLVMTypeRef type = numbers ? struct_at(context, pointer, &offset) : NULL;
  const NbLeaves *leaves = type ? nb_leaves_of(context, type) : NULL;
  for (unsigned i = 0; leaves && !leaves->overflow && i < leaves->count; i++) {
    const NbLeaf *leaf = &leaves->items[i];
    bool inside =
        leaf->offset + nb_store_size(context, leaf->type) > offset && leaf->offset < offset + bytes;
    if (inside && leaf->type != numbers)
      add_around(context, puns, type, leaf->offset);
  }
}

/* The value, where a parameter stands for it that the call gives. */
static LLVMValueRef given_by(const NbContext *context, LLVMValueRef value, LLVMValueRef call) {
  LLVMValueRef loaded = LLVMIsALoadInst(value) ? nb_loaded_value(context, value) : NULL;
  value = loaded ? loaded : value;
  LLVMValueRef callee = call ? nb_callee(call) : NULL;
  for (unsigned i = 0; callee && i < LLVMCountParams(callee); i++)
    if (LLVMGetParam(callee, i) == value)
      return LLVMGetOperand(call, i);
  return value;
}

/* What a copy moves, of what the call gives to the function that it is in, if there is one. */
static void look_at_moved(const NbContext *context, Puns *puns, LLVMValueRef copy,
                          LLVMValueRef call) {
  LLVMValueRef size = LLVMGetOperand(copy, 2);
  uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
  if (bytes < NARROWEST || bytes > WIDEST || is_assignment(context, copy))
    return;
  LLVMValueRef ends[2] = {given_by(context, LLVMGetOperand(copy, 0), call),
                          given_by(context, LLVMGetOperand(copy, 1), call)};
  for (unsigned i = 0; i < 2; i++)
    look_at_numbers(context, puns, ends[i], bytes, numbers_at(ends[1 - i]));
}

static bool is_copy(LLVMValueRef inst) {
  return LLVMIsAMemCpyInst(inst) || LLVMIsAMemMoveInst(inst);
}

/* The copies in the function, found once: many calls may lead there. */
static const NbList *copies_in(const NbContext *context, Puns *puns, LLVMValueRef function) {
  NbList *copies = nb_map_get(puns->copies, function);
  if (copies)
    return copies;
  copies = NB_NEW(context->arena, NbList);
  *copies = nb_list(context->arena);
  nb_map_set(puns->copies, function, copies);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (is_copy(at))
      nb_list_push(copies, at);
  return copies;
}

/* A function may put numbers into what it is given, or take them from there. */
static void look_at_call(const NbContext *context, Puns *puns, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  uint64_t offset = 0;
  bool given = false;
  if (!callee || LLVMIsDeclaration(callee) || LLVMCountParams(callee) > LLVMGetNumArgOperands(call))
    return;
  const NbList *copies = copies_in(context, puns, callee);
  for (unsigned i = 0; copies->count && i < LLVMGetNumArgOperands(call) && !given; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    given = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
            struct_at(context, argument, &offset);
  }
  for (unsigned i = 0; given && i < copies->count; i++)
    look_at_moved(context, puns, copies->items[i], call);
}

static void look_at_access(const NbContext *context, Puns *puns, LLVMValueRef access) {
  bool store = LLVMIsAStoreInst(access) != NULL;
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access);
  LLVMTypeKind kind = LLVMGetTypeKind(nb_scalar_type(type));
  Member member = member_at(LLVMGetOperand(access, store ? 1 : 0));
  LLVMValueRef tag = tag_of(access, "tbaa");
  puns->tagged |= tag && !nb_tbaa_is_own(tag);
  puns->numbers[SHORT] |= kind == LLVMFloatTypeKind;
  puns->numbers[LONG] |= kind == LLVMDoubleTypeKind;
  if (member.whole && nb_is_float_kind(kind) && is_integer(element_of(member.type)))
    add(context, puns->structs, member);
}

/* --- Arrays. --------------------------------------------------------------------------------- */

/* The bits of the integers that the type is made of, and of nothing else; 0: there are none, or of
 * several widths. */
static unsigned width_of(LLVMTypeRef type) {
  LLVMTypeRef element = element_of(type);
  if (is_integer(element))
    return LLVMGetIntTypeWidth(element);
  unsigned count =
      LLVMGetTypeKind(element) == LLVMStructTypeKind ? LLVMCountStructElementTypes(element) : 0;
  unsigned width = count ? width_of(LLVMStructGetTypeAtIndex(element, 0)) : 0;
  for (unsigned i = 1; i < count && width; i++)
    width = width_of(LLVMStructGetTypeAtIndex(element, i)) == width ? width : 0;
  return width;
}

/* A copy between integers and what holds floats, or may hold anything. */
static void look_for_arrays(const NbContext *context, Puns *puns, LLVMValueRef copy) {
  for (unsigned i = 0; i < 2 && !is_assignment(context, copy); i++) {
    LLVMTypeRef variable = variable_of(LLVMGetOperand(copy, i));
    LLVMTypeRef other = declared_at(LLVMGetOperand(copy, 1 - i));
    int index = index_of(variable && !is_integer(variable) ? width_of(variable) : 0);
    if (index == WIDTHS || (other && !nb_type_has_float(other)))
      continue;
    puns->arrays[index] = true;
    if (nb_is_declared_struct(element_of(variable)))
      add(context, puns->words[index], (Member){element_of(variable), NULL});
  }
}

static void look_at(const NbContext *context, Puns *puns, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (is_copy(at)) {
      look_at_copy(context, puns, at);
      look_at_moved(context, puns, at, NULL);
      look_for_arrays(context, puns, at);
    } else if (LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) {
      look_at_access(context, puns, at);
    } else if (nb_is_call(at)) {
      look_at_call(context, puns, at);
    }
  }
}

/* Where there are no numbers as wide, it was integers that were copied. Without tags nothing says
 * that what is moved are integers, and assignments look like copies. */
static bool may_be_numbers(const Puns *puns, int index) {
  return index != WIDTHS && puns->tagged && puns->numbers[index];
}

static void add_words(const NbContext *context, Puns *puns) {
  for (int index = 0; index < WIDTHS; index++)
    for (unsigned i = 0; may_be_numbers(puns, index) && i < nb_map_count(puns->words[index]); i++)
      add(context, puns->structs, (Member){(LLVMTypeRef)nb_map_key(puns->words[index], i), NULL});
}

/* --- What is taken away. --------------------------------------------------------------------- */

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

static void forget_structs(NbContext *context, NbMap *punned) {
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < nb_map_count(punned); i++) {
    LLVMTypeRef whole = (LLVMTypeRef)nb_map_key(punned, i);
    uint64_t size = LLVMABISizeOfType(context->layout, whole);
    const char *name = nb_arena_print(context->arena, "punned.%s", LLVMGetStructName(whole));
    nb_struct_rename(whole, name);
    least = size < least ? size : least;
  }
  forget_fields(context, least);
}

enum { MOST_FOLLOWED = 6 };

/* Numbers and integers alike are joined, and changed by masks. */
static bool changes_bits(LLVMValueRef value) {
  LLVMOpcode opcode =
      LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMUnreachable;
  bool mask = opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor;
  return mask || LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
}

/* Does it go nowhere but where bits may go? Of what is passed on, another function knows more. */
static bool goes_as_bits(LLVMValueRef value, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool ends = LLVMIsAStoreInst(user) || LLVMIsAICmpInst(user) || LLVMIsAReturnInst(user) ||
                nb_is_call(user);
    if (!ends && (!depth || !changes_bits(user) || !goes_as_bits(user, depth - 1)))
      return false;
  }
  return true;
}

/* Does it come from nowhere but where bits may come from? */
static bool comes_as_bits(LLVMValueRef value, unsigned depth) {
  if (LLVMIsAConstant(value) || LLVMIsALoadInst(value) || LLVMIsAArgument(value) ||
      nb_is_call(value))
    return true;
  if (!depth || !changes_bits(value))
    return false;
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
    if (!comes_as_bits(LLVMGetOperand(value, (unsigned)i), depth - 1))
      return false;
  return true;
}

static bool may_be_bits(LLVMValueRef value) {
  return !LLVMIsAConstant(value) && comes_as_bits(value, MOST_FOLLOWED) &&
         goes_as_bits(value, MOST_FOLLOWED);
}

/* Is it an integer in an array, or in a struct, that may hold the bits of a number there? */
static bool is_open(const Puns *puns, LLVMValueRef value, LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMTypeOf(value);
  int index = index_of(is_integer(type) ? LLVMGetIntTypeWidth(type) : 0);
  if (!may_be_numbers(puns, index) || !may_be_bits(value))
    return false;
  Member member = member_at(pointer);
  return member.whole ? holds(puns->structs, member) || holds(puns->unsure[index], member)
                      : puns->arrays[index];
}

/* Takes away what says of such integers that they are some. */
static void forget_moves(const NbContext *context, const Puns *puns, LLVMValueRef function) {
  unsigned kind = LLVMGetMDKindIDInContext(context->llvm, "tbaa", (unsigned)strlen("tbaa"));
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    bool store = LLVMIsAStoreInst(at) != NULL;
    if (!store && !LLVMIsALoadInst(at))
      continue;
    if (!is_open(puns, store ? LLVMGetOperand(at, 0) : at, LLVMGetOperand(at, store ? 1 : 0)))
      continue;
    LLVMSetMetadata(at, kind, NULL);
    nb_access_note(at, NB_WORD_FIELD);
  }
}

void nb_puns_note(NbContext *context) {
  Puns puns = {.structs = nb_map_new(context->arena), .copies = nb_map_new(context->arena)};
  for (int index = 0; index < WIDTHS; index++) {
    puns.unsure[index] = nb_map_new(context->arena);
    puns.words[index] = nb_map_new(context->arena);
  }
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    look_at(context, &puns, function);
  add_words(context, &puns);
  if (nb_map_count(puns.structs))
    forget_structs(context, puns.structs);
  function = puns.tagged ? LLVMGetFirstFunction(context->module) : NULL;
  for (; function; function = LLVMGetNextFunction(function))
    forget_moves(context, &puns, function);
}
