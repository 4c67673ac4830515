// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Several facts may speak of one byte. One of higher rank outweighs others: `a[i]` says that some
 * of the bytes beyond `a` are doubles, the integer field at offset 0 says which are not. Where two
 * of one rank differ, the answer is CONFLICT; of an integer and a float, the float. */
#include "types/query.h"

enum { WIDEST = 8, NARROWEST = 4 };

static NbByte unknown_byte(void) { return (NbByte){NB_KIND_UNKNOWN, NULL, 1, 0, true}; }

static bool is_either(NbByte integer, NbByte real) {
  return integer.kind == NB_KIND_INTEGER && real.kind == NB_KIND_FLOAT;
}

/* What may be an integer or a float of one format is moved as the float: the shadow of an integer
 * is zero. */
static NbByte agree(NbByte a, NbByte b) {
  if (a.kind == NB_KIND_UNKNOWN || is_either(a, b))
    return b;
  if (b.kind == NB_KIND_UNKNOWN || is_either(b, a))
    return a;
  bool floats = a.kind == NB_KIND_FLOAT && (a.type != b.type || a.left != b.left);
  if (a.kind != b.kind || floats)
    return (NbByte){NB_KIND_CONFLICT, NULL, a.left < b.left ? a.left : b.left, 0, true};
  return a.left < b.left ? a : b;
}

/* Do accesses other than moves of pointers say what the byte is, as sure as these do? Optimisers
 * move whatever it is in pointers. */
static bool is_told(const NbSpot *spot, uint64_t offset, uint64_t rank) {
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    if (!fact->declared && !fact->moved && fact->rank >= rank)
      return true;
  }
  return false;
}

/* Is the fact about the same places, however its rank? It is no index into an array that begins
 * before if its places are as far from each other. */
static bool is_as_far_apart(const NbFact *fact, uint64_t distance) {
  bool kind = fact->kind == NB_KIND_FLOAT || fact->kind == NB_KIND_POINTER;
  return kind && !fact->declared && !fact->moved && !nb_fact_is_beyond(fact) &&
         !fact->place.loose && fact->place.period >= distance;
}

/* Has an access found a float there, though by an index that may not lead as far? */
static bool is_float_there(const NbFact *fact) {
  return fact->kind == NB_KIND_FLOAT && !fact->declared && !nb_fact_is_beyond(fact);
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

void nb_query_find_shared(NbQuery *query) {
  for (unsigned s = 0; s < query->count && query->shared; s++) {
    NbSpot *spot = &query->spots[s];
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
static NbByte agree_with_union(const NbSpot *spot, uint64_t offset, uint64_t rank, NbByte byte) {
  bool known = byte.kind == NB_KIND_INTEGER || byte.kind == NB_KIND_POINTER;
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count && known && rank > 1 && rank != UINT64_MAX; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    bool array = rank <= spot->shared && is_float_there(fact);
    if (array || is_as_far_apart(fact, rank))
      byte = agree(byte, told->items[i].byte);
  }
  return byte;
}

/* How sure the surest access is that an element begins `inside` bytes before this one, and ends
 * before it; 0: there is none. */
static uint64_t surest_head(const NbQuery *query, const NbSpot *spot, uint64_t offset,
                            uint64_t inside) {
  if (!inside || query->mixed)
    return 0;
  uint64_t surest = 0;
  const NbTolds *told = nb_spot_told_before(spot, offset, inside);
  for (unsigned i = 0; i < told->count; i++) {
    const NbSeen *seen = told->items[i].seen;
    NbByte head = told->items[i].byte;
    bool surer = !seen->fact.declared && seen->definite && seen->fact.rank > surest;
    if (surer && head.start && head.left <= inside)
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
static bool is_beheaded(const NbQuery *query, const NbSpot *spot, const NbTold *part,
                        uint64_t offset, Heads *heads) {
  uint64_t inside = part->byte.inside;
  if (inside >= WIDEST)
    return surest_head(query, spot, offset, inside) > part->seen->fact.rank;
  if (!heads->known[inside])
    heads->rank[inside] = surest_head(query, spot, offset, inside);
  heads->known[inside] = true;
  return heads->rank[inside] > part->seen->fact.rank;
}

bool nb_query_is_piece(const NbFact *fact) { return fact->declared && fact->noted; }

/* What the fact, from an access or from a declaration, says of the byte. */
static NbByte told_byte(const NbQuery *query, const NbSpot *spot, const NbTold *told,
                        uint64_t offset, bool declared, Heads *heads) {
  const NbFact *fact = &told->seen->fact;
  bool tells = fact->declared == declared && !nb_query_is_piece(fact);
  bool asked = tells && !is_beheaded(query, spot, told, offset, heads);
  return asked ? told->byte : unknown_byte();
}

/* Is the fact sure of the byte? A declaration at one place is not, of others like it. */
static bool is_sure(const NbQuery *query, const NbSeen *seen) {
  bool once = seen->fact.declared && !seen->fact.place.period;
  return seen->definite && !query->mixed && !(query->repeats && once);
}

/* Do only members of structs, or what may be such, tell of the byte, whose address says no more of
 * the place than that it is a multiple of eight? They are somewhere among these, and other members
 * at the rest. */
static bool is_member_astray(const NbSpot *spot, uint64_t offset, bool declared) {
  bool astray = false;
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    if (fact->declared != declared)
      continue;
    if (!(fact->field || fact->place.loose) || fact->rank > 1)
      return false;
    astray = true;
  }
  return astray;
}

/* Are floats accessed there, in the one object that it is, and pointers not but to be moved? Then
 * such a move says nothing, however sure it is of its place. */
static bool is_of_floats(const NbQuery *query, const NbSpot *spot, uint64_t offset) {
  bool found = false;
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count && !query->mixed; i++) {
    const NbSeen *seen = told->items[i].seen;
    bool access = !seen->fact.declared && !seen->fact.moved && !nb_fact_is_beyond(&seen->fact);
    NbKind kind = access ? told->items[i].byte.kind : NB_KIND_UNKNOWN;
    if (kind == NB_KIND_POINTER || kind == NB_KIND_CONFLICT)
      return false;
    found |= seen->definite && !seen->fact.place.loose && kind == NB_KIND_FLOAT;
  }
  return found;
}

static NbByte classify_among(const NbSpot *spot, uint64_t offset, bool declared,
                             const NbQuery *query) {
  uint64_t best = 0;
  bool definite = false;
  bool floats = is_of_floats(query, spot, offset);
  Heads heads = {0};
  const NbTolds *all = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < all->count; i++) {
    const NbSeen *seen = all->items[i].seen;
    if (!is_sure(query, seen) || seen->fact.rank < best || (floats && seen->fact.moved) ||
        told_byte(query, spot, &all->items[i], offset, declared, &heads).kind == NB_KIND_UNKNOWN)
      continue;
    definite = true;
    best = seen->fact.rank;
  }
  bool told = definite && !query->shared && is_told(spot, offset, best);
  NbByte byte = unknown_byte();
  for (unsigned i = 0; i < all->count; i++) {
    const NbFact *fact = &all->items[i].seen->fact;
    if ((!definite || fact->rank >= best) && !((told || floats) && fact->moved))
      byte = agree(byte, told_byte(query, spot, &all->items[i], offset, declared, &heads));
  }
  if (definite)
    byte = agree_with_union(spot, offset, best, byte);
  bool pointer = query->copied && byte.kind == NB_KIND_POINTER;
  bool moved = query->shared && !declared && !is_told(spot, offset, 0);
  bool astray = query->others && is_member_astray(spot, offset, declared);
  bool doubtful = pointer && (moved || astray);
  NbByte open = {NB_KIND_CONFLICT, NULL, byte.left, 0, true};
  if (doubtful && moved && query->external)
    open = unknown_byte();
  return doubtful ? open : byte;
}

/* Does some access say the same of the byte as the declaration, and is that one of this place? A
 * structure of integers alone may be what something else is moved as. */
static bool is_confirmed(const NbSpot *spot, uint64_t offset, NbByte byte) {
  bool accessed = false, declared = false;
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    NbByte other = told->items[i].byte;
    bool same = other.kind == byte.kind && other.type == byte.type;
    accessed |= same && !fact->declared && !fact->moved;
    declared |= same && fact->declared && !fact->words && !fact->place.loose;
  }
  return accessed && declared;
}

/* Is the fact from an access to one place, or to a member of structs in an array? An index into an
 * array of floats reaches many places, and may lead to some of them only. */
static bool is_placed(const NbFact *fact) {
  const NbOffsets *place = &fact->place;
  bool access =
      !fact->declared && !fact->moved && !nb_fact_is_beyond(fact) && fact->rank == UINT64_MAX;
  return access && !place->period &&
         (place->count == 1 || fact->each || place->inner != fact->size);
}

/* Does such an access tell something else? */
static bool is_contradicted(const NbSpot *spot, uint64_t offset, NbByte byte) {
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbSeen *seen = told->items[i].seen;
    NbByte other = told->items[i].byte;
    bool alike = other.kind == byte.kind && other.type == byte.type;
    if (!alike && seen->definite && is_placed(&seen->fact))
      return true;
  }
  return false;
}

static NbByte classify_own(const NbSpot *spot, uint64_t offset) {
  NbByte byte = unknown_byte();
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++)
    if (told->items[i].seen->own || told->items[i].seen->some)
      byte = agree(byte, told->items[i].byte);
  return byte;
}

/* Is the region a field? */
static bool is_own_field(const NbSpot *spot) {
  for (unsigned i = 0; i < spot->count; i++)
    if (spot->items[i].own)
      return true;
  return false;
}

/* Do accesses that may lie further on than their index goes tell something else of the byte? */
static bool is_doubted(const NbSpot *spot, uint64_t offset, NbByte byte) {
  bool doubted = false;
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    bool same = told->items[i].byte.kind == byte.kind;
    if (fact->declared || fact->beyond)
      continue;
    if (fact->rank == UINT64_MAX && same)
      return false;
    doubted |= !same;
  }
  return doubted;
}

/* Has an access found an integer there, and not only copies of what is declared to be one? With
 * `certain`, at this very place. */
static bool is_integer_there(const NbSpot *spot, uint64_t offset, bool certain) {
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbSeen *seen = told->items[i].seen;
    const NbFact *fact = &seen->fact;
    bool sure = !certain || (seen->definite && !nb_fact_is_beyond(fact) && !fact->place.loose);
    if (!fact->declared && !fact->copied && sure && fact->kind == NB_KIND_INTEGER)
      return true;
  }
  return false;
}

/* Has an access that goes no further than its index found something else among the bytes of the
 * float there: an integer, or a float of another format, or at another place? */
static bool meets_other(const NbSpot *spot, NbByte byte, uint64_t offset) {
  for (uint64_t k = 0; k < byte.inside + byte.left; k++) {
    if (offset + k < byte.inside)
      continue;
    uint64_t at = offset + k - byte.inside;
    const NbTolds *told = nb_spot_told(spot, at);
    for (unsigned i = 0; i < told->count; i++) {
      NbByte other = told->items[i].byte;
      if (is_float_there(&told->items[i].seen->fact) &&
          (other.type != byte.type || other.inside != k))
        return true;
    }
    if (is_integer_there(spot, at, true))
      return true;
  }
  return false;
}

bool nb_query_overlaps(const NbQuery *query, NbByte byte, uint64_t offset) {
  bool overlaps = false;
  for (uint64_t k = 1; byte.kind == NB_KIND_FLOAT && k < byte.left; k++)
    for (unsigned s = 0; s < query->count; s++) {
      const NbTolds *told = nb_spot_told(&query->spots[s], offset + k);
      for (unsigned i = 0; i < told->count; i++) {
        const NbFact *fact = &told->items[i].seen->fact;
        overlaps |= is_float_there(fact) && fact->type != byte.type;
      }
    }
  return overlaps;
}

/* What the declaration, or accesses that are surer of their places, tell to be an integer may still
 * be a float that an index has carried there. Memory that no caller sees has a zero shadow where
 * its integers lie: moving these as floats does nothing. Floats that only lead there if an index
 * leads out of its array do not lead there where they are of several formats, or an access has
 * found an integer. */
static NbByte agree_with_floats(const NbQuery *query, const NbSpot *spot, uint64_t offset,
                                NbByte byte) {
  bool harmless = byte.kind == NB_KIND_INTEGER && !query->shared;
  bool certain = harmless && is_integer_there(spot, offset, true);
  NbByte all = byte;
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; harmless && i < told->count; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    if (fact->declared || fact->kind != NB_KIND_FLOAT)
      continue;
    NbByte other = told->items[i].byte;
    bool far = nb_fact_is_beyond(fact);
    if (!far || !meets_other(spot, other, offset))
      all = agree(all, other);
    if (!far)
      byte = agree(byte, other);
  }
  return certain || all.kind == NB_KIND_CONFLICT ? byte : all;
}

/* Is a float for certain to be found there? What is copied into a field need not be of its type. */
static bool holds_float(const NbSpot *spot, uint64_t offset) {
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbSeen *seen = told->items[i].seen;
    if (seen->definite && seen->fact.rank == UINT64_MAX && is_float_there(&seen->fact))
      return true;
  }
  return false;
}

/* What accesses to the very field tell. */
static NbByte classify_field(const NbQuery *query, const NbSpot *spot, uint64_t offset) {
  NbByte own = classify_own(spot, offset);
  bool real = own.kind == NB_KIND_FLOAT;
  bool told = own.kind != NB_KIND_UNKNOWN && own.kind != NB_KIND_CONFLICT && !query->mixed;
  return told && (real || !holds_float(spot, offset)) ? own : unknown_byte();
}

/* Is what is declared to be an integer moved as one, that may be a piece of a float? More at once
 * is a copy of what is declared. */
static bool is_moved_in_pieces(const NbSpot *spot, uint64_t offset, NbByte declared) {
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    if (nb_query_is_piece(fact) && fact->size <= declared.inside + declared.left)
      return true;
  }
  return false;
}

/* Is it a declaration at that very place? */
static bool is_exact(const NbSeen *seen) {
  const NbFact *fact = &seen->fact;
  return fact->declared && !fact->noted && seen->definite && !fact->place.loose;
}

/* Is the byte one of what is declared at that very place, or of the padding behind it? */
static bool is_laid_out(const NbSpot *spot, uint64_t offset) {
  for (uint64_t before = 0; before < WIDEST && before <= offset; before++) {
    const NbTolds *told = nb_spot_told(spot, offset - before);
    for (unsigned i = 0; i < told->count; i++)
      if (is_exact(told->items[i].seen))
        return true;
  }
  return false;
}

/* What it is by those alone: nothing where it is padding. */
static NbByte classify_laid_out(const NbSpot *spot, uint64_t offset) {
  NbByte byte = unknown_byte();
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++)
    if (is_exact(told->items[i].seen))
      byte = agree(byte, told->items[i].byte);
  return byte;
}

/* Do accesses tell nothing of the byte but what lies there if an index leads out of its array, and
 * the declaration what is meant to lie there? Floats of several formats cannot all be there, nor
 * can one that begins or ends in something else. */
static bool is_overrun(const NbQuery *query, const NbSpot *spot, uint64_t offset, NbByte byte) {
  if (query->mixed || query->shared)
    return false;
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    bool number = fact->kind == NB_KIND_FLOAT || fact->kind == NB_KIND_INTEGER;
    bool beyond = number && nb_fact_is_beyond(fact);
    bool access = !fact->declared || nb_query_is_piece(fact);
    if (access && !beyond)
      return false;
  }
  bool open =
      byte.kind == NB_KIND_FLOAT ? meets_other(spot, byte, offset) : byte.kind != NB_KIND_INTEGER;
  return open && is_laid_out(spot, offset);
}

/* Do only accesses that may lie anywhere, or if an index leads out of its array, tell of the byte
 * that it is an integer's or a pointer's, in memory that others access, too? */
static bool is_astray(const NbQuery *query, const NbSpot *spot, uint64_t offset, NbKind kind) {
  bool other = kind == NB_KIND_INTEGER || kind == NB_KIND_POINTER;
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count && other && query->shared; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    if (!fact->declared && !fact->place.loose && !nb_fact_is_beyond(fact))
      return false;
  }
  return other && query->shared;
}

/* What no access tells, or accesses tell differently, the declaration may: of this object. */
static NbByte classify_spot(const NbQuery *query, const NbSpot *spot, uint64_t offset) {
  NbByte own = classify_field(query, spot, offset);
  if (own.kind != NB_KIND_UNKNOWN)
    return own;
  NbByte byte = classify_among(spot, offset, false, query);
  if (is_astray(query, spot, offset, byte.kind))
    byte = unknown_byte();
  bool certain = byte.kind != NB_KIND_UNKNOWN && byte.kind != NB_KIND_CONFLICT;
  bool overrun = is_overrun(query, spot, offset, byte);
  if (certain && !overrun && !is_doubted(spot, offset, byte))
    return byte;
  NbByte declared = classify_among(spot, offset, true, query);
  if (declared.kind == NB_KIND_INTEGER && is_moved_in_pieces(spot, offset, declared))
    declared = unknown_byte();
  bool tells = declared.kind != NB_KIND_UNKNOWN && declared.kind != NB_KIND_CONFLICT;
  NbByte laid = overrun ? classify_laid_out(spot, offset) : declared;
  if (overrun && (laid.kind == NB_KIND_UNKNOWN || declared.kind == NB_KIND_CONFLICT))
    return laid;
  if (certain && !overrun && !tells)
    return byte;
  bool confirmed = !query->mixed && tells && is_confirmed(spot, offset, declared) &&
                   !is_contradicted(spot, offset, declared);
  bool settles = byte.kind == NB_KIND_UNKNOWN || confirmed || overrun;
  return settles ? declared : byte;
}

/* Does a walk over floats, one beside the other, begin at the byte, or pass it on its way up where
 * nothing but copies tells that it is an integer's? That may be the bits of one of them. */
static bool is_walked_over(const NbSpot *spot, uint64_t offset) {
  int64_t from = is_integer_there(spot, offset, false) ? (int64_t)offset : 0;
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    const NbOffsets *place = &fact->place;
    bool dense = place->count > 1 ? place->inner == fact->size
                                  : place->period == fact->size && !place->loose;
    bool passes = dense && place->low >= from && place->low <= (int64_t)offset;
    if (passes && is_float_there(fact))
      return true;
  }
  return false;
}

/* Do accesses tell of the byte only where an index leads out of its array? */
static bool is_only_beyond(const NbSpot *spot, uint64_t offset) {
  const NbTolds *told = nb_spot_told(spot, offset);
  for (unsigned i = 0; i < told->count; i++) {
    const NbFact *fact = &told->items[i].seen->fact;
    if (!nb_fact_is_beyond(fact) && !nb_query_is_piece(fact))
      return false;
  }
  return true;
}

/* Of memory that others access, too, an index that leads out of an array of integers or pointers
 * tells nothing of what is there. */
static NbByte classify_freely(const NbQuery *query, const NbSpot *spot, uint64_t offset) {
  NbByte byte = classify_spot(query, spot, offset);
  bool other = byte.kind == NB_KIND_INTEGER || byte.kind == NB_KIND_POINTER;
  if (other && query->external && is_only_beyond(spot, offset))
    return unknown_byte();
  if (byte.kind == NB_KIND_INTEGER && query->shared && is_walked_over(spot, offset))
    return (NbByte){NB_KIND_CONFLICT, NULL, 1, 0, true};
  return is_own_field(spot) ? byte : agree_with_floats(query, spot, offset, byte);
}

/* Is an integer known in the four bytes that a float at the byte would fill? */
static bool is_beside_integer(const NbQuery *query, const NbSpot *spot, uint64_t offset) {
  uint64_t within = ((uint64_t)query->base + offset) % NARROWEST;
  uint64_t first = offset < within ? 0 : offset - within;
  for (uint64_t at = first; at < offset - within + NARROWEST; at++)
    if (classify_freely(query, spot, at).kind == NB_KIND_INTEGER)
      return true;
  return false;
}

/* What lies at the first spot and at another: padding beside an integer may be one elsewhere; the
 * tail of a float that begins before the region is none where only an index out of its array tells
 * of it. */
static NbByte agree_at(const NbQuery *query, NbByte byte, const NbSpot *spot, uint64_t offset) {
  NbByte other = classify_freely(query, spot, offset);
  if ((byte.kind == NB_KIND_UNKNOWN) == (other.kind == NB_KIND_UNKNOWN))
    return agree(byte, other);
  bool first = byte.kind == NB_KIND_UNKNOWN;
  const NbSpot *gap = first ? &query->spots[0] : spot, *known = first ? spot : &query->spots[0];
  const NbByte *told = first ? &other : &byte;
  bool number = told->kind == NB_KIND_INTEGER;
  bool tail = told->kind == NB_KIND_FLOAT && told->inside > offset;
  if ((number && is_beside_integer(query, gap, offset)) ||
      ((number || tail) && is_only_beyond(known, offset)))
    return unknown_byte();
  return (NbByte){NB_KIND_CONFLICT, NULL, 1, 0, true};
}

NbByte nb_query_classify(const NbQuery *query, uint64_t offset) {
  NbByte byte = classify_freely(query, &query->spots[0], offset);
  for (unsigned i = 1; i < query->count; i++) {
    if (query->spots[i].extent && offset >= query->spots[i].extent)
      continue;
    byte = agree_at(query, byte, &query->spots[i], offset);
  }
  return byte;
}

bool nb_query_is_untouched(const NbQuery *query, uint64_t offset) {
  for (unsigned s = 0; s < query->count; s++) {
    const NbTolds *told = nb_spot_told(&query->spots[s], offset);
    for (unsigned i = 0; i < told->count; i++) {
      const NbFact *fact = &told->items[i].seen->fact;
      if ((!fact->declared && !nb_fact_is_beyond(fact)) || nb_query_is_piece(fact))
        return false;
    }
  }
  return true;
}

bool nb_query_is_contested(const NbQuery *query, uint64_t offset) {
  bool real = false, other = false;
  for (unsigned s = 0; s < query->count; s++) {
    const NbTolds *told = nb_spot_told(&query->spots[s], offset);
    for (unsigned i = 0; i < told->count; i++) {
      const NbFact *fact = &told->items[i].seen->fact;
      real |= !nb_fact_is_beyond(fact) && fact->kind == NB_KIND_FLOAT;
      other |= !nb_fact_is_beyond(fact) && fact->kind != NB_KIND_FLOAT;
    }
  }
  return real && other;
}
