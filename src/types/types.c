// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Layouts of regions of memory, from the facts of its class. */
#include "types/pieces.h"
#include "types/query.h"

enum { LARGEST_SPELLED = 512 };

NbTypes *nb_types_in(NbContext *context, NbArena *arena, NbObjects *objects) {
  NbTypes *types = NB_NEW(arena, NbTypes);
  types->context = context;
  types->objects = objects;
  types->arena = arena;
  types->places = objects->places;
  types->facts = nb_map_new(arena);
  types->integers = nb_map_new(arena);
  types->moves = nb_map_new(arena);
  types->unions = nb_map_new(arena);
  types->arrivals = nb_map_new(arena);
  types->pointerless = nb_map_new(arena);
  types->returns = nb_map_new(arena);
  types->unboxed = nb_map_new(arena);
  types->owners = nb_map_new(arena);
  types->leaving = nb_map_new(arena);
  types->members = nb_map_new(arena);
  types->given = nb_map_new(arena);
  nb_facts_solve(types);
  types->solved = true;
  return types;
}

NbTypes *nb_types_of(NbContext *context, NbObjects *objects, LLVMValueRef function) {
  (void)function;
  return nb_types_in(context, context->arena, objects);
}

NbTypes *nb_types_of_group(NbObjects *group) {
  if (!group->types) {
    group->types = nb_types_in(group->context, group->arena, group);
    nb_types_find_bits(group->types);
  }
  return group->types;
}

/* --- Layouts. --------------------------------------------------------------------------------- */

/* Bytes without a fact, in memory that others may access: too few for a double or a pointer, they
 * are padding or a float, and to treat them as one does no harm. False where they may be more. */
static bool add_gap(NbQuery *query, NbPieces *pieces, uint64_t from, uint64_t to, uint64_t period) {
  if (!query->external)
    return true;
  uint64_t origin = (uint64_t)query->base;
  LLVMTypeRef type = LLVMFloatTypeInContext(query->types->context->llvm);
  while (from < to && (origin + from) % 4)
    from++;
  for (; from + 4 <= to; from += 4) {
    if ((origin + from) % 8 == 0 && from + 8 <= to)
      return false;
    nb_pieces_add(pieces, (NbPiece){from, 4, period, NB_KIND_FLOAT, type, 0});
  }
  return true;
}

/* Is there no fact, or only what is left of a float whose beginning is something else? */
static bool is_gap(const NbQuery *query, NbByte byte, uint64_t at) {
  if (byte.kind != NB_KIND_FLOAT || byte.start)
    return byte.kind == NB_KIND_UNKNOWN;
  if (byte.inside > at)
    return true;
  NbByte before = nb_query_classify(query, at - byte.inside);
  bool shorter = before.kind == NB_KIND_FLOAT && before.start && before.left <= byte.inside;
  return shorter || before.kind == NB_KIND_INTEGER || before.kind == NB_KIND_POINTER;
}

/* Does another float begin among the bytes of the one there, as an access has found it? */
static bool is_overlapped(NbQuery *query, NbByte byte, uint64_t at) {
  if (byte.left <= 4 || !nb_query_overlaps(query, byte, at))
    return false;
  NbByte other = nb_query_classify(query, at + 4);
  return other.kind == NB_KIND_CONFLICT ||
         (other.kind == NB_KIND_FLOAT && (other.type != byte.type || other.start));
}

/* How many of the `length` bytes from there on are of the integer or pointer that begins there: an
 * index that leads out of its array may have found one of which others know the end to be a
 * float's.
 */
static uint64_t length_of(NbQuery *query, NbByte byte, uint64_t at, uint64_t length) {
  bool other = byte.kind != NB_KIND_INTEGER && byte.kind != NB_KIND_POINTER;
  for (uint64_t same = 1; same < length && !other; same++) {
    NbKind kind = nb_query_classify(query, at + same).kind;
    if (kind == NB_KIND_FLOAT || kind == NB_KIND_CONFLICT)
      return same;
  }
  return length;
}

/* Spells out [from, to). False where some byte may be anything. */
static bool spell(NbQuery *query, NbPieces *pieces, uint64_t from, uint64_t to, uint64_t period) {
  bool sure = true;
  for (uint64_t at = from; at < to;) {
    uint64_t gap = at;
    NbByte byte = nb_query_classify(query, at);
    while (is_gap(query, byte, at) && ++at < to)
      byte = nb_query_classify(query, at);
    if (at > gap)
      sure &= add_gap(query, pieces, gap, at, period);
    if (at == to)
      break;
    bool whole = byte.start && at + byte.left <= to;
    uint64_t length = at + byte.left <= to ? byte.left : to - at;
    uint64_t same = length_of(query, byte, at, length);
    bool cut = byte.kind == NB_KIND_FLOAT && (!whole || is_overlapped(query, byte, at));
    cut |= byte.kind == NB_KIND_POINTER && same < length;
    length = same;
    NbKind kind = cut ? NB_KIND_CONFLICT : byte.kind;
    nb_pieces_add(pieces, (NbPiece){at, length, period, kind, cut ? NULL : byte.type, 0});
    at += length;
  }
  return sure;
}

/* Where the last byte ends of which facts speak that end; where others begin, if that is later. */
static uint64_t end_of_facts(const NbQuery *query) {
  uint64_t end = 0;
  for (unsigned s = 0; s < query->count; s++) {
    for (unsigned i = 0; i < query->spots[s].count; i++) {
      const NbFact *fact = &query->spots[s].items[i].fact;
      const NbOffsets *place = &fact->place;
      int64_t last = place->base + (int64_t)((place->count - 1) * place->inner);
      if (place->period)
        last = place->high;
      bool ends = last != INT64_MAX;
      int64_t here = ends ? last + (int64_t)fact->size : place->low;
      if (here > (int64_t)end)
        end = (uint64_t)here;
    }
  }
  return end;
}

/* Is the byte what those `tail` bytes and whole periods further on are? */
static bool repeats_at(const NbQuery *query, uint64_t period, uint64_t tail, uint64_t offset) {
  NbByte here = nb_query_classify(query, offset);
  NbByte later = nb_query_classify(query, tail + offset % period);
  return here.kind == later.kind && here.type == later.type && here.start == later.start;
}

/* Is the memory before the place begins what it is in each period of those that follow? */
static bool repeats_before(const NbQuery *query, const NbOffsets *place, uint64_t period,
                           uint64_t tail) {
  if (place->low > NB_LARGEST_PERIOD)
    return false;
  for (int64_t offset = 0; offset < place->low; offset++)
    if (!repeats_at(query, period, tail + period, (uint64_t)offset))
      return false;
  return true;
}

/* Is what facts about single places say what those that go on say of all places? */
static bool repeats(const NbQuery *query, uint64_t period, uint64_t size) {
  uint64_t tail = (end_of_facts(query) + period - 1) / period * period;
  NbMap *asked = nb_map_new(query->types->arena);
  for (unsigned s = 0; s < query->count; s++) {
    for (unsigned i = 0; i < query->spots[s].count; i++) {
      const NbFact *fact = &query->spots[s].items[i].fact;
      const NbOffsets *place = &fact->place;
      if (place->period && (place->high < INT64_MAX || !repeats_before(query, place, period, tail)))
        return false;
      if (place->period || fact->declared)
        continue;
      for (uint64_t j = 0; j < place->count; j++) {
        int64_t offset = place->base + (int64_t)(j * place->inner);
        const void *key = (const void *)((uintptr_t)offset + 1);
        if (offset < 0 || (uint64_t)offset >= size || nb_map_has(asked, key))
          continue;
        nb_map_set(asked, key, asked);
        if (!repeats_at(query, period, tail, (uint64_t)offset))
          return false;
      }
    }
  }
  return true;
}

/* Is the fact of floats, of a type and whole numbers of them apart, that are no struct's members?
 * Those at a stride are not where an index counts them. */
static bool is_of_floats(const NbFact *fact, LLVMTypeRef type) {
  const NbOffsets *place = &fact->place;
  bool apart = place->base % (int64_t)fact->size || place->period % fact->size ||
               (place->count > 1 && place->inner % fact->size);
  bool counted = place->period <= fact->size || fact->counted;
  return fact->kind == NB_KIND_FLOAT && (!type || fact->type == type) && !apart &&
         (fact->declared || (counted && !fact->field));
}

/* The type of all floats of the query, where it knows nothing but such floats, whole numbers of
 * them apart. */
static LLVMTypeRef all_floats(const NbQuery *query) {
  LLVMTypeRef type = NULL;
  for (unsigned s = 0; s < query->count; s++) {
    for (unsigned i = 0; i < query->spots[s].count; i++) {
      const NbFact *fact = &query->spots[s].items[i].fact;
      if (!is_of_floats(fact, type))
        return NULL;
      type = fact->type;
    }
  }
  return type;
}

static NbLayout unknown_layout(void) { return (NbLayout){NULL, 0, true}; }

/* A number of bytes that is known to be a whole number of floats, and no more, is that of an array
 * of them, if nothing else is there: structs would be cut. The floats may be accessed at a stride.
 */
static LLVMTypeRef counted_floats(const NbQuery *query, uint64_t factor) {
  LLVMTypeRef type = query->blind ? NULL : all_floats(query);
  bool counted = type && LLVMABISizeOfType(query->types->context->layout, type) == factor;
  return counted ? type : NULL;
}

static NbLayout periodic_layout(NbQuery *query, uint64_t size, uint64_t factor) {
  NbPieces pieces = {.arena = query->types->arena};
  uint64_t period = nb_query_period(query);
  LLVMTypeRef type = counted_floats(query, factor);
  if (type) {
    nb_pieces_add(&pieces, (NbPiece){0, factor, factor, NB_KIND_FLOAT, type, 0});
    return (NbLayout){pieces.items, pieces.count, false};
  }
  if (!period || !repeats(query, period, size))
    return unknown_layout();
  bool sure = spell(query, &pieces, 0, period, period);
  nb_pieces_shorten(&pieces, period);
  nb_pieces_compress(&pieces, period);
  uint64_t whole = pieces.count == 1 && pieces.items->period ? pieces.items->period : period;
  uint64_t multiple = size == NB_UNKNOWN_SIZE ? factor : size;
  return (NbLayout){pieces.items, pieces.count, !sure || multiple % whole != 0};
}

/* Elements that are alike, of some of which facts may tell nothing. */
static NbLayout element_layout(NbQuery *query, uint64_t size, uint64_t factor) {
  NbPieces pieces = {.arena = query->types->arena};
  NbElement element;
  if (!nb_query_find_element(query, size == NB_UNKNOWN_SIZE ? factor : size, size, &element))
    return unknown_layout();
  uint64_t end = element.offset + element.size;
  bool sure = spell(query, &pieces, element.offset, end, element.size);
  for (unsigned i = 0; i < pieces.count; i++)
    pieces.items[i].offset -= element.offset;
  nb_pieces_shorten(&pieces, element.size);
  nb_pieces_compress(&pieces, element.size);
  return (NbLayout){pieces.items, pieces.count, !sure};
}

/* Does a fact speak of all bytes from some place on? */
static bool goes_on(const NbQuery *query) {
  for (unsigned s = 0; s < query->count; s++) {
    for (unsigned i = 0; i < query->spots[s].count; i++) {
      const NbOffsets *place = &query->spots[s].items[i].fact.place;
      if (place->period && place->high == INT64_MAX)
        return true;
    }
  }
  return false;
}

/* Of memory that nothing else accesses, the facts say all, if they end. */
static NbLayout bounded_layout(NbQuery *query, uint64_t factor) {
  NbPieces pieces = {.arena = query->types->arena};
  uint64_t end = end_of_facts(query);
  if (query->external || end > NB_QUERY_LARGEST)
    return unknown_layout();
  bool sure = spell(query, &pieces, 0, end, 0);
  bool cut = nb_pieces_may_cut(&pieces, factor);
  nb_pieces_shorten(&pieces, end);
  return (NbLayout){pieces.items, pieces.count, !sure || cut};
}

/* The first place from which on the facts repeat, and an element begins. */
static uint64_t start_of_tail(const NbQuery *query, uint64_t period) {
  uint64_t head = end_of_facts(query);
  for (uint64_t at = head; at < head + period; at++) {
    NbByte byte = nb_query_classify(query, at);
    if (byte.start && !is_gap(query, byte, at))
      return at;
  }
  return head;
}

/* What only some facts speak of stands at the beginning; the others repeat from there on. */
static NbLayout headed_layout(NbQuery *query, uint64_t factor) {
  NbPieces pieces = {.arena = query->types->arena};
  uint64_t period = nb_query_period(query);
  uint64_t head = period ? start_of_tail(query, period) : NB_QUERY_LARGEST;
  if (!head || head > LARGEST_SPELLED)
    return unknown_layout();
  bool sure = spell(query, &pieces, 0, head, 0);
  sure &= spell(query, &pieces, head, head + period, period);
  nb_pieces_compress(&pieces, head + period);
  return (NbLayout){pieces.items, pieces.count, !sure || nb_pieces_may_cut(&pieces, factor)};
}

/* How many bytes there are at most behind the pointers, as their objects end; 0: not known. */
static uint64_t most_bytes(const NbQuery *query) {
  uint64_t most = 0;
  for (unsigned s = 0; s < query->count; s++) {
    uint64_t extent = query->spots[s].extent;
    most = extent > most ? extent : most;
  }
  return query->open ? 0 : most;
}

/* What may be copied at most is spelled out. Where numbers travel as integers, which of the bytes
 * the copy reaches is no matter of bounds. */
static NbLayout whole_layout(NbQuery *query, uint64_t most, uint64_t factor) {
  NbPieces pieces = {.arena = query->types->arena};
  if (!most || most > NB_QUERY_LARGEST)
    return unknown_layout();
  for (uint64_t at = 0; at < most; at++)
    if (nb_query_is_contested(query, at))
      return unknown_layout();
  bool sure = spell(query, &pieces, 0, most, 0);
  nb_pieces_shorten(&pieces, most);
  return (NbLayout){pieces.items, pieces.count, !sure || nb_pieces_may_cut(&pieces, factor)};
}

/* Within one memory the order matters in which the pieces are moved: that is known among pieces of
 * one period alone. */
static bool is_ordered(const NbQuery *query, const NbLayout *layout) {
  for (unsigned i = 1; query->within && i < layout->count; i++)
    if (layout->pieces[i].period != layout->pieces[0].period)
      return false;
  return true;
}

/* Of an unknown number of bytes, if they are not a whole number of elements that repeat. What goes
 * on behind its object leaves it. */
static NbLayout open_layout(NbQuery *query, uint64_t factor) {
  NbLayout layout = goes_on(query) ? headed_layout(query, factor) : bounded_layout(query, factor);
  if (nb_layout_is_known(&layout) && is_ordered(query, &layout))
    return layout;
  NbLayout whole = whole_layout(query, most_bytes(query), factor);
  if (nb_layout_is_known(&whole))
    return whole;
  NbLayout elements = element_layout(query, NB_UNKNOWN_SIZE, factor);
  return nb_layout_is_known(&elements) ? elements : layout;
}

/* `factor` divides the number of bytes where it is not known; 0 where nothing is known of it. A
 * layout that repeats is only given for whole periods. */
static NbLayout answer(NbQuery *query, uint64_t size, uint64_t factor) {
  unsigned facts = 0;
  if (!size)
    return (NbLayout){NULL, 0, false};
  for (unsigned i = 0; i < query->count; i++) {
    for (unsigned k = 0; k < query->spots[i].count; k++)
      facts +=
          !query->spots[i].items[k].before && !nb_query_is_piece(&query->spots[i].items[k].fact);
  }
  if (query->lost || !facts)
    return (NbLayout){NULL, 0, query->lost || query->external || query->blind};
  if (query->blind && !query->external)
    query->external = true;
  if (size > LARGEST_SPELLED) {
    query->repeats = true;
    NbLayout layout = periodic_layout(query, size, factor);
    query->repeats = false;
    if (layout.unknown && size == NB_UNKNOWN_SIZE)
      return open_layout(query, factor);
    if (!layout.unknown)
      return layout;
    if (size > NB_QUERY_LARGEST)
      return element_layout(query, size, factor);
  }
  NbPieces pieces = {.arena = query->types->arena};
  bool sure = spell(query, &pieces, 0, size, 0);
  nb_pieces_compress(&pieces, size);
  return (NbLayout){pieces.items, pieces.count, !sure};
}

/* Does a callee copy bytes of the class, or move words of it? */
static bool hands_on(const NbTypes *types, LLVMValueRef call, NbMap *classes) {
  const NbBinding *binding = nb_map_get(types->objects->bindings, call);
  for (unsigned i = 0; binding && i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
    const NbFacts *facts = nb_facts_of(nb_types_of_group(binding->group), theirs);
    if (nb_map_has(classes, ours) && (facts->copied || facts->untyped))
      return true;
  }
  return false;
}

/* Adds the class that the call copies to from one in the list; true where others may access that.
 */
static bool copies_out(const NbTypes *types, LLVMValueRef call, NbMap *classes) {
  NbCall what = nb_call_of(types->context, call);
  if (what.kind == NB_CALL_BODY)
    return hands_on(types, call, classes);
  if (what.kind != NB_CALL_COPY ||
      !nb_map_has(classes, nb_class_find(nb_value_class(types->objects, what.from))))
    return false;
  NbClass *to = nb_class_find(nb_value_class(types->objects, what.to));
  if (!nb_map_has(classes, to))
    nb_map_set(classes, to, to);
  return nb_class_is_external(to);
}

/* Are bytes of the class copied on to memory that others may access, or by others? */
static bool find_leaving(const NbTypes *types, NbClass *class) {
  NbMap *classes = nb_map_new(types->arena);
  unsigned before = 0;
  nb_map_set(classes, class, class);
  while (before != nb_map_count(classes)) {
    before = nb_map_count(classes);
    for (unsigned i = 0; i < types->objects->functions.count; i++) {
      LLVMValueRef at = nb_instruction_first(types->objects->functions.items[i]);
      for (; at; at = nb_instruction_next(at))
        if (nb_is_call(at) && copies_out(types, at, classes))
          return true;
    }
  }
  return false;
}

static bool is_leaving(NbTypes *types, LLVMValueRef pointer) {
  enum { STAYS = 1, LEAVES };
  NbClass *class = nb_class_find(nb_value_class(types->objects, pointer));
  if (!nb_map_has(types->leaving, class))
    nb_map_set(types->leaving, class,
               (void *)(uintptr_t)(find_leaving(types, class) ? LEAVES : STAYS));
  return (uintptr_t)nb_map_get(types->leaving, class) == LEAVES;
}

/* Of what is copied at most, where the run tells how much of that is. */
static NbLayout layout_within(NbQuery *query, uint64_t most, uint64_t factor) {
  bool told = !query->lost && !query->blind && most != NB_UNKNOWN_SIZE;
  NbLayout layout = told ? whole_layout(query, most, factor) : unknown_layout();
  layout.unknown |= !is_ordered(query, &layout);
  return layout;
}

static bool is_external(NbTypes *types, LLVMValueRef pointer) {
  return nb_types_outlives(types, nb_value_class(types->objects, pointer));
}

NbLayout nb_facts_layout(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbQuery query = {.types = types, .external = is_external(types, pointer)};
  nb_query_look(&query, types, pointer, size, 1);
  nb_query_find_shared(&query);
  return answer(&query, size, 0);
}

/* `size`: how many bytes are looked at. */
static NbQuery query_of_transfer(NbTypes *to, NbTypes *from, const NbCall *what, uint64_t size) {
  bool external = is_external(to, what->to) || is_leaving(to, what->to);
  NbQuery query = {.types = to, .external = external, .copied = true};
  nb_query_look(&query, to, what->to, size, nb_facts_argument_align(what->call, what->to));
  if (what->from != what->to) {
    nb_query_look(&query, from, what->from, size, nb_facts_argument_align(what->call, what->from));
    query.within = nb_value_class(to->objects, what->to) == nb_value_class(to->objects, what->from);
  }
  nb_query_find_shared(&query);
  return query;
}

enum { SHORTEST_WORD = 4 };

/* Is what is told of the bytes before the spot an integer in the same word, and nothing of itself?
 */
static bool follows_integer(const NbSpot *spot, int64_t before) {
  bool follows = false;
  for (unsigned i = 0; i < spot->count; i++) {
    const NbSeen *seen = &spot->items[i];
    const NbOffsets *place = &seen->fact.place;
    bool told = seen->fact.kind == NB_KIND_INTEGER && !nb_query_is_piece(&seen->fact);
    bool near = place->base >= -before && place->base + (int64_t)seen->fact.size <= 0;
    if (!seen->before)
      return false;
    follows |= seen->definite && told && near && nb_fact_is_within(&seen->fact);
  }
  return follows;
}

/* Are the bytes of no number, being what is left of a word in which an integer lies, or all of an
 * object that nobody accesses and that is too short for a number? */
static bool is_rest_of_word(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbOffsets place = nb_places_of(types->places, pointer);
  NbQuery query = {.types = types};
  nb_query_look(&query, types, pointer, size, 1);
  bool own = !query.open && !nb_facts_of(types, nb_value_class(types->objects, pointer))->count;
  int64_t before = (place.base % SHORTEST_WORD + SHORTEST_WORD) % SHORTEST_WORD;
  bool rest = before + (int64_t)size <= SHORTEST_WORD && nb_place_step(&place) % SHORTEST_WORD == 0;
  for (unsigned i = 0; i < query.count; i++)
    rest &= (own && query.spots[i].extent == size) || follows_integer(&query.spots[i], before);
  return rest && !query.lost;
}

static bool is_padding(NbTypes *to, NbTypes *from, const NbCall *what, uint64_t size) {
  return size < SHORTEST_WORD && is_rest_of_word(to, what->to, size) &&
         is_rest_of_word(from, what->from, size);
}

NbLayout nb_facts_transfer(NbTypes *to, NbTypes *from, const NbCall *what) {
  bool constant = LLVMIsAConstantInt(what->bytes) != NULL;
  uint64_t size = constant ? LLVMConstIntGetZExtValue(what->bytes) : NB_UNKNOWN_SIZE;
  uint64_t factor = nb_integer_factor(to->places, what->bytes);
  if (factor % what->unit)
    factor *= what->unit / nb_gcd(factor, what->unit);
  if (!constant && what->most != NB_UNKNOWN_SIZE) {
    NbQuery bounded = query_of_transfer(to, from, what, what->most);
    NbLayout within = layout_within(&bounded, what->most, factor);
    if (nb_layout_is_known(&within))
      return within;
  }
  if (is_padding(to, from, what, size))
    return (NbLayout){NULL, 0, false};
  NbQuery query = query_of_transfer(to, from, what, size);
  NbLayout layout = answer(&query, size, factor);
  layout.unknown |= !is_ordered(&query, &layout);
  return layout;
}
