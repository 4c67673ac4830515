// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bytes that callees copy between memories of the caller's. No fact flows through them: what lies
 * there as floats may be copied to where the caller takes it for integers, or for nothing. Such
 * bytes carry the bits of floats. */
#include "activity/flow.h"

/* Does a float lie there, for all that is known here? */
static bool has_float(const NbFacts *facts, const NbOffsets *place, uint64_t size) {
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind == NB_KIND_FLOAT && nb_place_meets(&fact->place, fact->size, place, size))
      return true;
  }
  return facts->full;
}

/* Where the copy puts what lies at `place` where it reads; false where it does not read it. */
static bool copied_place(const NbTransfer *copy, const NbOffsets *place, uint64_t size,
                         NbOffsets *copied) {
  const NbOffsets start = nb_place_at(0);
  const NbOffsets seen = nb_place_relative(*place, &copy->from_place);
  const uint64_t bytes = copy->bytes == NB_UNKNOWN_SIZE ? INT64_MAX : copy->bytes;
  *copied = nb_place_add(copy->to_place, seen);
  return nb_place_meets(&seen, size, &start, bytes);
}

/* Does the copy bring a float to where none is known? */
static bool brings_float(NbActivity *activity, const NbTransfer *copy, const NbFact *fact,
                         NbOffsets *copied) {
  bool real = fact->kind == NB_KIND_FLOAT && !fact->declared && nb_fact_is_within(fact);
  return real && copied_place(copy, &fact->place, fact->size, copied) &&
         !has_float(nb_facts_of(activity->types, copy->to), copied, fact->size);
}

static void flow_copy(NbActivity *activity, const NbTransfer *copy) {
  const NbFacts *facts = nb_facts_of(activity->types, copy->from);
  NbClass *to = nb_class_find(copy->to), *from = nb_class_find(copy->from);
  const bool varied = nb_activity_class_varied(activity, from);
  const bool useful = (nb_activity_class_bits(activity, to) & NB_USEFUL) != 0;
  NbOffsets copied;
  bool brings = varied && nb_activity_carry_on(activity, copy);
  for (unsigned i = 0; (varied || useful) && i < facts->count; i++) {
    if (!brings_float(activity, copy, &facts->items[i], &copied))
      continue;
    brings = true;
    if (varied)
      nb_activity_carry(activity, to, copied, facts->items[i].size);
  }
  if (brings && varied)
    nb_activity_mark_class(activity, to, NB_VARIED);
  if (brings && useful)
    nb_activity_mark_class(activity, from, NB_USEFUL);
}

void nb_activity_flow_copies(NbActivity *activity) {
  const NbList *copies = &activity->objects->transfers;
  for (unsigned i = 0; i < copies->count; i++) {
    const NbTransfer *copy = copies->items[i];
    const unsigned unknown = NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE;
    if (copy->bound && !copy->word && !(nb_class_find(copy->to)->flags & unknown) &&
        !(nb_class_find(copy->from)->flags & unknown))
      flow_copy(activity, copy);
  }
}
