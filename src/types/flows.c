// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How facts flow: through copies, from one end to the other, and out of what is called. */
#include "types/facts.h"
#include "types/slots.h"

#include <string.h>

enum { MOST_REPEATS = 64 };

/* Leaves of the places those that are not before the start; false where none is. */
static bool drop_before(NbOffsets *place) {
  if (place->period) {
    place->low = place->low < 0 ? 0 : place->low;
    return true;
  }
  while (place->base < 0 && place->count > 1) {
    place->base += (int64_t)place->inner;
    place->count--;
  }
  return place->base >= 0;
}

/* Leaves of places one period apart those from the start to `limit`; false where none is. That a
 * walk begins there, whose beginning is not known, does not follow. */
static bool clip_stride(NbOffsets *place, int64_t limit) {
  bool begins = place->low != INT64_MIN;
  int64_t first = place->base, period = (int64_t)place->period;
  if (place->low > first && place->low <= limit)
    first += (place->low - first + period - 1) / period * period;
  int64_t last = place->high < limit ? place->high : limit;
  if (place->low > limit || last < first)
    return false;
  uint64_t count = (uint64_t)((last - first) / period) + 1;
  *place = nb_place_at(first);
  if (count > 1)
    *place = nb_place_index(*place, (uint64_t)period, count);
  if (!begins && count > 1)
    place->low = INT64_MIN;
  return true;
}

/* Leaves of an array the elements from the start to `limit`; false where none is. */
static bool clip_array(NbOffsets *array, int64_t limit) {
  int64_t inner = (int64_t)array->inner, base = array->base;
  int64_t first = base < 0 ? (-base + inner - 1) / inner : 0;
  int64_t end = limit < base ? 0 : (limit - base) / inner + 1;
  end = end < (int64_t)array->count ? end : (int64_t)array->count;
  bool begins = array->low != INT64_MIN;
  if (first >= end)
    return false;
  *array = nb_place_at(base + first * inner);
  if (end - first > 1)
    *array = nb_place_index(*array, (uint64_t)inner, (uint64_t)(end - first));
  if (!begins && end - first > 1)
    array->low = INT64_MIN;
  return true;
}

/* Leaves of an array that repeats the one of which elements lie from the start to `limit`, if there
 * is but one. */
static void drop_repeats(NbOffsets *array, int64_t limit) {
  int64_t period = (int64_t)array->period, length = (int64_t)((array->count - 1) * array->inner);
  if (!period || array->count < 2 || array->low > 0 || array->high < limit)
    return;
  int64_t base = (array->base % period + period) % period;
  bool before = base - period + length >= 0, again = base + period <= limit;
  int64_t only = before ? base - period : base;
  if ((before && (base <= limit || base - 2 * period + length >= 0)) || again)
    return;
  NbOffsets place = nb_place_at(only);
  int64_t low = array->low;
  *array = nb_place_index(place, array->inner, array->count);
  array->low = low == INT64_MIN ? low : array->low;
}

/* Adds the elements of an array that are copied as one array, no surer than they would be one by
 * one; false where that is not possible. */
static bool add_array(NbTypes *types, NbFacts *facts, const NbOffsets *origin, NbFact fact,
                      uint64_t bytes) {
  NbOffsets array = fact.place;
  bool single = array.period || array.count < 2 || origin->count > 1;
  if (single || bytes < fact.size || !clip_array(&array, (int64_t)(bytes - fact.size)))
    return false;
  NbOffsets place = nb_place_add(*origin, array);
  if (place.count != array.count || place.inner != array.inner || place.period != origin->period)
    return false;
  fact.place = nb_place_element(&place, 0);
  nb_facts_rank(&fact);
  fact.place = place;
  nb_facts_add_to(types, facts, fact);
  return true;
}

/* Where the number of bytes that are copied is not known, what lies at single places may be beyond
 * the end. */
static void add_copied(NbTypes *types, NbFacts *facts, const NbOffsets *origin, NbFact fact,
                       bool cut) {
  NbOffsets seen = fact.place;
  fact.place = nb_place_add(*origin, seen);
  fact.place.loose |= cut && !seen.period && (seen.base > 0 || seen.count > 1);
  nb_facts_add_to(types, facts, fact);
}

/* Adds what `fact`, seen from the start of the copied bytes, says of the first `bytes` of them.
 * `cut`: there may be fewer. */
static void add_clipped(NbTypes *types, NbFacts *facts, const NbOffsets *origin, NbFact fact,
                        uint64_t bytes, bool cut) {
  NbOffsets seen = nb_facts_normal(fact.place);
  if (bytes == NB_UNKNOWN_SIZE) {
    fact.place = seen;
    if (drop_before(&fact.place))
      add_copied(types, facts, origin, fact, true);
    return;
  }
  drop_repeats(&seen, (int64_t)bytes - (int64_t)fact.size);
  fact.place = seen;
  if (!cut && add_array(types, facts, origin, fact, bytes))
    return;
  int64_t limit = (int64_t)(bytes < fact.size ? 0 : bytes - fact.size);
  int64_t first = seen.period ? -(int64_t)((seen.count - 1) * seen.inner / seen.period) - 1 : 0;
  int64_t repeats = seen.period ? (int64_t)(bytes / seen.period) + 1 : 1;
  if (seen.count == 1 && seen.period && seen.base <= limit) {
    fact.place = seen;
    if (fact.size <= bytes && clip_stride(&fact.place, limit))
      add_copied(types, facts, origin, fact, cut);
    return;
  }
  for (int64_t k = first; k < repeats && k < MOST_REPEATS; k++) {
    for (uint64_t j = 0; j < seen.count && j < MOST_REPEATS; j++) {
      int64_t offset = seen.base + k * (int64_t)seen.period + (int64_t)(j * seen.inner);
      fact.place = nb_place_at(offset);
      bool there = offset >= seen.low && offset <= seen.high;
      if (there && offset >= 0 && offset <= limit && fact.size <= bytes)
        add_copied(types, facts, origin, fact, cut);
    }
  }
}

/* Where a copy of `bytes` bytes reads and writes. */
typedef struct Flow {
  NbOffsets origin, place;
  uint64_t bytes;
  bool tagged;  /* of floats one by one, as TBAA says */
  bool further; /* as if the index of where it writes had no bounds */
  bool move;    /* only of floats that are certain to be there */
  bool cut;     /* there may be fewer bytes */
  bool link;    /* of a link: see is_of_links */
  bool outside; /* to memory that others access, too */
} Flow;

static bool is_declaration(const NbFact *fact) { return fact->declared && !fact->noted; }

static bool is_certain_float(const NbFact *fact) {
  return fact->kind == NB_KIND_FLOAT && nb_fact_is_within(fact) && !fact->place.loose;
}

/* Does the fact speak of these very places? Where links lie is known: what an index might lead to
 * says nothing of them. */
static bool is_of_links(const NbFact *fact, const NbOffsets *origin) {
  uint64_t step = nb_place_step(origin), period = fact->place.period;
  return !fact->start && (!period || (step && period % step == 0 && period > fact->size));
}

static bool is_at_multiples(const NbOffsets *place, uint64_t size) {
  return place->base % (int64_t)size == 0 && nb_place_step(place) % size == 0;
}

/* What an access of an integer says that is only moved, and declared to be one, does not hold for
 * the other end of a copy: it may be a piece of a float that is copied. */
static void flow_list(NbTypes *types, NbFacts *to, const NbFacts *from, const Flow *flow) {
  unsigned count = from->count;
  for (unsigned i = 0; i < count; i++) {
    NbFact fact = from->items[i];
    if (nb_place_ends_before(&fact.place, fact.size, &flow->origin) ||
        nb_place_ends_before(&flow->origin, flow->bytes, &fact.place) ||
        (flow->move && !is_certain_float(&fact)) || (flow->tagged && fact.kind != NB_KIND_FLOAT) ||
        (flow->link && !is_of_links(&fact, &flow->origin)))
      continue;
    bool stray = nb_place_strays(&fact.place, &flow->origin);
    if (stray && (flow->outside || fact.declared))
      continue;
    fact.declared |= fact.noted;
    bool weak = nb_fact_is_beyond(&fact) || fact.place.loose;
    if ((flow->further && (weak || is_declaration(&fact))) || (weak && is_declaration(&fact)))
      continue;
    fact.tagged &= flow->tagged;
    fact.typed = false;
    fact.further |= flow->further || stray;
    fact.indirect = NB_DIRECT;
    fact.until = 0;
    fact.aligned = fact.aligned && is_at_multiples(&flow->origin, fact.size) &&
                   is_at_multiples(&flow->place, fact.size);
    fact.place = nb_place_relative(fact.place, &flow->origin);
    nb_facts_rank(&fact);
    fact.rank = flow->move ? 1 : fact.rank;
    add_clipped(types, to, &flow->place, fact, flow->bytes, flow->cut);
  }
}

uint64_t nb_facts_argument_align(LLVMValueRef call, LLVMValueRef argument) {
  unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    if (align && LLVMGetOperand(call, i) == argument)
      return LLVMGetEnumAttributeValue(align);
  }
  return 1;
}

/* Where an end of a copy may be, without arrays: what lies at other places is seen from each. */
static NbSpread copied_places(const NbTypes *types, LLVMValueRef call, LLVMValueRef pointer) {
  uint64_t align =
      nb_is_call(call) ? nb_facts_argument_align(call, pointer) : LLVMGetAlignment(call);
  const NbOffsets whole = nb_facts_accessed_place(types, pointer, align);
  NbSpread spread = nb_places_spread(types->places, pointer);
  NbSpread spelled = {.count = 0};
  if (!spread.noted)
    spread.items[0] = whole;
  for (unsigned i = 0; i < spread.count; i++) {
    NbOffsets place = spread.items[i];
    if (spelled.count + place.count > NB_MOST_SPREAD)
      return (NbSpread){.items = {whole}, .count = 1};
    for (uint64_t k = 0; k < place.count; k++)
      spelled.items[spelled.count++] = nb_place_element(&place, k);
  }
  return spelled;
}

/* A part of what `call` copies, or what a store of a pointer, that is only moved, does. */
typedef struct Part {
  LLVMValueRef call, to, from;
  int64_t offset;
  uint64_t bytes;
  bool move, cut, link; /* as of a Flow */
} Part;

/* From each of the origins to `place`. */
static void flow_to(NbTypes *types, NbTypes *known, const Part *part, NbOffsets place,
                    bool further) {
  NbClass *target = nb_value_class(types->objects, part->to);
  NbClass *source = nb_value_class(types->objects, part->from);
  NbSpread origins = copied_places(known, part->call, part->from);
  bool outside = nb_types_outlives(types, target);
  const char *name = nb_tbaa_name(part->call);
  bool tagged = name && nb_named_float(name);
  place = nb_place_shift(place, part->offset);
  for (unsigned i = 0; i < origins.count; i++) {
    NbOffsets origin = nb_place_shift(origins.items[i], part->offset);
    Flow transfer = {origin,     place,     part->bytes, tagged, further,
                     part->move, part->cut, part->link,  outside};
    flow_list(types, nb_facts_of(types, target), nb_facts_of(known, source), &transfer);
    if (!part->move)
      flow_list(types, nb_facts_of_integers(types, target), nb_facts_of_integers(known, source),
                &transfer);
  }
}

/* What others store in memory of theirs, or had stored before, no fact tells. */
static void fill(NbTypes *types, NbTypes *known, const Part *part) {
  NbClass *source = nb_value_class(types->objects, part->from);
  NbFacts *target = nb_facts_of(types, nb_value_class(types->objects, part->to));
  bool filled = nb_types_outlives(known, source) || nb_facts_of(known, source)->filled;
  types->changed |= filled && !target->filled;
  target->filled |= filled;
}

/* As what an access says, what a copy says of where an index leads holds beyond as well, where
 * nothing better is known; an array that is noted ends where its note says. */
static void flow_from(NbTypes *types, NbTypes *known, const Part *part) {
  NbSpread places = copied_places(types, part->call, part->to);
  if (!part->move)
    fill(types, known, part);
  nb_facts_of(known, nb_value_class(types->objects, part->from))->copied |= !part->move;
  for (unsigned i = 0; i < places.count; i++)
    flow_to(types, known, part, places.items[i], false);
  NbOffsets beyond = nb_place_at(0);
  bool noted = nb_places_spread(types->places, part->to).noted;
  if (!part->move && !noted && nb_places_unbounded(types->places, part->to, &beyond))
    flow_to(types, known, part, beyond, true);
}

/* Of memory that was solved with the target, each member says what it knows. */
static void flow(NbTypes *types, const Part *part) {
  const NbClass *source = nb_value_class(types->objects, part->from);
  bool apart = false;
  if (!nb_types_reach(types, part->to))
    return;
  for (unsigned i = 0; types->class && i < types->others->count; i++) {
    NbTypes *known = types->others->items[i];
    apart |= known->class == source;
    if (known->class == source && nb_types_reach(known, part->from))
      flow_from(types, known, part);
  }
  if (!apart)
    flow_from(types, types->class ? types->whole : types, part);
}

/* What the tags of a copied struct say of where it lies. */
static void add_copied_fields(NbTypes *types, LLVMValueRef call, LLVMValueRef pointer) {
  NbTaggedField fields[NB_MOST_FIELDS];
  unsigned count = nb_tags_fields(types->context, call, fields);
  if (!count || !nb_types_reach(types, pointer))
    return;
  NbSpread spread = nb_places_spread(types->places, pointer);
  for (unsigned i = 0; i < count * spread.count; i++) {
    const NbTaggedField *field = &fields[i % count];
    uint64_t element = field->named ? field->named->size : 8;
    if (field->kind == NB_KIND_UNKNOWN)
      continue;
    NbFact fact = {.size = field->size, .kind = field->kind, .field = true};
    fact.copied = fact.kind == NB_KIND_INTEGER;
    fact.place = nb_place_shift(spread.items[i / count], (int64_t)field->offset);
    if (fact.kind != NB_KIND_INTEGER && fact.size > element) {
      fact.place = nb_place_index(fact.place, element, fact.size / element);
      fact.size = element;
    }
    if (field->named)
      fact.type = field->named->type(types->context->llvm);
    nb_facts_add(types, nb_value_class(types->objects, pointer), fact);
  }
}

static void add_copy(NbTypes *types, LLVMValueRef call, const NbCall *what) {
  NbTaggedField untold[NB_MOST_FIELDS];
  add_copied_fields(types, call, what->to);
  add_copied_fields(types, call, what->from);
  unsigned count = nb_tags_untold(types, call, what, untold);
  bool cut = !LLVMIsAConstantInt(what->bytes);
  for (unsigned i = 0; i < count; i++) {
    int64_t offset = (int64_t)untold[i].offset;
    flow(types, &(Part){call, what->to, what->from, offset, untold[i].size, .cut = cut});
    flow(types, &(Part){call, what->from, what->to, offset, untold[i].size, .cut = cut});
  }
}

/* Does the declaration of a struct say that it is a pointer which is moved? */
static bool moves_link(LLVMValueRef store, const NbMoved *moved) {
  bool link = nb_access_is_of_link(store);
  for (unsigned i = 0; i < moved->count; i++)
    link |= LLVMIsALoadInst(moved->items[i]) && nb_access_is_of_link(moved->items[i]);
  return link;
}

/* Do types say that it is of a struct's member, a pointer? */
static bool is_of_typed_member(LLVMValueRef access) {
  const char *name = nb_tbaa_name(access);
  LLVMValueRef pointer = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
  bool tagged = nb_access_names_pointer(access) && nb_access_is_field(access, pointer);
  return (name && nb_tbaa_is_class_pointer(name)) ||
         (nb_access_is_of_pointer(access) && (tagged || nb_access_is_typed(access)));
}

/* Is there memory that the pointer may lead to? What is counted up from null leads to none. */
static bool leads_somewhere(const NbTypes *types, LLVMValueRef pointer) {
  const NbPlaces *whole = types->places->whole;
  return nb_places_reaches(whole ? whole : types->places, pointer);
}

void nb_facts_visit_move(NbTypes *types, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), to = LLVMGetOperand(store, 1);
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
  if (!pointer || LLVMIsAConstant(value) || nb_access_is_slot(store))
    return;
  const NbMoved moved = nb_moved_with(value);
  uint64_t bytes = nb_store_size(types->context, LLVMTypeOf(value));
  bool link = moves_link(store, &moved), member = is_of_typed_member(store);
  for (unsigned i = 0; i < moved.count && !moved.failed; i++) {
    LLVMValueRef load = moved.items[i];
    LLVMValueRef from = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
    if (!from || !leads_somewhere(types, from) || !leads_somewhere(types, to) ||
        (member && is_of_typed_member(load)))
      continue;
    flow(types, &(Part){store, to, from, 0, bytes, .move = true, .link = link});
    flow(types, &(Part){store, from, to, 0, bytes, .move = true, .link = link});
  }
}

/* Where a callee's pointer leads into our memory may not be known, but how it is aligned. */
static void add_shifted(NbTypes *types, const NbClass *class, NbFacts *to, const NbFacts *from,
                        NbOffsets shift) {
  unsigned count = from->count;
  to->full |= from->full;
  for (unsigned i = 0; i < count; i++) {
    NbFact fact = from->items[i];
    nb_facts_shift(&fact, shift);
    if (fact.aligned && nb_facts_starts_aligned(class, fact.size))
      fact.place = nb_place_aligned(fact.place, fact.size);
    nb_facts_add_to(types, to, fact);
  }
}

static void add_theirs(NbTypes *types, NbClass *ours, NbTypes *group, NbClass *theirs,
                       NbOffsets shift) {
  NbFacts *facts = nb_facts_of(group, theirs);
  NbFacts *mine = nb_facts_of(types, ours);
  mine->untyped |= facts->untyped;
  mine->copied |= facts->copied;
  mine->cleared |= facts->cleared;
  types->changed |= facts->filled && !mine->filled;
  mine->filled |= facts->filled;
  add_shifted(types, ours, mine, facts, shift);
  add_shifted(types, ours, nb_facts_of_integers(types, ours), nb_facts_of_integers(group, theirs),
              shift);
  add_shifted(types, ours, nb_facts_of_moves(types, ours), nb_facts_of_moves(group, theirs), shift);
}

/* What the callee knows of each member of its class, if that is what the facts are about. */
static void add_given(NbTypes *types, LLVMValueRef call, NbTypes *group, NbClass *theirs) {
  const NbMembers *given = nb_types_given(group, theirs);
  NbOffsets shift = nb_places_of_bound(types->places, call, theirs);
  if (!given->count && nb_places_reaches_bound(types->places, call, theirs))
    add_theirs(types, types->class, group, theirs, shift);
  for (unsigned i = 0; i < given->count; i++) {
    NbTypes *member = given->items[i];
    if (nb_places_of_given(types->places, call, theirs, member->places, &shift))
      add_theirs(types, types->class, member, theirs, shift);
  }
}

static void add_bound(NbTypes *types, LLVMValueRef call, NbBinding *binding) {
  NbTypes *group = nb_types_of_group(binding->group);
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
    if (types->class && types->class == ours)
      add_given(types, call, group, theirs);
    else if (!types->class)
      add_theirs(types, ours, group, theirs, nb_places_of_bound(types->places, call, theirs));
  }
}

void nb_facts_visit_call(NbTypes *types, LLVMValueRef call) {
  NbCall what = nb_call_of(types->context, call);
  NbBinding *binding = nb_map_get(types->objects->bindings, call);
  if (what.kind == NB_CALL_COPY)
    add_copy(types, call, &what);
  else if (what.kind == NB_CALL_FILL && what.to)
    nb_facts_of(types, nb_value_class(types->objects, what.to))->cleared = true;
  else if (what.kind == NB_CALL_ROW)
    nb_facts_add_row(types, call, &what);
  else if (binding)
    add_bound(types, call, binding);
}
