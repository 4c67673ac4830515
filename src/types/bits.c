// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which integers are the bits of a float, as helpers that pun make them before they are inlined:
 * what functions return, and what they store. To a fixed point over the functions of a group; what
 * comes in through integer parameters is not asked. */
#include "types/facts.h"

/* Elements of structs are asked for one by one: integers beside a float are none of its bits. */
static bool is_bits(NbTypes *types, NbMap *seen, LLVMValueRef value, unsigned element);

static bool has_real(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind)
    kind = LLVMGetTypeKind(LLVMGetElementType(type));
  return kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind;
}

static bool may_carry(LLVMTypeRef type) {
  return nb_types_has_integer(type) || nb_type_has_pointer(type);
}

/* Does a float lie in the `size` bytes at the offset? */
static bool meets_float(const NbLayout *layout, uint64_t offset, uint64_t size) {
  for (unsigned i = 0; i < layout->count; i++) {
    const NbPiece *piece = &layout->pieces[i];
    bool real = piece->kind == NB_KIND_FLOAT || piece->kind == NB_KIND_CONFLICT;
    bool apart = offset + size <= piece->offset || piece->offset + piece->size <= offset;
    if (real && (piece->period || !apart))
      return true;
  }
  return false;
}

/* Does one lie where a value of the type, loaded as a whole, has an integer or a pointer? What lies
 * in its padding is not loaded. */
static bool loads_float(const NbContext *context, const NbLayout *layout, LLVMTypeRef type,
                        uint64_t offset) {
  bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  if (!structure)
    return may_carry(type) && meets_float(layout, offset, nb_store_size(context, type));
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
    uint64_t member = offset + LLVMOffsetOfElement(context->layout, type, i);
    if (loads_float(context, layout, LLVMStructGetTypeAtIndex(type, i), member))
      return true;
  }
  return false;
}

/* What is declared to be an integer or a link is asked of functions that are not inlined, and of
 * those that these call: of others their caller knows more. */
bool nb_types_moves_bits(NbTypes *types, LLVMValueRef access) {
  bool store = LLVMIsAStoreInst(access) != NULL;
  LLVMValueRef pointer = LLVMGetOperand(access, store ? 1 : 0);
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access);
  uint64_t size = nb_store_size(types->context, type);
  NbLayout layout = nb_types_layout(types, pointer, size);
  bool link = nb_access_is_of_link(access) && nb_types_declared_pointer(types, access);
  bool number = types->recurs && (link || nb_types_declared_number(types, access));
  const char *name = nb_tbaa_name(access);
  bool told = nb_access_is_typed(access) || (name && nb_tbaa_is_class_pointer(name));
  number |= told && nb_types_declared_pointer(types, access);
  if (!number &&
      (loads_float(types->context, &layout, type, 0) || nb_types_breaks_promise(types, access)))
    return true;
  NbOffsets place = nb_places_of(types->places, pointer);
  const NbFacts *integers = nb_facts_of_integers(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < integers->count; i++) {
    const NbFact *fact = &integers->items[i];
    if (fact->kind == NB_KIND_CONFLICT && nb_place_meets(&fact->place, fact->size, &place, size))
      return true;
  }
  return integers->full;
}

static bool any_operand_is_bits(NbTypes *types, NbMap *seen, LLVMValueRef inst, unsigned element) {
  for (int i = LLVMIsASelectInst(inst) ? 1 : 0; i < LLVMGetNumOperands(inst); i++) {
    if (is_bits(types, seen, LLVMGetOperand(inst, (unsigned)i), element))
      return true;
  }
  return false;
}

static bool inserted_is_bits(NbTypes *types, NbMap *seen, LLVMValueRef insert, unsigned element) {
  unsigned given = nb_element_of(insert);
  bool other = element != NB_ANY_ELEMENT && given != NB_ANY_ELEMENT && element != given;
  bool same = element != NB_ANY_ELEMENT && element == given && LLVMGetNumIndices(insert) == 1;
  if (!same && is_bits(types, seen, LLVMGetOperand(insert, 0), element))
    return true;
  return !other && is_bits(types, seen, LLVMGetOperand(insert, 1), NB_ANY_ELEMENT);
}

static bool call_is_bits(NbTypes *types, NbMap *seen, LLVMValueRef call, unsigned element) {
  LLVMValueRef callee = nb_callee(call);
  if (!callee)
    return false;
  if (LLVMGetIntrinsicID(callee))
    return any_operand_is_bits(types, seen, call, NB_ANY_ELEMENT);
  return LLVMCountBasicBlocks(callee) > 0 && nb_types_returns_bits(types, callee, element);
}

static bool is_bits(NbTypes *types, NbMap *seen, LLVMValueRef value, unsigned element) {
  if (!LLVMIsAInstruction(value) || !nb_element_see(seen, value, element))
    return false;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMBitCast:
    return has_real(LLVMTypeOf(LLVMGetOperand(value, 0))) ||
           any_operand_is_bits(types, seen, value, NB_ANY_ELEMENT);
  case LLVMLoad:
    return nb_types_moves_bits(types, value);
  case LLVMCall:
    return call_is_bits(types, seen, value, element);
  case LLVMInsertValue:
    return inserted_is_bits(types, seen, value, element);
  case LLVMExtractValue:
    return may_carry(LLVMTypeOf(value)) &&
           is_bits(types, seen, LLVMGetOperand(value, 0), nb_element_of(value));
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMFPToSI:
  case LLVMFPToUI:
  case LLVMGetElementPtr:
    return false;
  default:
    return may_carry(LLVMTypeOf(value)) && any_operand_is_bits(types, seen, value, element);
  }
}

bool nb_types_has_integer(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return true;
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind:
  case LLVMScalableVectorTypeKind:
    return nb_types_has_integer(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
      if (nb_types_has_integer(LLVMStructGetTypeAtIndex(type, i)))
        return true;
    }
    return false;
  default:
    return false;
  }
}

static bool are_bits(NbTypes *types, LLVMValueRef value, unsigned element) {
  return may_carry(LLVMTypeOf(value)) && is_bits(types, nb_map_new(types->arena), value, element);
}

/* Notes which elements of a struct that the function returns are bits; NB_ANY_ELEMENT: that it is,
 * or that one far behind is. */
static void note_returned(NbTypes *types, LLVMValueRef function, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  unsigned count = structure ? LLVMCountStructElementTypes(type) : 0;
  unsigned old = (unsigned)(uintptr_t)nb_map_get(types->returns, function), mask = old;
  if (!structure || count > NB_ANY_ELEMENT)
    mask |= are_bits(types, value, NB_ANY_ELEMENT) ? nb_element_bit(NB_ANY_ELEMENT) : 0;
  for (unsigned i = 0; i < count && count <= NB_ANY_ELEMENT; i++)
    if (may_carry(LLVMStructGetTypeAtIndex(type, i)) && are_bits(types, value, i))
      mask |= nb_element_bit(i);
  if (mask == old)
    return;
  nb_map_set(types->returns, function, (void *)(uintptr_t)mask);
  types->changed = true;
}

/* May the integer be stored, as it is or changed? */
static bool is_stored(LLVMValueRef integer, NbMap *seen) {
  if (nb_map_has(seen, integer))
    return false;
  nb_map_set(seen, integer, integer);
  for (LLVMUseRef use = LLVMGetFirstUse(integer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
    bool stores = opcode == LLVMStore && LLVMGetOperand(user, 0) == integer;
    bool hands = nb_is_call(user) && nb_callee(user) && !LLVMIsDeclaration(nb_callee(user));
    bool goes_on = opcode != LLVMSIToFP && opcode != LLVMUIToFP && opcode != LLVMICmp &&
                   may_carry(LLVMTypeOf(user));
    if (stores || hands || (goes_on && is_stored(user, seen)))
      return true;
  }
  return false;
}

/* Is the callee given bits as an integer that it may store? */
static bool hands_bits(NbTypes *types, LLVMValueRef call, LLVMValueRef callee) {
  for (unsigned i = 0; i < LLVMCountParams(callee) && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (nb_types_has_integer(LLVMTypeOf(argument)) && are_bits(types, argument, NB_ANY_ELEMENT) &&
        is_stored(LLVMGetParam(callee, i), nb_map_new(types->arena)))
      return true;
  }
  return false;
}

/* What a call does with memory that it gets. */
typedef struct Given {
  NbTypes *types, *group; /* the group: the callee's */
  LLVMValueRef call;
  const NbBinding *binding;
} Given;

static NbClass *theirs_of(const Given *given, unsigned index) {
  return nb_class_find((NbClass *)nb_map_key(given->binding->classes, index));
}

static NbClass *ours_of(const Given *given, unsigned index) {
  const NbMap *classes = given->binding->classes;
  return nb_class_find(nb_map_get(classes, nb_map_key(classes, index)));
}

/* Is one of the facts a float, or the bits of one, at that very place? */
static bool tell_bits(const NbFacts *facts, const NbOffsets *place, uint64_t size) {
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool bits = fact->kind == NB_KIND_FLOAT || fact->kind == NB_KIND_CONFLICT;
    if (bits && nb_fact_is_within(fact) && fact->size == size &&
        nb_place_equal(&fact->place, place))
      return true;
  }
  return false;
}

/* Does the callee move integers, as they are, from where a float lies? */
static bool moves_float(const Given *given, unsigned index) {
  NbClass *theirs = theirs_of(given, index), *ours = ours_of(given, index);
  const NbFacts *moved = nb_facts_of_integers(given->group, theirs);
  NbOffsets shift = nb_places_of_bound(given->types->places, given->call, theirs);
  for (unsigned i = 0; (theirs->flags & NB_CLASS_READ) && i < moved->count; i++) {
    const NbFact *fact = &moved->items[i];
    NbOffsets place = nb_place_add(shift, fact->place);
    bool exact = nb_place_is_exact(&place) && !fact->declared && fact->kind == NB_KIND_UNKNOWN;
    if (exact && (tell_bits(nb_facts_of(given->types, ours), &place, fact->size) ||
                  tell_bits(nb_facts_of_integers(given->types, ours), &place, fact->size)))
      return true;
  }
  return false;
}

/* The bits lie where it stores integers then; with `alone`, those that it only moves. */
static void add_stored(const Given *given, unsigned index, bool alone) {
  NbClass *theirs = theirs_of(given, index);
  const NbFacts *stored = nb_facts_of_integers(given->group, theirs);
  NbOffsets shift = nb_places_of_bound(given->types->places, given->call, theirs);
  for (unsigned i = 0; (theirs->flags & NB_CLASS_WRITTEN) && i < stored->count; i++) {
    const NbFact *fact = &stored->items[i];
    NbFact bits = {.place = nb_place_add(shift, fact->place), .size = fact->size};
    bits.kind = NB_KIND_CONFLICT;
    if (!fact->declared && (!alone || fact->kind == NB_KIND_UNKNOWN))
      nb_facts_add_to(given->types, nb_facts_of_integers(given->types, ours_of(given, index)),
                      bits);
  }
}

static void visit_call(NbTypes *types, LLVMValueRef call) {
  Given given = {.types = types, .call = call};
  given.binding = nb_map_get(types->objects->bindings, call);
  if (!given.binding)
    return;
  given.group = nb_types_of_group(given.binding->group);
  unsigned count = nb_map_count(given.binding->classes);
  bool hands = hands_bits(types, call, given.binding->callee), moves = false;
  for (unsigned i = 0; i < count && !hands; i++)
    moves |= moves_float(&given, i);
  for (unsigned i = 0; i < count && (hands || moves); i++)
    add_stored(&given, i, !hands);
}

static void visit(NbTypes *types, LLVMValueRef function, LLVMValueRef at) {
  if (nb_is_call(at))
    visit_call(types, at);
  LLVMValueRef value = LLVMIsAStoreInst(at) ? LLVMGetOperand(at, 0) : NULL;
  if (value && are_bits(types, value, NB_ANY_ELEMENT))
    nb_facts_add_bits(types, LLVMGetOperand(at, 1), LLVMTypeOf(value));
  nb_types_visit_unboxed(types, function, at);
  if (LLVMIsAReturnInst(at) && LLVMGetNumOperands(at) == 1)
    note_returned(types, function, LLVMGetOperand(at, 0));
}

enum { MOST_ROUNDS = 8, MOST_CALLERS = 32 };

/* Adds the functions that call it; does it call itself? */
static bool add_callers(NbMap *callers, LLVMValueRef function) {
  bool recurs = false;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!nb_is_call(call) || nb_callee(call) != function)
      continue;
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    recurs |= caller == function;
    nb_map_set(callers, caller, caller);
  }
  return recurs;
}

/* Is the function one that calls itself, or called by one, or by what that calls? */
static bool is_in_recursion(NbTypes *types, LLVMValueRef function) {
  NbMap *callers = nb_map_new(types->arena);
  bool recurs = add_callers(callers, function);
  for (unsigned i = 0; i < nb_map_count(callers) && i < MOST_CALLERS && !recurs; i++)
    recurs = add_callers(callers, (LLVMValueRef)nb_map_key(callers, i));
  return recurs;
}

void nb_types_find_bits(NbTypes *types) {
  const NbList *functions = &types->objects->functions;
  types->recurs = nb_graph_recurs(types->objects) || is_in_recursion(types, functions->items[0]);
  types->changed = true;
  for (unsigned round = 0; types->changed && round < MOST_ROUNDS; round++) {
    types->changed = false;
    for (unsigned i = 0; i < functions->count; i++) {
      LLVMValueRef at = nb_instruction_first(functions->items[i]);
      for (; at; at = nb_instruction_next(at))
        visit(types, functions->items[i], at);
    }
  }
}

bool nb_types_returns_bits(NbTypes *types, LLVMValueRef callee, unsigned element) {
  if (!nb_graph_holds(types->objects, callee))
    types = nb_types_of_group(nb_summary_of(types->context, callee));
  return nb_elements_have((unsigned)(uintptr_t)nb_map_get(types->returns, callee), element);
}
