// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Is the region an array of which each element is what the others are?
 *
 * Facts about some elements (those that a loop reaches, the one that was written first, every
 * second one of an unrolled loop) do not tell what the others are. But in memory that nothing else
 * accesses, bytes of which no access tells hold nothing that matters, so that an element may be
 * moved as another is. Not all elements need be asked: what is told of them changes only where a
 * fact begins or ends. */
#include "types/query.h"

enum { LEAST_PERIOD = 4, MOST_MARKS = 512, MOST_WORK = 1 << 21, REACH = 16 };

uint64_t nb_query_period(const NbQuery *query) {
  uint64_t period = 0;
  for (unsigned s = 0; s < query->count; s++) {
    for (unsigned i = 0; i < query->spots[s].count; i++) {
      uint64_t other = query->spots[s].items[i].fact.place.period;
      if (other)
        period = period ? period / nb_gcd(period, other) * other : other;
      if (period > NB_LARGEST_PERIOD)
        return 0;
    }
  }
  return period;
}

/* The elements that are asked. */
typedef struct Marks {
  const NbQuery *query;
  int64_t period; /* of the elements */
  int64_t cycle;  /* after so many of them, facts that go on tell the same again */
  int64_t most;   /* elements in the region */
  NbMap *numbers; /* plus one */
} Marks;

static int64_t number_of(const Marks *marks, unsigned index) {
  return (int64_t)(uintptr_t)nb_map_key(marks->numbers, index) - 1;
}

static void mark(Marks *marks, int64_t first, int64_t last) {
  last = last < marks->most ? last : marks->most - 1;
  for (int64_t at = first < 0 ? 0 : first; at <= last; at++) {
    nb_map_set(marks->numbers, (const void *)((uintptr_t)at + 1), marks);
    if (nb_map_count(marks->numbers) > MOST_MARKS)
      return;
  }
}

/* The elements around a byte where a fact begins or ends, and all that differ from there on. */
static void mark_around(Marks *marks, int64_t byte) {
  int64_t reach = 1 + REACH / marks->period;
  int64_t number = byte >= 0 ? byte / marks->period : -1;
  mark(marks, number - reach, number + reach + marks->cycle);
}

/* False where the fact does not tell the same after each cycle. */
static bool mark_fact(Marks *marks, const NbFact *fact) {
  const NbOffsets *place = &fact->place;
  int64_t length = (int64_t)((place->count - 1) * place->inner);
  int64_t low = place->period ? place->low : place->base;
  int64_t high = place->period ? place->high : place->base + length;
  bool odd = !place->period && place->count > 1 && (uint64_t)marks->period % place->inner;
  if (place->period && (uint64_t)(marks->period * marks->cycle) % place->period)
    return false;
  if (low != INT64_MIN)
    mark_around(marks, low);
  if (high == INT64_MAX)
    return true;
  mark_around(marks, high + (int64_t)fact->size - 1);
  if (odd)
    mark(marks, low / marks->period, high / marks->period);
  return true;
}

/* False where there are too many. */
static bool mark_all(Marks *marks) {
  const NbQuery *query = marks->query;
  uint64_t facts = 0;
  mark_around(marks, 0);
  for (unsigned s = 0; s < query->count; s++) {
    facts += query->spots[s].count;
    for (unsigned i = 0; i < query->spots[s].count; i++)
      if (!mark_fact(marks, &query->spots[s].items[i].fact))
        return false;
  }
  uint64_t count = nb_map_count(marks->numbers);
  return count <= MOST_MARKS && count * (uint64_t)marks->period * facts <= MOST_WORK;
}

/* Bytes of which accesses tell, those by an index that leads out of its array left aside. */
static unsigned told_bytes(const Marks *marks, int64_t number) {
  unsigned told = 0;
  for (int64_t i = 0; i < marks->period; i++)
    told += !nb_query_is_untouched(marks->query, (uint64_t)(number * marks->period + i));
  return told;
}

/* The element of which most is told. */
static int64_t fullest(const Marks *marks) {
  int64_t full = 0;
  unsigned most = 0;
  for (unsigned i = 0; i < nb_map_count(marks->numbers); i++) {
    unsigned told = told_bytes(marks, number_of(marks, i));
    full = told > most ? number_of(marks, i) : full;
    most = told > most ? told : most;
  }
  return full;
}

/* May the byte of an element be moved as that of the fullest is? Neither an integer nor what is not
 * known to be anything is moved at all, in memory that nothing else accesses. */
static bool fits(const NbQuery *query, NbByte full, uint64_t offset) {
  NbByte byte = nb_query_classify(query, offset);
  bool still = byte.kind == NB_KIND_UNKNOWN || byte.kind == NB_KIND_INTEGER;
  bool rests = full.kind == NB_KIND_UNKNOWN || full.kind == NB_KIND_INTEGER;
  bool same = byte.kind == full.kind && byte.type == full.type && byte.inside == full.inside;
  if (byte.kind == full.kind && byte.kind != NB_KIND_CONFLICT && (still || same))
    return true;
  return !query->external && ((still && rests) || nb_query_is_untouched(query, offset));
}

bool nb_query_find_element(const NbQuery *query, uint64_t factor, uint64_t size,
                           NbElement *element) {
  uint64_t common = nb_query_period(query), period = nb_gcd(factor, common);
  if (period < LEAST_PERIOD || period > NB_LARGEST_PERIOD)
    return false;
  Marks marks = {query, (int64_t)period, common ? (int64_t)(common / period) : 1, INT64_MAX,
                 nb_map_new(query->types->arena)};
  if (size != NB_UNKNOWN_SIZE)
    marks.most = (int64_t)(size / period);
  if (!mark_all(&marks))
    return false;
  *element = (NbElement){(uint64_t)(fullest(&marks) * marks.period), period};
  for (uint64_t i = 0; i < period; i++) {
    NbByte full = nb_query_classify(query, element->offset + i);
    for (unsigned k = 0; k < nb_map_count(marks.numbers); k++)
      if (!fits(query, full, (uint64_t)(number_of(&marks, k) * marks.period) + i))
        return false;
  }
  return true;
}
