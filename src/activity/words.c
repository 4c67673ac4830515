// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers, or parts of them, that are moved as numbers. Their shadows do not go with them, unless
 * what is moved is as long as a pointer and is taken to be a number with a derivative: in forward
 * mode its tangent then goes the same way. Elsewhere the run tells whether such a number is one.
 *
 * Callees that move what their caller knows to be pointers are inlined where they can be: what is
 * moved as a whole then becomes a pointer (types/carriers.c). */
#include "activity/flow.h"

enum { MOST_CHOICES = 4, MOST_PARTS = 6 };

/* Do pointers to memory with a derivative lie there? */
static bool holds_pointers(const NbActivity *activity, NbClass *class, const NbOffsets *place,
                           uint64_t size, bool (*test)(const NbActivity *, NbClass *)) {
  class = nb_class_find(class);
  if (!nb_facts_tell(nb_facts_of(activity->types, class), place, size, NB_KIND_POINTER))
    return false;
  for (unsigned i = 0; i < class->field_count; i++) {
    const NbField *field = &class->fields[i];
    if (nb_place_meets(&field->place, field->size, place, size) &&
        nb_activity_reaches(activity, field->target, test))
      return true;
  }
  return false;
}

static bool holds_active(const NbActivity *activity, NbClass *class, const NbOffsets *place,
                         uint64_t size) {
  return holds_pointers(activity, class, place, size, nb_activity_class_active);
}

static bool has_pointer(NbTypes *types, LLVMValueRef pointer, const void *size) {
  NbOffsets place = nb_places_of(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  return nb_facts_tell(facts, &place, *(const uint64_t *)size, NB_KIND_POINTER);
}

/* Is the number, or what it is chosen for, stored where pointers are read? */
static bool is_read_as_pointer(const NbActivity *activity, LLVMValueRef number, unsigned depth) {
  uint64_t size = nb_store_size(activity->context, LLVMTypeOf(number));
  for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == number;
    if (stored && nb_types_any_member(activity->types, LLVMGetOperand(user, 1), has_pointer, &size))
      return true;
    bool chosen = depth && (LLVMIsAPHINode(user) || LLVMIsASelectInst(user) ||
                            LLVMIsAInsertElementInst(user) || LLVMIsAExtractElementInst(user) ||
                            LLVMIsAShuffleVectorInst(user));
    if (chosen && is_read_as_pointer(activity, user, depth - 1))
      return true;
  }
  return false;
}

/* Is it a number in which a pointer may be moved? Integers as long as one are followed as if they
 * were some. What is handed on is not followed: the memory that it leads to may be useful. */
static bool may_move_pointer(const NbActivity *activity, LLVMValueRef load) {
  bool word =
      LLVMIsALoadInst(load) && LLVMGetFirstUse(load) && !nb_word_is_followed(LLVMTypeOf(load));
  bool moves = word && nb_access_moves_word(load);
  bool shares = word && !moves && nb_access_shares_word(load) && !nb_access_is_variable(load) &&
                is_read_as_pointer(activity, load, MOST_CHOICES);
  if (!moves && !shares && !(word && nb_access_passes_word(load)))
    return false;
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  NbOffsets place = nb_places_of(activity->types->places, pointer);
  uint64_t size = nb_store_size(activity->context, LLVMTypeOf(load));
  return nb_types_any_member(activity->types, pointer, has_pointer, &size) &&
         holds_pointers(activity, nb_value_class(activity->objects, pointer), &place, size,
                        moves || shares ? nb_activity_class_active : nb_activity_class_varied);
}

static bool is_active_float(const NbActivity *activity, LLVMValueRef load) {
  const unsigned both = NB_VARIED | NB_USEFUL;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(load));
  return (kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind) &&
         (nb_activity_bits(activity, load) & both) == both;
}

/* Memory of others may hold pointers of which nothing here tells where they lead. */
static bool may_bring_pointer(const NbActivity *activity, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
  return pointer && LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMDoubleTypeKind &&
         nb_class_is_external(nb_value_class(activity->objects, pointer)) &&
         is_read_as_pointer(activity, load, MOST_CHOICES);
}

bool nb_activity_moves_either(const NbActivity *activity, LLVMValueRef load) {
  bool follows = activity->request->mode == NB_MODE_FORWARD &&
                 LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMDoubleTypeKind;
  return is_active_float(activity, load) &&
         ((!follows && may_move_pointer(activity, load)) || may_bring_pointer(activity, load));
}

/* Is the argument a number that is made of the bits of a pointer? */
static bool takes_address(LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    bool number = LLVMIsABitCastInst(argument) && nb_type_has_float(LLVMTypeOf(argument));
    if (number && LLVMIsAPtrToIntInst(LLVMGetOperand(argument, 0)))
      return true;
  }
  return false;
}

/* Does nobody access what the pointer leads to, nor was it made here? It may be the bits of
 * anything. */
static bool is_untold(const NbActivity *activity, LLVMValueRef pointer) {
  const unsigned harmless = NB_CLASS_POINTED | NB_CLASS_EXTERNAL;
  bool scalar = LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind;
  return scalar && !LLVMIsAConstant(pointer) &&
         !(nb_class_find(nb_value_class(activity->objects, pointer))->flags & ~harmless);
}

/* Is the parameter stored somewhere, returned, or handed on, and nothing else? */
static bool is_moved_on(LLVMValueRef parameter) {
  for (LLVMUseRef use = LLVMGetFirstUse(parameter); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == parameter;
    bool called = nb_is_call(user) && LLVMGetCalledValue(user) != parameter;
    if (!stored && !called && !LLVMIsAReturnInst(user) && !LLVMIsAPHINode(user) &&
        !LLVMIsASelectInst(user))
      return false;
  }
  return LLVMGetFirstUse(parameter) != NULL;
}

/* Does the call hand on such a pointer that was loaded, to be moved, or give one? */
static bool passes_untold(const NbActivity *activity, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  if (LLVMGetFirstUse(call) && is_untold(activity, call))
    return true;
  unsigned count = LLVMCountParams(binding->callee);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (LLVMIsALoadInst(argument) && is_untold(activity, argument) &&
        is_moved_on(LLVMGetParam(binding->callee, i)))
      return true;
  }
  return false;
}

/* Does the callee copy pointers as words that are declared to be integers? */
static bool copies_words(const NbActivity *activity, NbClass *ours, const NbFacts *copied,
                         NbOffsets shift) {
  for (unsigned i = 0; copied->copied && i < copied->count; i++) {
    const NbFact *fact = &copied->items[i];
    NbOffsets place = nb_place_add(shift, fact->place);
    if (nb_fact_is_declared_word(fact) && !fact->place.loose &&
        !nb_facts_tell(copied, &fact->place, 8, NB_KIND_POINTER) &&
        holds_active(activity, ours, &place, fact->size))
      return true;
  }
  return false;
}

/* Does the callee do so? Integers as long as a pointer are right in callees that are not inlined
 * where only pointers lie there. */
static bool moves_pointers(const NbActivity *activity, LLVMValueRef call, bool inlined) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  NbTypes *group = binding ? nb_types_of_group(binding->group) : NULL;
  if (binding && takes_address(call))
    return true;
  for (unsigned i = 0; binding && i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
    const NbFacts *moves = nb_facts_of_moves(group, theirs);
    NbOffsets shift = nb_places_of_bound(activity->types->places, call, theirs);
    const NbFacts *known = nb_facts_of(activity->types, ours);
    bool mixed = !inlined && nb_types_is_mixed(activity->types, ours);
    if (!mixed && copies_words(activity, ours, nb_facts_of(group, theirs), shift))
      return true;
    for (unsigned k = 0; k < moves->count && !mixed; k++) {
      const NbFact *moved = &moves->items[k];
      NbOffsets place = nb_place_add(shift, moved->place);
      bool followed = moved->kind == NB_KIND_POINTER && !inlined;
      if (moved->kind != NB_KIND_FLOAT && holds_active(activity, ours, &place, moved->size) &&
          (!followed || nb_facts_tell(known, &place, moved->size, NB_KIND_FLOAT)))
        return true;
    }
  }
  return false;
}

bool nb_activity_moves_pointers(const NbActivity *activity, LLVMValueRef call) {
  return moves_pointers(activity, call, true) || passes_untold(activity, call);
}

/* Is the integer put together of parts, one of which is that of a float? */
static bool has_float_part(LLVMValueRef integer, unsigned depth) {
  if (LLVMIsABitCastInst(integer))
    return nb_type_has_float(LLVMTypeOf(LLVMGetOperand(integer, 0)));
  bool parts = LLVMIsABinaryOperator(integer) || LLVMIsAZExtInst(integer) ||
               LLVMIsATruncInst(integer) || LLVMIsAPHINode(integer) || LLVMIsASelectInst(integer);
  for (int i = 0; depth && parts && i < LLVMGetNumOperands(integer); i++)
    if (has_float_part(LLVMGetOperand(integer, (unsigned)i), depth - 1))
      return true;
  return false;
}

static bool makes_pointer(LLVMValueRef inst) {
  return LLVMIsAIntToPtrInst(inst) && has_float_part(LLVMGetOperand(inst, 0), MOST_PARTS);
}

bool nb_activity_check_word(NbActivity *activity, LLVMValueRef inst) {
  bool lost = makes_pointer(inst) ||
              (may_move_pointer(activity, inst) && !is_active_float(activity, inst)) ||
              moves_pointers(activity, inst, false);
  if (!lost)
    return true;
  return nb_refuse(activity->context, NB_ERROR_UNKNOWN_TYPE, inst,
                   "a pointer to memory with a derivative, or a part of one, is moved as a number, "
                   "so that its shadow cannot follow");
}
