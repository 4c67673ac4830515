// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bytes that callees copy between memories of the caller's. No fact flows through them: what lies
 * there as floats may be copied to where the caller takes it for integers, or for nothing. Such
 * bytes carry the bits of floats. */
#include "activity/flow.h"

/* Carries on what lies where it reads, to where no float is known; false where nothing does. */
static bool carries_bits(NbActivity *activity, const NbTransfer *copy) {
  const NbFacts *facts = nb_facts_of(activity->types, copy->from);
  bool carries = nb_activity_carry_on(activity, copy);
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind == NB_KIND_FLOAT && !fact->declared && nb_fact_is_within(fact))
      carries |= nb_activity_carry_to(activity, copy, fact->place, fact->size);
  }
  return carries;
}

static void flow_copy(NbActivity *activity, const NbTransfer *copy) {
  const bool varied = nb_activity_class_varied(activity, copy->from);
  const bool useful = (nb_activity_class_bits(activity, copy->to) & NB_USEFUL) != 0;
  if ((!varied && !useful) || !carries_bits(activity, copy))
    return;
  if (varied)
    nb_activity_mark_class(activity, copy->to, NB_VARIED);
  if (useful)
    nb_activity_mark_class(activity, copy->from, NB_USEFUL);
}

void nb_activity_flow_copies(NbActivity *activity) {
  const NbList *copies = &activity->objects->transfers;
  for (unsigned i = 0; i < copies->count; i++) {
    const NbTransfer *copy = copies->items[i];
    const unsigned unknown = NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE;
    if (copy->bound && !(nb_class_find(copy->to)->flags & unknown) &&
        !(nb_class_find(copy->from)->flags & unknown))
      flow_copy(activity, copy);
  }
}
