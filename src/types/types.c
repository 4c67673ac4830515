// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Layouts of regions of memory, from the facts of its class.
 *
 * Several facts may speak of one byte. One of higher rank outweighs others: `a[i]` says that some
 * of the bytes beyond `a` are doubles, the integer field at offset 0 says which are not. Where two
 * of one rank differ, the answer is CONFLICT; of an integer and a float, the float. */
#include "types/facts.h"
#include "types/pieces.h"

#include <stdio.h>
#include <string.h>

enum {
  WIDEST = 8,
  MOST_SPOTS = 64,
  LARGEST_PERIOD = 4096,
  LARGEST_SPELLED = 512,
  LARGEST = 1 << 16
};

NbTypes *nb_types_in(NbContext *context, NbArena *arena, NbObjects *objects) {
  NbTypes *types = NB_NEW(arena, NbTypes);
  types->context = context;
  types->objects = objects;
  types->arena = arena;
  types->places = objects->places;
  types->facts = nb_map_new(arena);
  types->integers = nb_map_new(arena);
  types->returns = nb_map_new(arena);
  types->members = nb_map_new(arena);
  types->given = nb_map_new(arena);
  nb_facts_solve(types);
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

/* --- A query: facts as seen from a pointer. --------------------------------------------------- */

typedef struct Seen {
  NbFact fact;   /* its place is relative to the pointer */
  bool definite; /* holds wherever the pointer points, not only sometimes */
  bool before;   /* of what lies before the region alone */
  bool own;      /* from accesses to a field that lies just where the region does */
} Seen;

/* One spot of the places where the pointer may point: those that differ by multiples of a period.
 */
typedef struct Spot {
  Seen *items;
  unsigned count, capacity;
  uint64_t extent; /* of the object from here on; 0: not known */
  uint64_t shared; /* the greatest rank of struct's members where arrays of floats start */
} Spot;

typedef struct Query {
  NbTypes *types;
  Spot *spots;
  unsigned count;
  int64_t base;  /* for alignment */
  bool external; /* bytes without a fact may be accessed elsewhere */
  bool lost;     /* there were too many facts: those left may be the wrong ones */
  bool blind;    /* integers were accessed that may carry anything */
  bool mixed;    /* facts may be of another object than the pointer's: none outranks another */
  bool shared;   /* memory that exists before or after the function */
  bool copied;   /* bytes that are copied */
  bool repeats;  /* what is said of the first bytes is said of others, a period apart */
} Query;

/* What a byte of the region is. */
typedef struct Byte {
  NbKind kind;
  LLVMTypeRef type;
  uint64_t left;   /* bytes of the element from here on */
  uint64_t inside; /* and before */
  bool start;      /* of the element */
} Byte;

static bool apart(const NbFact *fact, const NbOffsets *place, uint64_t size) {
  bool below = fact->place.high != INT64_MAX && place->low != INT64_MIN &&
               fact->place.high + (int64_t)fact->size <= place->low;
  bool above = fact->place.low != INT64_MIN && place->high != INT64_MAX &&
               size < (uint64_t)LARGEST && fact->place.low >= place->high + (int64_t)size;
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

/* Does the fact say what lies there only if an index leads out of its array? */
static bool is_beyond(const NbFact *fact) { return fact->beyond || fact->further; }

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
 * place, and its float or pointer is no struct's field. */
static bool is_own(const NbFact *fact, const NbOffsets *place, uint64_t size) {
  bool plain = fact->kind == NB_KIND_FLOAT || fact->kind == NB_KIND_POINTER;
  bool field = fact->field || (plain && fact->place.count == 1);
  return field && !fact->declared && !fact->moved && !is_beyond(fact) && fact->size == size &&
         is_one_of(&fact->place, place);
}

static void see(Query *query, Spot *spot, const NbFact *fact, const NbOffsets *place, bool before) {
  if (spot->count == spot->capacity) {
    spot->capacity = spot->capacity ? spot->capacity * 2 : 16;
    Seen *items = NB_NEW_ARRAY(query->types->arena, Seen, spot->capacity);
    if (spot->count)
      memcpy(items, spot->items, spot->count * sizeof *items);
    spot->items = items;
  }
  Seen *seen = &spot->items[spot->count++];
  seen->fact = *fact;
  seen->fact.place = nb_place_relative(fact->place, place);
  seen->definite = is_definite(&fact->place, place);
  seen->before = before;
}

/* Adds what the fact says of the region at one spot; of a small region also what it says of the
 * bytes before it, where a float that reaches into it would begin. */
static void look_at(Query *query, Spot *spot, const NbFact *fact, const NbOffsets *here,
                    uint64_t size) {
  NbOffsets start = nb_place_shift(*here, 1 - WIDEST);
  bool inside = !apart(fact, here, size);
  if (inside || (size < WIDEST && !apart(fact, &start, size + WIDEST - 1)))
    see(query, spot, fact, here, !inside);
  if (inside)
    spot->items[spot->count - 1].own = is_own(fact, here, size);
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

/* The object ends where the region at the spot cannot go on. */
static void limit(Spot *spot, const NbFacts *facts, const NbOffsets *here) {
  int64_t at = here->base - facts->begin;
  bool known = facts->extent <= LARGEST && nb_place_is_exact(here) && at >= 0 &&
               (uint64_t)at < facts->extent;
  uint64_t extent = known ? facts->extent - (uint64_t)at : 0;
  if (extent && (!spot->extent || extent < spot->extent))
    spot->extent = extent;
}

/* Spells the places that accesses through the pointer reach; too many become one that repeats. */
static unsigned spots_of(NbTypes *types, LLVMValueRef pointer, NbOffsets *spots) {
  NbSpread spread = nb_places_spread(types->places, pointer);
  uint64_t count = 0;
  for (unsigned i = 0; i < spread.count; i++)
    count += spread.items[i].count;
  if (count > MOST_SPOTS) {
    *spots = nb_places_of(types->places, pointer);
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

/* Adds what is known at `pointer` to the query, one spot for each index of an inner array. */
static void look(Query *query, NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbClass *class = nb_value_class(types->objects, pointer);
  NbFacts *facts = nb_facts_of(types, class);
  NbOffsets places[MOST_SPOTS];
  unsigned spots = spots_of(types, pointer, places);
  if (!query->spots) {
    query->spots = NB_NEW_ARRAY(types->arena, Spot, MOST_SPOTS);
    query->count = spots;
  }
  query->lost |= facts->full;
  query->blind |= facts->untyped;
  query->mixed |= nb_types_is_mixed(types, class);
  query->shared |= nb_types_outlives(types, class);
  for (unsigned i = 0; i < MOST_SPOTS; i++) {
    const NbOffsets here = places[i % spots];
    limit(&query->spots[i], facts, &here);
    for (unsigned k = 0; k < facts->count; k++)
      look_at(query, &query->spots[i], &facts->items[k], &here, size);
    if (i + 1 >= spots && i + 1 >= query->count)
      break;
  }
  if (spots > query->count)
    query->count = spots;
  query->base = places[0].base;
}

static Byte unknown_byte(void) { return (Byte){NB_KIND_UNKNOWN, NULL, 1, 0, true}; }

static Byte byte_of(const Seen *seen, uint64_t offset) {
  Byte byte = {seen->fact.kind, seen->fact.type, 0, 0, false};
  int64_t inside = nb_place_inside(&seen->fact.place, seen->fact.size, (int64_t)offset);
  if (inside < 0)
    return unknown_byte();
  byte.left = seen->fact.size - (uint64_t)inside;
  byte.inside = (uint64_t)inside;
  byte.start = inside == 0;
  return byte;
}

static bool is_either(Byte integer, Byte real) {
  return integer.kind == NB_KIND_INTEGER && real.kind == NB_KIND_FLOAT;
}

/* What may be an integer or a float of one format is moved as the float: the shadow of an integer
 * is zero. */
static Byte agree(Byte a, Byte b) {
  if (a.kind == NB_KIND_UNKNOWN || is_either(a, b))
    return b;
  if (b.kind == NB_KIND_UNKNOWN || is_either(b, a))
    return a;
  bool floats = a.kind == NB_KIND_FLOAT && (a.type != b.type || a.left != b.left);
  if (a.kind != b.kind || floats)
    return (Byte){NB_KIND_CONFLICT, NULL, a.left < b.left ? a.left : b.left, 0, true};
  return a.left < b.left ? a : b;
}

/* Do accesses other than moves of pointers say what the byte is, as sure as these do? Optimisers
 * move whatever it is in pointers. */
static bool is_told(const Spot *spot, uint64_t offset, uint64_t rank) {
  for (unsigned i = 0; i < spot->count; i++) {
    const NbFact *fact = &spot->items[i].fact;
    if (!fact->declared && !fact->moved && fact->rank >= rank &&
        byte_of(&spot->items[i], offset).kind != NB_KIND_UNKNOWN)
      return true;
  }
  return false;
}

/* Is the fact about the same places, however its rank? It is no index into an array that begins
 * before if its places are as far from each other. */
static bool is_as_far_apart(const NbFact *fact, uint64_t distance) {
  bool kind = fact->kind == NB_KIND_FLOAT || fact->kind == NB_KIND_POINTER;
  return kind && !fact->declared && !fact->moved && !is_beyond(fact) && !fact->place.loose &&
         fact->place.period >= distance;
}

/* Has an access found a float there, though by an index that may not lead as far? */
static bool is_float_there(const NbFact *fact) {
  return fact->kind == NB_KIND_FLOAT && !fact->declared && !is_beyond(fact);
}

/* Is the fact about a member of structs in an array that is no array itself? */
static bool is_member(const NbFact *fact) {
  bool other = fact->kind == NB_KIND_INTEGER || fact->kind == NB_KIND_POINTER;
  bool real = fact->kind == NB_KIND_FLOAT && fact->field && fact->place.count == 1;
  bool known = other || (real && !fact->declared);
  return known && !fact->moved && fact->rank != UINT64_MAX;
}

/* Does what the fact says contradict that the memory is an array of structs with that member? */
static bool contradicts(const NbFact *fact, const NbFact *member) {
  bool far = !fact->place.period || fact->place.period >= member->rank;
  bool other = fact->start || member->kind != NB_KIND_FLOAT;
  return far && other && nb_place_meets(&fact->place, fact->size, &member->place, member->size);
}

/* Finds of each spot where arrays of floats start among the members of structs. */
static void find_shared(Query *query) {
  for (unsigned s = 0; s < query->count && query->shared; s++) {
    Spot *spot = &query->spots[s];
    for (unsigned i = 0; i < spot->count; i++) {
      const NbFact *fact = &spot->items[i].fact;
      for (unsigned k = 0; k < spot->count && is_float_there(fact) && !fact->place.loose; k++) {
        const NbFact *member = &spot->items[k].fact;
        if (is_member(member) && member->rank > spot->shared && contradicts(fact, member))
          spot->shared = member->rank;
      }
    }
  }
}

/* Members of a union lie at the same places; only those of structs are fields. Where an array of
 * floats starts at the place of a struct's member, its elements lie at those of others. */
static Byte agree_with_union(const Spot *spot, uint64_t offset, uint64_t rank, Byte byte) {
  bool known = byte.kind == NB_KIND_INTEGER || byte.kind == NB_KIND_POINTER;
  for (unsigned i = 0; i < spot->count && known && rank > 1 && rank != UINT64_MAX; i++) {
    const NbFact *fact = &spot->items[i].fact;
    bool array = rank <= spot->shared && is_float_there(fact);
    if (array || is_as_far_apart(fact, rank))
      byte = agree(byte, byte_of(&spot->items[i], offset));
  }
  return byte;
}

/* How sure the surest access is that an element begins `inside` bytes before this one, and ends
 * before it; 0: there is none. */
static uint64_t surest_head(const Query *query, const Spot *spot, uint64_t offset,
                            uint64_t inside) {
  uint64_t surest = 0;
  for (unsigned i = 0; inside && !query->mixed && i < spot->count; i++) {
    const Seen *seen = &spot->items[i];
    bool surer = !seen->fact.declared && seen->definite && seen->fact.rank > surest;
    Byte head = surer ? byte_of(seen, offset - inside) : unknown_byte();
    if (head.kind != NB_KIND_UNKNOWN && head.start && head.left <= inside)
      surest = seen->fact.rank;
  }
  return surest;
}

/* The surest heads of one byte, each looked for once. */
typedef struct Heads {
  uint64_t rank[WIDEST];
  bool known[WIDEST];
} Heads;

/* Is the beginning of what the fact says the byte is a part of, for certain, something else? */
static bool is_beheaded(const Query *query, const Spot *spot, const Seen *part, uint64_t offset,
                        Heads *heads) {
  uint64_t inside = byte_of(part, offset).inside;
  if (inside >= WIDEST)
    return surest_head(query, spot, offset, inside) > part->fact.rank;
  if (!heads->known[inside])
    heads->rank[inside] = surest_head(query, spot, offset, inside);
  heads->known[inside] = true;
  return heads->rank[inside] > part->fact.rank;
}

/* What the fact, from an access or from a declaration, says of the byte. */
static Byte told_byte(const Query *query, const Spot *spot, const Seen *seen, uint64_t offset,
                      bool declared, Heads *heads) {
  bool asked = seen->fact.declared == declared && !is_beheaded(query, spot, seen, offset, heads);
  return asked ? byte_of(seen, offset) : unknown_byte();
}

/* Is the fact sure of the byte? A declaration at one place is not, of others like it. */
static bool is_sure(const Query *query, const Seen *seen) {
  bool once = seen->fact.declared && !seen->fact.place.period;
  return seen->definite && !query->mixed && !(query->repeats && once);
}

static Byte classify_among(const Spot *spot, uint64_t offset, bool declared, const Query *query) {
  uint64_t best = 0;
  bool definite = false;
  Heads heads = {0};
  for (unsigned i = 0; i < spot->count; i++) {
    const Seen *seen = &spot->items[i];
    if (!is_sure(query, seen) || seen->fact.rank < best ||
        told_byte(query, spot, seen, offset, declared, &heads).kind == NB_KIND_UNKNOWN)
      continue;
    definite = true;
    best = seen->fact.rank;
  }
  bool told = definite && !query->shared && is_told(spot, offset, best);
  Byte byte = unknown_byte();
  for (unsigned i = 0; i < spot->count; i++) {
    const Seen *seen = &spot->items[i];
    if ((!definite || seen->fact.rank >= best) && !(told && seen->fact.moved))
      byte = agree(byte, told_byte(query, spot, seen, offset, declared, &heads));
  }
  if (definite)
    byte = agree_with_union(spot, offset, best, byte);
  bool doubtful = query->copied && query->shared && !declared && byte.kind == NB_KIND_POINTER &&
                  !is_told(spot, offset, 0);
  return doubtful ? unknown_byte() : byte;
}

/* Does some access say the same of the byte as the declaration, and is that one of this place? */
static bool is_confirmed(const Spot *spot, uint64_t offset, Byte byte) {
  bool accessed = false, declared = false;
  for (unsigned i = 0; i < spot->count; i++) {
    const NbFact *fact = &spot->items[i].fact;
    Byte other = byte_of(&spot->items[i], offset);
    bool same = other.kind == byte.kind && other.type == byte.type;
    accessed |= same && !fact->declared;
    declared |= same && fact->declared && !fact->place.loose;
  }
  return accessed && declared;
}

static Byte classify_own(const Spot *spot, uint64_t offset) {
  Byte byte = unknown_byte();
  for (unsigned i = 0; i < spot->count; i++)
    if (spot->items[i].own)
      byte = agree(byte, byte_of(&spot->items[i], offset));
  return byte;
}

/* Is the region a field? */
static bool is_own_field(const Spot *spot) {
  for (unsigned i = 0; i < spot->count; i++)
    if (spot->items[i].own)
      return true;
  return false;
}

/* Do accesses that may lie further on than their index goes tell something else of the byte? */
static bool is_doubted(const Spot *spot, uint64_t offset, Byte byte) {
  bool doubted = false;
  for (unsigned i = 0; i < spot->count; i++) {
    const Seen *seen = &spot->items[i];
    Byte other = byte_of(seen, offset);
    if (seen->fact.declared || seen->fact.beyond || other.kind == NB_KIND_UNKNOWN)
      continue;
    if (seen->fact.rank == UINT64_MAX && other.kind == byte.kind)
      return false;
    doubted |= other.kind != byte.kind;
  }
  return doubted;
}

/* What the declaration, or accesses that are surer of their places, tell to be an integer may still
 * be a float that an index has carried there. Memory that no caller sees has a zero shadow where
 * its integers lie: moving these as floats does nothing. Floats of several formats that only lead
 * there if an index leads out of its array do not lead there. */
static Byte agree_with_floats(const Query *query, const Spot *spot, uint64_t offset, Byte byte) {
  bool harmless = byte.kind == NB_KIND_INTEGER && !query->shared;
  Byte all = byte;
  for (unsigned i = 0; harmless && i < spot->count; i++) {
    const NbFact *fact = &spot->items[i].fact;
    if (fact->declared || fact->kind != NB_KIND_FLOAT)
      continue;
    Byte other = byte_of(&spot->items[i], offset);
    all = agree(all, other);
    if (!is_beyond(fact))
      byte = agree(byte, other);
  }
  return all.kind == NB_KIND_CONFLICT ? byte : all;
}

/* Is a float for certain to be found there? What is copied into a field need not be of its type. */
static bool holds_float(const Spot *spot, uint64_t offset) {
  for (unsigned i = 0; i < spot->count; i++) {
    const Seen *seen = &spot->items[i];
    if (seen->definite && seen->fact.rank == UINT64_MAX && is_float_there(&seen->fact) &&
        byte_of(seen, offset).kind == NB_KIND_FLOAT)
      return true;
  }
  return false;
}

/* What accesses to the very field tell. */
static Byte classify_field(const Query *query, const Spot *spot, uint64_t offset) {
  Byte own = classify_own(spot, offset);
  bool real = own.kind == NB_KIND_FLOAT;
  bool told = own.kind != NB_KIND_UNKNOWN && own.kind != NB_KIND_CONFLICT && !query->mixed;
  return told && (real || !holds_float(spot, offset)) ? own : unknown_byte();
}

/* What no access tells, or accesses tell differently, the declaration may: of this object. */
static Byte classify_spot(const Query *query, const Spot *spot, uint64_t offset) {
  Byte own = classify_field(query, spot, offset);
  if (own.kind != NB_KIND_UNKNOWN)
    return own;
  Byte byte = classify_among(spot, offset, false, query);
  bool certain = byte.kind != NB_KIND_UNKNOWN && byte.kind != NB_KIND_CONFLICT;
  if (certain && !is_doubted(spot, offset, byte))
    return byte;
  Byte declared = classify_among(spot, offset, true, query);
  bool tells = declared.kind != NB_KIND_UNKNOWN && declared.kind != NB_KIND_CONFLICT;
  if (certain && !tells)
    return byte;
  bool confirmed = !query->mixed && tells && is_confirmed(spot, offset, declared);
  bool settles = byte.kind == NB_KIND_UNKNOWN || confirmed;
  return settles ? declared : byte;
}

static Byte classify_freely(const Query *query, const Spot *spot, uint64_t offset) {
  Byte byte = classify_spot(query, spot, offset);
  return is_own_field(spot) ? byte : agree_with_floats(query, spot, offset, byte);
}

/* Every spot must say the same, of what lies within the object. */
static Byte classify(const Query *query, uint64_t offset) {
  Byte byte = classify_freely(query, &query->spots[0], offset);
  for (unsigned i = 1; i < query->count; i++) {
    if (query->spots[i].extent && offset >= query->spots[i].extent)
      continue;
    Byte other = classify_freely(query, &query->spots[i], offset);
    if ((byte.kind == NB_KIND_UNKNOWN) != (other.kind == NB_KIND_UNKNOWN))
      return (Byte){NB_KIND_CONFLICT, NULL, 1, 0, true};
    byte = agree(byte, other);
  }
  return byte;
}

/* --- Layouts. --------------------------------------------------------------------------------- */

/* Bytes without a fact, in memory that others may access: too few for a double or a pointer, they
 * are padding or a float, and to treat them as one does no harm. False where they may be more. */
static bool add_gap(Query *query, NbPieces *pieces, uint64_t from, uint64_t to, uint64_t period) {
  if (!query->external)
    return true;
  uint64_t origin = (uint64_t)query->base;
  LLVMTypeRef type = LLVMFloatTypeInContext(query->types->context->llvm);
  while (from < to && (origin + from) % 4)
    from++;
  for (; from + 4 <= to; from += 4) {
    if ((origin + from) % 8 == 0 && from + 8 <= to)
      return false;
    nb_pieces_add(pieces, (NbPiece){from, 4, period, NB_KIND_FLOAT, type});
  }
  return true;
}

/* Is there no fact, or only what is left of a float whose beginning is something else? */
static bool is_gap(const Query *query, Byte byte, uint64_t at) {
  if (byte.kind != NB_KIND_FLOAT || byte.start)
    return byte.kind == NB_KIND_UNKNOWN;
  if (byte.inside > at)
    return true;
  Byte before = classify(query, at - byte.inside);
  bool shorter = before.kind == NB_KIND_FLOAT && before.start && before.left <= byte.inside;
  return shorter || before.kind == NB_KIND_INTEGER || before.kind == NB_KIND_POINTER;
}

/* Spells out [from, to). False where some byte may be anything. */
static bool spell(Query *query, NbPieces *pieces, uint64_t from, uint64_t to, uint64_t period) {
  bool sure = true;
  for (uint64_t at = from; at < to;) {
    uint64_t gap = at;
    Byte byte = classify(query, at);
    while (is_gap(query, byte, at) && ++at < to)
      byte = classify(query, at);
    if (at > gap)
      sure &= add_gap(query, pieces, gap, at, period);
    if (at == to)
      break;
    bool whole = byte.start && at + byte.left <= to;
    uint64_t length = at + byte.left <= to ? byte.left : to - at;
    bool cut = byte.kind == NB_KIND_FLOAT && !whole;
    NbKind kind = cut ? NB_KIND_CONFLICT : byte.kind;
    nb_pieces_add(pieces, (NbPiece){at, length, period, kind, cut ? NULL : byte.type});
    at += length;
  }
  return sure;
}

/* The least common multiple of the periods of all facts; 0 where there is none or it is large. */
static uint64_t common_period(const Query *query) {
  uint64_t period = 0;
  for (unsigned s = 0; s < query->count; s++) {
    for (unsigned i = 0; i < query->spots[s].count; i++) {
      uint64_t other = query->spots[s].items[i].fact.place.period;
      if (other)
        period = period ? period / nb_gcd(period, other) * other : other;
      if (period > LARGEST_PERIOD)
        return 0;
    }
  }
  return period;
}

/* Where the last byte ends of which facts speak that end; where others begin, if that is later. */
static uint64_t end_of_facts(const Query *query) {
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
static bool repeats_at(const Query *query, uint64_t period, uint64_t tail, uint64_t offset) {
  Byte here = classify(query, offset);
  Byte later = classify(query, tail + offset % period);
  return here.kind == later.kind && here.type == later.type && here.start == later.start;
}

/* Is the memory in the first period, before the place begins, what it is in those that follow? */
static bool repeats_before(const Query *query, const NbOffsets *place, uint64_t period,
                           uint64_t tail) {
  if (place->low >= (int64_t)period)
    return false;
  for (int64_t offset = 0; offset < place->low; offset++)
    if (!repeats_at(query, period, tail + period, (uint64_t)offset))
      return false;
  return true;
}

/* Is what facts about single places say what those that go on say of all places? */
static bool repeats(const Query *query, uint64_t period, uint64_t size) {
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

/* The type of all floats of the query, where it knows nothing but such floats, densely placed. */
static LLVMTypeRef all_floats(const Query *query) {
  LLVMTypeRef type = NULL;
  for (unsigned s = 0; s < query->count; s++) {
    for (unsigned i = 0; i < query->spots[s].count; i++) {
      const NbFact *fact = &query->spots[s].items[i].fact;
      if (fact->declared)
        continue;
      bool other = fact->kind != NB_KIND_FLOAT || (type && fact->type != type) ||
                   fact->place.base % (int64_t)fact->size;
      if (other)
        return NULL;
      type = fact->type;
    }
  }
  return type;
}

static NbLayout unknown_layout(void) { return (NbLayout){NULL, 0, true}; }

static NbLayout periodic_layout(Query *query, uint64_t size, uint64_t factor) {
  NbPieces pieces = {.arena = query->types->arena};
  uint64_t period = common_period(query);
  LLVMTypeRef type = all_floats(query);
  uint64_t width = type ? LLVMABISizeOfType(query->types->context->layout, type) : 0;
  if (!period && type && factor == width) {
    nb_pieces_add(&pieces, (NbPiece){0, width, width, NB_KIND_FLOAT, type});
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

/* Does a fact speak of all bytes from some place on? */
static bool goes_on(const Query *query) {
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
static NbLayout bounded_layout(Query *query, uint64_t factor) {
  NbPieces pieces = {.arena = query->types->arena};
  uint64_t end = end_of_facts(query);
  if (query->external || end > LARGEST)
    return unknown_layout();
  bool sure = spell(query, &pieces, 0, end, 0);
  bool cut = nb_pieces_may_cut(&pieces, factor);
  nb_pieces_shorten(&pieces, end);
  return (NbLayout){pieces.items, pieces.count, !sure || cut};
}

/* The first place from which on the facts repeat, and an element begins. */
static uint64_t start_of_tail(const Query *query, uint64_t period) {
  uint64_t head = end_of_facts(query);
  for (uint64_t at = head; at < head + period; at++) {
    Byte byte = classify(query, at);
    if (byte.start && !is_gap(query, byte, at))
      return at;
  }
  return head;
}

/* What only some facts speak of stands at the beginning; the others repeat from there on. */
static NbLayout headed_layout(Query *query, uint64_t factor) {
  NbPieces pieces = {.arena = query->types->arena};
  uint64_t period = common_period(query);
  uint64_t head = period ? start_of_tail(query, period) : LARGEST;
  if (!head || head > LARGEST_SPELLED)
    return unknown_layout();
  bool sure = spell(query, &pieces, 0, head, 0);
  sure &= spell(query, &pieces, head, head + period, period);
  nb_pieces_compress(&pieces, head + period);
  return (NbLayout){pieces.items, pieces.count, !sure || nb_pieces_may_cut(&pieces, factor)};
}

/* `factor` divides the number of bytes where it is not known; 0 where nothing is known of it. A
 * layout that repeats is only given for whole periods. */
static NbLayout answer(Query *query, uint64_t size, uint64_t factor) {
  unsigned facts = 0;
  for (unsigned i = 0; i < query->count; i++) {
    for (unsigned k = 0; k < query->spots[i].count; k++)
      facts += !query->spots[i].items[k].before;
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
      return goes_on(query) ? headed_layout(query, factor) : bounded_layout(query, factor);
    if (!layout.unknown || size > LARGEST)
      return layout;
  }
  NbPieces pieces = {.arena = query->types->arena};
  bool sure = spell(query, &pieces, 0, size, 0);
  nb_pieces_compress(&pieces, size);
  return (NbLayout){pieces.items, pieces.count, !sure};
}

static bool is_external(NbTypes *types, LLVMValueRef pointer) {
  return nb_types_outlives(types, nb_value_class(types->objects, pointer));
}

NbLayout nb_facts_layout(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  Query query = {.types = types, .external = is_external(types, pointer)};
  look(&query, types, pointer, size);
  find_shared(&query);
  return answer(&query, size, 0);
}

/* May both ends be one memory, so that the order matters in which the pieces are moved? That is
 * known among pieces of one period alone. */
static bool needs_order(NbTypes *types, const NbCall *what, const NbLayout *layout) {
  if (nb_value_class(types->objects, what->to) != nb_value_class(types->objects, what->from))
    return false;
  for (unsigned i = 1; i < layout->count; i++)
    if (layout->pieces[i].period != layout->pieces[0].period)
      return true;
  return false;
}

NbLayout nb_facts_transfer(NbTypes *to, NbTypes *from, const NbCall *what) {
  bool constant = LLVMIsAConstantInt(what->bytes) != NULL;
  uint64_t size = constant ? LLVMConstIntGetZExtValue(what->bytes) : NB_UNKNOWN_SIZE;
  Query query = {.types = to, .external = is_external(to, what->to), .copied = true};
  look(&query, to, what->to, size);
  if (what->from != what->to)
    look(&query, from, what->from, size);
  find_shared(&query);
  NbLayout layout = answer(&query, size, nb_integer_factor(to->places, what->bytes));
  layout.unknown |= what->from != what->to && needs_order(to, what, &layout);
  return layout;
}
