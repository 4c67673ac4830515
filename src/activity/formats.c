// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Doubles that may be floats: what is only moved, where memory holds the one at one time and the
 * other at another. In forward mode tangents go the same way as bits. In reverse mode adjoints are
 * added up, which must be done as what they are: the run tells, as of words that are copied.
 * Callees that move such numbers are inlined where they can be. */
#include "../../runtime/words.h"

#include "activity/flow.h"
#include "types/slots.h"

enum { FLOATS = __NABLA_MAY_LOWER | __NABLA_MAY_UPPER | __NABLA_MAY_OTHER };

/* What may lie in the words at the pointer. */
static uint32_t what_may_be(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbLayout laid = nb_types_layout(types, pointer, size);
  NbLayout layout = nb_types_either_at(types, pointer, laid, true);
  uint32_t may = 0;
  for (unsigned i = 0; i < layout.count && !layout.unknown; i++) {
    const NbPiece *piece = &layout.pieces[i];
    bool conflict = piece->kind == NB_KIND_CONFLICT;
    may |= conflict ? (uint32_t)__NABLA_MAY_OTHER : piece->kind == NB_KIND_WORD ? piece->may : 0;
  }
  return may;
}

static uint32_t what_may_be_stored(NbTypes *types, LLVMValueRef pointer, LLVMValueRef number) {
  return what_may_be(types, pointer, nb_store_size(types->context, LLVMTypeOf(number)));
}

static bool is_stored_by(LLVMValueRef user, LLVMValueRef number) {
  return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == number;
}

static bool is_moved(LLVMValueRef number) {
  for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (is_stored_by(user, number) || nb_value_joins(user) || nb_value_takes_apart(user))
      return true;
  }
  return false;
}

/* What the number may be chosen for, and it; is it stored as one of these where floats may lie? */
static bool follow(NbTypes *types, LLVMValueRef number, NbMap *choices) {
  bool stored = false;
  nb_map_set(choices, number, number);
  for (unsigned i = 0; i < nb_map_count(choices); i++) {
    LLVMValueRef value = (LLVMValueRef)nb_map_key(choices, i);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (!nb_map_has(choices, user) && (nb_value_joins(user) || nb_value_takes_apart(user)))
        nb_map_set(choices, user, user);
      if (!stored && is_stored_by(user, value))
        stored = (what_may_be_stored(types, LLVMGetOperand(user, 1), value) & FLOATS) != 0;
    }
  }
  return stored;
}

/* Do floats, and others than these, lie there? */
static bool holds_floats(const NbFacts *facts, const NbOffsets *place, uint64_t size) {
  bool same = false, other = false;
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind != NB_KIND_FLOAT || fact->declared || fact->place.loose ||
        !nb_place_meets(&fact->place, fact->size, place, size))
      continue;
    same |= fact->size == size;
    other |= fact->size != size;
  }
  return same && other;
}

/* What the number that is loaded may be. Of what is no single double, layouts do not tell which
 * part of it is something else. */
static uint32_t what_may_be_loaded(NbTypes *types, LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  uint64_t size = LLVMABISizeOfType(types->context->layout, nb_scalar_type(type));
  NbOffsets place = nb_places_of(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  bool told = LLVMGetTypeKind(type) == LLVMDoubleTypeKind || holds_floats(facts, &place, size);
  return told ? what_may_be_stored(types, pointer, load) : 0;
}

uint32_t nb_activity_moves_floats(const NbActivity *activity, LLVMValueRef load, NbMap *choices) {
  const unsigned both = NB_VARIED | NB_USEFUL;
  if (activity->request->mode == NB_MODE_FORWARD || !LLVMIsALoadInst(load) ||
      !nb_type_has_float(LLVMTypeOf(load)) || nb_access_is_slot(load) ||
      nb_access_is_promised(load) || !is_moved(load) ||
      LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMFloatTypeKind ||
      (nb_activity_bits(activity, load) & both) != both)
    return 0;
  uint32_t may = what_may_be_loaded(activity->types, load);
  return (may & FLOATS) && follow(activity->types, load, choices) ? may : 0;
}

/* Is such a number more than one, or taken for a part of several? */
static bool is_lost(const NbActivity *activity, LLVMValueRef load) {
  NbMap *choices = nb_map_new(activity->context->arena);
  if (!nb_activity_moves_floats(activity, load, choices))
    return false;
  bool lost = LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMDoubleTypeKind;
  for (unsigned i = 0; i < nb_map_count(choices); i++)
    lost |= nb_value_takes_apart((LLVMValueRef)nb_map_key(choices, i));
  return lost;
}

bool nb_activity_hands_floats(const NbActivity *activity, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  NbTypes *group = binding ? nb_types_of_group(binding->group) : NULL;
  bool reverse = activity->request->mode != NB_MODE_FORWARD;
  for (unsigned i = 0; binding && reverse && i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
    const NbFacts *moves = nb_facts_of_moves(group, theirs);
    const NbFacts *known = nb_facts_of(activity->types, ours);
    NbOffsets shift = nb_places_of_bound(activity->types->places, call, theirs);
    for (unsigned k = 0; k < moves->count; k++) {
      NbOffsets place = nb_place_add(shift, moves->items[k].place);
      if (moves->items[k].kind != NB_KIND_POINTER && nb_activity_class_active(activity, ours) &&
          holds_floats(known, &place, moves->items[k].size))
        return true;
    }
  }
  return false;
}

bool nb_activity_check_formats(NbActivity *activity, LLVMValueRef inst) {
  bool lost = nb_is_call(inst) ? nb_activity_hands_floats(activity, inst) : is_lost(activity, inst);
  if (!lost)
    return true;
  return nb_refuse(activity->context, NB_ERROR_UNKNOWN_TYPE, inst,
                   "a number that may be one of another format is moved, and what its adjoint is "
                   "cannot be told");
}
