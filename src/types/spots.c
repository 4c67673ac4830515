// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The facts of a class are about places in its objects; of a region behind a pointer, those count
 * that are about the places where the pointer may point. */
#include "types/query.h"

enum { WIDEST = 8, NARROWEST = 4, MOST_SPOTS = 64 };

static bool apart(const NbFact *fact, const NbOffsets *place, uint64_t size) {
  bool below = fact->place.high != INT64_MAX && place->low != INT64_MIN &&
               fact->place.high + (int64_t)fact->size <= place->low;
  bool above = fact->place.low != INT64_MIN && place->high != INT64_MAX &&
               size < (uint64_t)NB_QUERY_LARGEST && fact->place.low >= place->high + (int64_t)size;
  return below || above;
}

static bool is_definite(const NbOffsets *fact, const NbOffsets *place) {
  uint64_t step = place->period;
  if (!step)
    return true;
  if (fact->loose)
    return false;
  if (fact->period && fact->count == 1)
    return step % fact->period == 0;
  if (fact->period)
    return step % fact->period == 0 || step % fact->inner == 0;
  return fact->count > 1 && step % fact->inner == 0 && place->low >= fact->low &&
         place->high <= fact->high;
}

/* Is the offset, or are those a period apart, one of the array's? */
static bool is_one_of(const NbOffsets *array, const NbOffsets *place) {
  int64_t distance = place->base - array->base;
  if (array->period != place->period || place->count > 1)
    return false;
  if (array->count == 1)
    return place->period ? distance % (int64_t)place->period == 0 : distance == 0;
  return !place->period && distance >= 0 && distance % (int64_t)array->inner == 0 &&
         (uint64_t)distance / array->inner < array->count;
}

/* Is the region the field that the fact is about, wherever in its array? A union has members at one
 * place, and its float or pointer is no struct's field. What an index may have carried to one place
 * is not sure to be there. */
static bool is_own(const NbFact *fact, const NbOffsets *place, uint64_t size) {
  bool plain = fact->kind == NB_KIND_FLOAT || fact->kind == NB_KIND_POINTER;
  bool field = fact->field || (plain && fact->place.count == 1);
  bool sure = fact->place.period || fact->rank == UINT64_MAX;
  return field && sure && !fact->declared && !fact->moved && !nb_fact_is_beyond(fact) &&
         fact->size == size && is_one_of(&fact->place, place);
}

/* Is the fact about that region at some of the places: at one, or every second one, say? */
static bool is_of_some(const NbFact *fact, const NbOffsets *place, uint64_t size) {
  const NbOffsets *some = &fact->place;
  bool access = !fact->declared && !fact->moved && !nb_fact_is_beyond(fact) && !some->loose;
  bool same = fact->size == size && some->count == 1 && place->count == 1;
  bool fewer = place->period && some->period != place->period && some->period % place->period == 0;
  return access && same && fewer && (some->base - place->base) % (int64_t)place->period == 0 &&
         some->high >= place->low && some->low <= place->high;
}

static void see(NbSpot *spot, const NbFact *fact, const NbOffsets *place, bool before) {
  spot->items =
      nb_arena_grow(spot->arena, spot->items, spot->count, &spot->capacity, sizeof *spot->items);
  NbSeen *seen = &spot->items[spot->count++];
  seen->fact = *fact;
  seen->fact.place = nb_place_relative(fact->place, place);
  seen->definite = is_definite(&fact->place, place);
  seen->before = before;
}

/* Adds what the fact says of the region at one spot, unless that is in memory that others access,
 * too, and strays; of a small region also what it says of the
 * bytes before it, where a float that reaches into it would begin, and of those that the shortest
 * float would fill. */
static void look_at(NbQuery *query, NbSpot *spot, const NbFact *fact, const NbOffsets *here,
                    uint64_t size) {
  NbOffsets start = nb_place_shift(*here, 1 - WIDEST);
  uint64_t unit = size < NARROWEST ? NARROWEST - 1 : 0;
  if (query->external && nb_place_strays(&fact->place, here))
    return;
  bool inside = !apart(fact, here, size);
  if (inside || (size < WIDEST && !apart(fact, &start, size + unit + WIDEST - 1)))
    see(spot, fact, here, !inside);
  if (!inside)
    return;
  spot->items[spot->count - 1].own = is_own(fact, here, size);
  spot->items[spot->count - 1].some = is_of_some(fact, here, size);
}

bool nb_types_is_mixed(const NbTypes *types, NbClass *class) {
  class = nb_class_find(class);
  LLVMValueRef member = types->places->member;
  bool mixed = nb_class_member_count(class) > 1 && !member;
  if (member && LLVMIsAAllocaInst(member))
    return false;
  for (unsigned i = 0; i < class->field_count && !mixed; i++)
    mixed = nb_class_find(class->fields[i].target) == class;
  return mixed;
}

/* Does the region lie outside of all objects of the class, or begin before? An index does not lead
 * there. */
static bool is_outside(const NbFacts *facts, const NbOffsets *here) {
  int64_t at = here->base - facts->begin;
  return facts->begins && nb_place_is_exact(here) && (at < 0 || (uint64_t)at >= facts->extent);
}

static unsigned drop_outside(const NbFacts *facts, NbOffsets *places, unsigned count) {
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++)
    if (!is_outside(facts, &places[i]))
      places[kept++] = places[i];
  return kept ? kept : count;
}

/* The object ends where the region at the spot cannot go on. */
static void limit(NbQuery *query, NbSpot *spot, const NbFacts *facts, const NbOffsets *here) {
  int64_t at = here->base - facts->begin;
  bool known = facts->extent <= NB_QUERY_LARGEST && nb_place_is_exact(here) && at >= 0 &&
               (uint64_t)at < facts->extent;
  uint64_t extent = known ? facts->extent - (uint64_t)at : 0;
  query->open |= !known;
  if (extent && (!spot->extent || extent < spot->extent))
    spot->extent = extent;
}

/* Spells the places that accesses through the pointer reach, where it is so aligned; too many
 * become one that repeats. */
static unsigned spots_of(NbTypes *types, LLVMValueRef pointer, uint64_t align, NbOffsets *spots) {
  NbSpread spread = nb_places_spread(types->places, pointer);
  uint64_t count = 0;
  for (unsigned i = 0; i < spread.count; i++) {
    spread.items[i] = nb_facts_aligned_place(types, pointer, spread.items[i], align);
    count += spread.items[i].count;
  }
  if (count > MOST_SPOTS) {
    *spots = nb_facts_accessed_place(types, pointer, align);
    spots->period = nb_place_step(spots);
    spots->count = 1;
    spots->inner = 0;
    return 1;
  }
  count = 0;
  for (unsigned i = 0; i < spread.count; i++) {
    for (uint64_t k = 0; k < spread.items[i].count; k++)
      spots[count++] = nb_place_element(&spread.items[i], k);
  }
  return (unsigned)count;
}

bool nb_fact_is_storage(const NbFact *fact) {
  return fact->declared && !fact->noted && fact->kind == NB_KIND_INTEGER && fact->size == 1;
}

/* Are pointers accessed as such there, and floats nowhere but in moves? */
static bool holds_only_pointers(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbOffsets place = nb_places_of(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  bool found = false;
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool tells = !fact->declared && !fact->moved && !nb_fact_is_beyond(fact);
    if (!tells || !nb_place_meets(&fact->place, fact->size, &place, size))
      continue;
    if (fact->kind == NB_KIND_FLOAT && !fact->carried)
      return false;
    found |= fact->kind == NB_KIND_POINTER;
  }
  return found && !facts->full;
}

bool nb_types_moves_pointer(NbTypes *types, LLVMValueRef value) {
  const NbMoved moved = nb_moved_with(value);
  uint64_t size = nb_store_size(types->context, LLVMTypeOf(value));
  for (unsigned i = 0; i < moved.count; i++) {
    LLVMValueRef item = moved.items[i];
    if (LLVMIsALoadInst(item) && !holds_only_pointers(types, LLVMGetOperand(item, 0), size))
      return false;
    for (LLVMUseRef use = LLVMGetFirstUse(item); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsAStoreInst(user) && !holds_only_pointers(types, LLVMGetOperand(user, 1), size))
        return false;
    }
  }
  return !moved.failed;
}

void nb_query_look(NbQuery *query, NbTypes *types, LLVMValueRef pointer, uint64_t size,
                   uint64_t align) {
  NbClass *class = nb_value_class(types->objects, pointer);
  NbFacts *facts = nb_facts_of(types, class);
  NbOffsets places[MOST_SPOTS];
  unsigned spots = drop_outside(facts, places, spots_of(types, pointer, align, places));
  if (!query->spots) {
    query->spots = NB_NEW_ARRAY(types->arena, NbSpot, MOST_SPOTS);
    query->count = spots;
  }
  query->others |= !nb_facts_of_pointers_alone(types, class);
  query->lost |= facts->full;
  query->mixed |= nb_types_is_mixed(types, class);
  bool pointerless = nb_types_is_pointerless(types, pointer, size);
  query->blind |= facts->untyped || pointerless;
  query->shared |= nb_types_outlives(types, class);
  for (unsigned i = 0; i < MOST_SPOTS; i++) {
    const NbOffsets here = places[i % spots];
    query->spots[i].arena = types->arena;
    query->spots[i].told = NB_NEW(types->arena, NbTolds *);
    limit(query, &query->spots[i], facts, &here);
    for (unsigned k = 0; k < facts->count; k++)
      if (!pointerless || facts->items[k].kind != NB_KIND_POINTER)
        look_at(query, &query->spots[i], &facts->items[k], &here, size);
    if (i + 1 >= spots && i + 1 >= query->count)
      break;
  }
  if (spots > query->count)
    query->count = spots;
  query->base = places[0].base;
}

static NbByte byte_of(const NbSeen *seen, int64_t inside) {
  return (NbByte){seen->fact.kind, seen->fact.type, seen->fact.size - (uint64_t)inside,
                  (uint64_t)inside, inside == 0};
}

static void add_told(NbArena *arena, NbTolds *told, NbTold item) {
  told->items = nb_arena_grow(arena, told->items, told->count, &told->capacity, sizeof item);
  told->items[told->count++] = item;
}

static void fill_told(const NbSpot *spot, NbTolds *told, uint64_t offset) {
  told->count = 0;
  told->offset = offset;
  told->known = true;
  for (unsigned i = 0; i < spot->count; i++) {
    const NbFact *fact = &spot->items[i].fact;
    int64_t inside = nb_place_inside(&fact->place, fact->size, (int64_t)offset);
    if (inside >= 0 && fact->kind != NB_KIND_UNKNOWN)
      add_told(spot->arena, told, (NbTold){&spot->items[i], byte_of(&spot->items[i], inside)});
  }
}

enum { WINDOW = 32, FAR = WINDOW };

static const NbTolds *told_in(const NbSpot *spot, unsigned slot, uint64_t offset) {
  if (!*spot->told)
    *spot->told = NB_NEW_ARRAY(spot->arena, NbTolds, FAR + 1);
  NbTolds *told = &(*spot->told)[slot];
  if (!told->known || told->offset != offset)
    fill_told(spot, told, offset);
  return told;
}

const NbTolds *nb_spot_told(const NbSpot *spot, uint64_t offset) {
  return told_in(spot, offset % WINDOW, offset);
}

const NbTolds *nb_spot_told_before(const NbSpot *spot, uint64_t offset, uint64_t before) {
  uint64_t at = offset - before;
  return told_in(spot, before < WIDEST ? at % WINDOW : FAR, at);
}
