// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which class of a working copy is which class of its primal's summary: both are found by the same
 * ways from the parameters, globals and results. */
#include "objects/graph.h"
#include "objects/origins.h"
#include "objects/places.h"

enum { MOST_PAIRS = 4096 };

typedef struct Match {
  NbObjects *ours, *theirs;
  NbList pairs; /* ours, theirs */
  NbList
      shifts; /* of each pair: int64_t, what is to be added to a place in ours for one in theirs */
  NbMap *met; /* ours to an NbList of theirs */
} Match;

static void add_pair(Match *match, NbClass *ours, NbClass *theirs, int64_t shift) {
  if (!ours || !theirs || match->pairs.count > 2 * MOST_PAIRS)
    return;
  ours = nb_class_find(ours);
  theirs = nb_class_find(theirs);
  NbList *others = nb_map_get(match->met, ours);
  for (unsigned i = 0; others && i < others->count; i++) {
    if (others->items[i] == theirs)
      return;
  }
  if (!others) {
    others = NB_NEW(match->pairs.arena, NbList);
    others->arena = match->pairs.arena;
    nb_map_set(match->met, ours, others);
  }
  nb_list_push(others, theirs);
  nb_list_push(&match->pairs, ours);
  nb_list_push(&match->pairs, theirs);
  int64_t *kept = NB_NEW(match->pairs.arena, int64_t);
  *kept = shift;
  nb_list_push(&match->shifts, kept);
}

static void add_roots(Match *match, LLVMValueRef function, LLVMValueRef primal) {
  NbObjects *ours = match->ours, *theirs = match->theirs;
  for (unsigned i = 0; i < LLVMCountParams(primal); i++) {
    LLVMValueRef mine = LLVMGetParam(function, i), parameter = LLVMGetParam(primal, i);
    add_pair(match, nb_value_class_known(ours, mine), nb_value_class_known(theirs, parameter),
             nb_origin_of(theirs->origins, parameter) - nb_origin_of(ours->origins, mine));
  }
  for (unsigned i = 0; i < nb_map_count(ours->globals); i++) {
    const void *global = nb_map_key(ours->globals, i);
    add_pair(match, nb_map_get(ours->globals, global), nb_map_get(theirs->globals, global), 0);
  }
  const NbOffsets *mine = nb_map_get(ours->places->returns, function);
  const NbOffsets *result = nb_map_get(theirs->places->returns, primal);
  add_pair(match, nb_map_get(ours->results, function), nb_map_get(theirs->results, primal),
           mine && result ? result->base - mine->base : 0);
}

/* Of what the pointers in two fields lead to. */
static int64_t shift_of_targets(const Match *match, NbClass *ours, const NbField *mine,
                                NbClass *theirs, const NbField *field) {
  NbOffsets here = nb_places_of_content(match->ours->places, ours, mine);
  NbOffsets there = nb_places_of_content(match->theirs->places, theirs, field);
  return there.base - here.base;
}

static void add_fields(Match *match, NbClass *ours, NbClass *theirs, int64_t shift) {
  for (unsigned i = 0; i < ours->field_count; i++) {
    const NbField *mine = &ours->fields[i];
    NbOffsets place = nb_place_shift(mine->place, shift);
    for (unsigned k = 0; k < theirs->field_count; k++) {
      const NbField *field = &theirs->fields[k];
      if (nb_place_meets(&place, mine->size, &field->place, field->size))
        add_pair(match, mine->target, field->target,
                 shift_of_targets(match, ours, mine, theirs, field));
    }
  }
}

NbList nb_graph_match(NbObjects *ours, LLVMValueRef function, NbObjects *theirs,
                      LLVMValueRef primal) {
  NbArena *arena = ours->arena;
  Match match = {ours, theirs, nb_list(arena), nb_list(arena), nb_map_new(arena)};
  add_roots(&match, function, primal);
  for (unsigned i = 0; i < match.pairs.count; i += 2)
    add_fields(&match, match.pairs.items[i], match.pairs.items[i + 1],
               *(const int64_t *)match.shifts.items[i / 2]);
  return match.pairs;
}
