// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* May, or do, bytes hold floats, pointers or integers? */
#include "types/query.h"

enum { SHORTEST = 4 /* bytes of a float */ };

/* Is every access through this very pointer one of an integer or pointer of at least `size`? An
 * integer that is only moved may be the bits of a float. */
static bool accessed_as_number(LLVMValueRef pointer, uint64_t size) {
  bool any = false;
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool load = LLVMIsALoadInst(user) != NULL;
    bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer;
    if (!load && !store)
      continue;
    NbKind kind = nb_facts_of_access(user);
    LLVMTypeRef type = LLVMTypeOf(load ? user : LLVMGetOperand(user, 0));
    bool number = kind == NB_KIND_INTEGER && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
                  nb_integer_is_number(load ? user : LLVMGetOperand(user, 0));
    if (kind == NB_KIND_FLOAT || kind == NB_KIND_CONFLICT)
      return false;
    any |= kind == NB_KIND_POINTER || (number && LLVMGetIntTypeWidth(type) >= size * 8);
  }
  return any;
}

/* Does the fact speak of a number among the `SHORTEST` bytes from `slot` on, and of no more? */
static bool is_short_number(const NbFact *fact, const NbOffsets *slot) {
  NbOffsets place = nb_place_relative(fact->place, slot);
  bool number = fact->kind == NB_KIND_INTEGER || fact->kind == NB_KIND_FLOAT;
  bool found = false;
  for (uint64_t at = 0; number && !nb_query_is_piece(fact) && at + fact->size <= SHORTEST; at++)
    found |= nb_place_inside(&place, fact->size, (int64_t)at) == 0;
  return found;
}

bool nb_facts_has_short_number(NbTypes *types, LLVMValueRef pointer, const NbOffsets *slot,
                               bool declared) {
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < facts->count; i++) {
    if ((declared || !facts->items[i].declared) && is_short_number(&facts->items[i], slot))
      return true;
  }
  return false;
}

bool nb_facts_are_untold(NbTypes *types, LLVMValueRef pointer, uint64_t offset) {
  NbOffsets place = nb_place_shift(nb_places_noted(types->places, pointer), (int64_t)offset);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  bool pointerless = nb_types_is_pointerless(types, pointer, offset + 4);
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool tells = nb_fact_is_within(fact) && !(pointerless && fact->kind == NB_KIND_POINTER);
    if (tells && nb_place_meets(&fact->place, fact->size, &place, 4))
      return false;
  }
  return !facts->full;
}

bool nb_facts_meet_float(NbTypes *types, LLVMValueRef pointer, uint64_t size, uint64_t most) {
  NbOffsets place = nb_places_noted(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind == NB_KIND_FLOAT && fact->size <= most && nb_fact_is_within(fact) &&
        nb_place_meets(&fact->place, fact->size, &place, size))
      return true;
  }
  return false;
}

bool nb_facts_tell_float(NbTypes *types, LLVMValueRef pointer) {
  NbOffsets place = nb_places_noted(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind == NB_KIND_FLOAT && nb_place_meets(&fact->place, fact->size, &place, 4))
      return true;
  }
  return facts->full;
}

/* May the bytes, too few for a float and of which nothing is known, be a part of one? Not where a
 * number lies among those that it would fill: they are the padding beside that. */
static bool may_be_part(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbOffsets slot = nb_places_noted(types->places, pointer);
  if (nb_facts_of(types, nb_value_class(types->objects, pointer))->full || slot.inner % SHORTEST ||
      slot.period % SHORTEST)
    return true;
  int64_t within = (slot.base % SHORTEST + SHORTEST) % SHORTEST;
  slot = nb_place_shift(slot, -within);
  return (uint64_t)within + size > SHORTEST ||
         !nb_facts_has_short_number(types, pointer, &slot, false);
}

static bool may_be_float(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbLayout layout = nb_types_layout(types, pointer, size);
  for (unsigned i = 0; i < layout.count; i++) {
    NbKind kind = layout.pieces[i].kind;
    if (kind == NB_KIND_FLOAT || kind == NB_KIND_CONFLICT)
      return true;
  }
  bool number = LLVMIsAInstruction(pointer) && size <= 8 && accessed_as_number(pointer, size);
  bool gap = size < SHORTEST && !layout.count;
  bool unknown =
      layout.unknown || (gap && nb_class_is_external(nb_value_class(types->objects, pointer)));
  return unknown && !number && !(gap && !may_be_part(types, pointer, size));
}

static bool may_be_float_in(NbTypes *types, LLVMValueRef pointer, const void *size) {
  return may_be_float(types, pointer, *(const uint64_t *)size);
}

bool nb_types_may_be_float(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  return may_be_float(types, pointer, size) &&
         nb_types_any_member(types, pointer, may_be_float_in, &size);
}

/* Are the bits of floats stored there as integers or pointers? */
static bool gets_bits(NbTypes *types, NbClass *class) {
  const NbFacts *integers = nb_facts_of_integers(types, class);
  for (unsigned i = 0; i < integers->count; i++)
    if (integers->items[i].kind == NB_KIND_CONFLICT)
      return true;
  return false;
}

bool nb_types_class_may_be_float(NbTypes *types, NbClass *class) {
  NbFacts *facts = nb_facts_of(types, class);
  for (unsigned i = 0; i < facts->count; i++) {
    NbKind kind = facts->items[i].declared ? NB_KIND_UNKNOWN : facts->items[i].kind;
    if (kind == NB_KIND_FLOAT || kind == NB_KIND_CONFLICT)
      return true;
  }
  bool ours =
      !(nb_class_find(class)->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE | NB_CLASS_GLOBAL));
  bool unseen = nb_class_find(class)->flags & NB_CLASS_UNSEEN;
  return facts->full || facts->untyped || facts->copied || (facts->cleared && ours) || unseen ||
         gets_bits(types, class);
}

/* Or may it hold anything? */
static bool may_hold_number(void *types, NbClass *class) {
  const NbFacts *facts = nb_facts_of(types, class);
  for (unsigned i = 0; i < facts->count; i++)
    if (facts->items[i].kind == NB_KIND_FLOAT)
      return true;
  return (nb_class_find(class)->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE)) ||
         nb_types_class_may_be_float(types, class);
}

static bool passes_word(void *types, NbClass *class) {
  const NbFacts *facts = nb_facts_of_integers(types, class);
  for (unsigned i = 0; i < facts->count; i++) {
    uint64_t size = facts->items[i].size;
    if (facts->items[i].passing && (size == sizeof(float) || size == sizeof(double)))
      return true;
  }
  return false;
}

bool nb_types_hides_numbers(NbTypes *types, LLVMValueRef pointer) {
  NbClass *class = nb_value_class_known(types->objects, pointer);
  return class && !nb_class_holds_pointers(class) && nb_class_walk(class, passes_word, types) &&
         !nb_class_walk(class, may_hold_number, types);
}

bool nb_types_holds_integers_alone(NbTypes *types, LLVMValueRef pointer) {
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < facts->count; i++)
    if (facts->items[i].kind != NB_KIND_INTEGER)
      return false;
  return true;
}

static bool is_same_place(const NbOffsets *a, const NbOffsets *b) {
  return a->count == 1 && b->count == 1 && a->period == b->period;
}

static bool holds_at(const NbFacts *facts, const NbOffsets *place, uint64_t size, NbKind kind,
                     bool certain) {
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (!fact->declared && fact->kind == kind && (!certain || is_same_place(&fact->place, place)) &&
        nb_place_meets(&fact->place, fact->size, place, size))
      return true;
  }
  return false;
}

/* The same of such accesses alone; with `same`, at this very place. */
static bool holds_within(const NbFacts *facts, const NbOffsets *place, uint64_t size, NbKind kind,
                         bool same) {
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (nb_fact_is_within(fact) && fact->kind == kind &&
        (!same || is_same_place(&fact->place, place)) &&
        nb_place_meets(&fact->place, fact->size, place, size))
      return true;
  }
  return false;
}

bool nb_facts_tell(const NbFacts *facts, const NbOffsets *place, uint64_t size, NbKind kind) {
  return holds_within(facts, place, size, kind, false);
}

bool nb_types_strays(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbOffsets place = nb_places_noted(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool weak = fact->place.loose && nb_fact_is_within(fact);
    bool told = fact->kind == NB_KIND_FLOAT || (!place.loose && !weak);
    bool strays = !told && !fact->declared;
    if (strays && nb_place_meets(&fact->place, fact->size, &place, size))
      return true;
  }
  return false;
}

bool nb_types_begins_word(NbTypes *types, LLVMValueRef pointer) {
  const uint64_t word = sizeof(double);
  NbOffsets place = nb_places_noted(types->places, pointer);
  return place.base % (int64_t)word == 0 && place.period % word == 0 &&
         (place.count < 2 || place.inner % word == 0);
}

bool nb_types_is_astray(NbTypes *types, LLVMValueRef pointer) {
  return nb_places_noted(types->places, pointer).loose &&
         nb_types_class_may_be_float(types, nb_value_class(types->objects, pointer));
}

bool nb_types_also_hold(NbTypes *types, LLVMValueRef pointer, uint64_t size, NbKind kind,
                        bool certain) {
  if (kind == NB_KIND_POINTER && nb_types_is_pointerless(types, pointer, size))
    return false;
  NbOffsets place = nb_places_noted(types->places, pointer);
  NbClass *class = nb_class_find(nb_value_class(types->objects, pointer));
  const NbFacts *facts = nb_facts_of(types, class);
  if (certain)
    return nb_class_member_count(class) < 2 && holds_within(facts, &place, size, kind, true);
  return holds_at(facts, &place, size, kind, false);
}

bool nb_types_holds(NbTypes *types, LLVMValueRef pointer, uint64_t size, NbKind kind) {
  NbOffsets place = nb_places_noted(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  return holds_at(facts, &place, size, kind, true);
}

bool nb_types_moves_untagged(NbTypes *types, LLVMValueRef value, LLVMValueRef pointer,
                             uint64_t size) {
  NbOffsets place = nb_places_noted(types->places, pointer);
  NbClass *class = nb_class_find(nb_value_class(types->objects, pointer));
  const NbFacts *facts = nb_facts_of(types, class);
  if (LLVMIsAConstant(value) || !nb_value_is_moved(value) || nb_class_member_count(class) > 1)
    return false;
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool real =
        nb_fact_is_within(fact) && fact->kind == NB_KIND_FLOAT && !fact->tagged && !fact->typed;
    if (real && !fact->place.loose && is_same_place(&fact->place, &place) &&
        nb_place_meets(&fact->place, fact->size, &place, size))
      return true;
  }
  return false;
}

bool nb_types_overlays(NbTypes *types, LLVMValueRef pointer, uint64_t size, NbKind kind) {
  if (kind == NB_KIND_POINTER && nb_types_is_pointerless(types, pointer, size))
    return false;
  NbOffsets place = nb_places_noted(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  return holds_within(facts, &place, size, kind, false);
}

bool nb_types_is_overlaid(NbTypes *types, NbClass *class) {
  const NbFacts *facts = nb_facts_of(types, class);
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (nb_fact_is_within(fact) && fact->kind == NB_KIND_FLOAT &&
        holds_within(facts, &fact->place, fact->size, NB_KIND_POINTER, false))
      return true;
  }
  return false;
}

bool nb_types_is_reused(NbTypes *types, NbClass *class) {
  const NbFacts *facts = nb_facts_of(types, class);
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (!fact->declared && fact->kind == NB_KIND_POINTER &&
        holds_at(facts, &fact->place, fact->size, NB_KIND_FLOAT, false))
      return true;
  }
  return false;
}

static bool are_of_kind(const NbFacts *facts, NbKind kind) {
  for (unsigned i = 0; i < facts->count; i++)
    if (facts->items[i].kind != kind)
      return false;
  return !facts->full && !facts->untyped;
}

bool nb_types_is_own(NbTypes *types, NbClass *class) {
  return !nb_types_outlives(types, class) && !nb_facts_of(types, class)->filled &&
         !(nb_class_find(class)->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE));
}

bool nb_facts_of_pointers_alone(NbTypes *types, NbClass *class) {
  const NbFacts *facts = nb_facts_of(types, class);
  return nb_types_is_own(types, class) && facts->count && are_of_kind(facts, NB_KIND_POINTER) &&
         (are_of_kind(nb_facts_of_integers(types, class), NB_KIND_POINTER) ||
          nb_types_gets_pointers(types, class));
}
