// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Facts end where their object does: what a copy of unknown length, or one within an object, would
 * carry beyond it speaks of no byte. */
#include "objects/origins.h"
#include "types/facts.h"

/* Are its members all that pointers to the class may point into? Those to a global are named. */
static bool is_closed(NbObjects *objects, NbClass *class) {
  bool named = nb_class_parameters(class) == NB_FROM_GLOBAL;
  return !nb_class_is_external(class) || (named && !nb_class_escapes(objects, class));
}

void nb_facts_find_extent(const NbTypes *types, NbClass *class, NbFacts *facts) {
  class = nb_class_find(class);
  LLVMValueRef member = types->places->member;
  facts->extent = NB_UNKNOWN_SIZE;
  if (types->class && types->places->kind != NB_PLACES_ALL) {
    facts->extent = member ? nb_object_bytes(types->context, member) : NB_UNKNOWN_SIZE;
    facts->begins =
        facts->extent <= INT32_MAX || (member && nb_value_is_allocated(types->context, member));
    return;
  }
  int64_t begin = INT64_MAX, end = INT64_MIN;
  bool ends = true;
  for (unsigned i = 0; i < nb_class_member_count(class); i++) {
    LLVMValueRef object = nb_class_member(class, i);
    uint64_t extent = nb_object_bytes(types->context, object);
    int64_t origin = nb_origin_of(types->objects->origins, object);
    bool known = extent <= INT32_MAX;
    if (!(known || nb_value_is_allocated(types->context, object)))
      return;
    begin = origin < begin ? origin : begin;
    end = known && origin + (int64_t)extent > end ? origin + (int64_t)extent : end;
    ends &= known;
  }
  if (begin == INT64_MAX || !is_closed(types->objects, class))
    return;
  facts->begin = begin;
  facts->begins = true;
  if (ends)
    facts->extent = (uint64_t)(end - begin);
}

/* The elements of the array that lie in [0, extent) remain; false where there is none. */
static bool clip_array(NbFact *fact, int64_t extent) {
  NbOffsets *place = &fact->place;
  int64_t inner = place->count > 1 ? (int64_t)place->inner : 1;
  int64_t below = place->base < 0 ? (-place->base + inner - 1) / inner : 0;
  int64_t last = extent - (int64_t)fact->size - place->base;
  int64_t count = last < 0 ? 0 : last / inner + 1;
  count = (count < (int64_t)place->count ? count : (int64_t)place->count) - below;
  if (count <= 0)
    return false;
  place->base += below * inner;
  place->count = (uint64_t)count;
  place->low = place->low == INT64_MIN && count > 1 ? INT64_MIN : place->base;
  place->high = place->base + (count - 1) * inner;
  return true;
}

/* An array that repeats, but begins only once within [0, extent), does not repeat there. */
static void drop_period(NbFact *fact, int64_t extent) {
  NbOffsets *place = &fact->place;
  int64_t period = (int64_t)place->period;
  int64_t base = (place->base % period + period) % period;
  int64_t length = place->count > 1 ? (int64_t)((place->count - 1) * place->inner) : 0;
  bool before = base - period + length >= 0;
  bool again = base + period + (int64_t)fact->size <= extent;
  if (before || again)
    return;
  place->base = base;
  place->period = 0;
}

void nb_facts_shift(NbFact *fact, NbOffsets shift) {
  bool known = fact->until && nb_place_is_exact(&shift);
  fact->until = known ? fact->until + shift.base : 0;
  fact->place = nb_place_add(shift, fact->place);
}

bool nb_facts_clip(NbFact *fact, const NbFacts *facts) {
  if (facts->extent > INT32_MAX)
    return true;
  NbOffsets whole = fact->place;
  int64_t extent = (int64_t)facts->extent;
  if (fact->until && fact->until > facts->begin + extent)
    return false;
  fact->place = nb_place_shift(fact->place, -facts->begin);
  if (fact->place.period)
    drop_period(fact, extent);
  if (fact->place.period) {
    fact->place = whole;
    return true;
  }
  bool left = clip_array(fact, extent);
  fact->place = nb_place_shift(fact->place, facts->begin);
  return left;
}
