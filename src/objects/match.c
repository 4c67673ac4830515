// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which class of a working copy is which class of its primal's summary: both are found by the same
 * ways from the parameters, globals and results. */
#include "objects/graph.h"

enum { MOST_PAIRS = 4096 };

typedef struct Match {
  NbList pairs; /* ours, theirs */
  NbMap *met;   /* ours to an NbList of theirs */
} Match;

static void add_pair(Match *match, NbClass *ours, NbClass *theirs) {
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
}

static void add_roots(Match *match, NbObjects *ours, LLVMValueRef function, NbObjects *theirs,
                      LLVMValueRef primal) {
  for (unsigned i = 0; i < LLVMCountParams(primal); i++)
    add_pair(match, nb_value_class_known(ours, LLVMGetParam(function, i)),
             nb_value_class_known(theirs, LLVMGetParam(primal, i)));
  for (unsigned i = 0; i < nb_map_count(ours->globals); i++) {
    const void *global = nb_map_key(ours->globals, i);
    add_pair(match, nb_map_get(ours->globals, global), nb_map_get(theirs->globals, global));
  }
  add_pair(match, nb_map_get(ours->results, function), nb_map_get(theirs->results, primal));
}

static void add_fields(Match *match, NbClass *ours, const NbClass *theirs) {
  for (unsigned i = 0; i < ours->field_count; i++) {
    const NbField *mine = &ours->fields[i];
    for (unsigned k = 0; k < theirs->field_count; k++) {
      const NbField *field = &theirs->fields[k];
      if (nb_place_meets(&mine->place, mine->size, &field->place, field->size))
        add_pair(match, mine->target, field->target);
    }
  }
}

NbList nb_graph_match(NbObjects *ours, LLVMValueRef function, NbObjects *theirs,
                      LLVMValueRef primal) {
  NbArena *arena = ours->arena;
  Match match = {nb_list(arena), nb_map_new(arena)};
  add_roots(&match, ours, function, theirs, primal);
  for (unsigned i = 0; i < match.pairs.count; i += 2)
    add_fields(&match, match.pairs.items[i], match.pairs.items[i + 1]);
  return match.pairs;
}
