// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which class of one graph is which class of another: of a working copy and its primal's summary,
 * or of a function and one that it calls. Both are found by the same ways from the parameters,
 * globals and results. */
#include "objects/graph.h"
#include "objects/origins.h"
#include "objects/places.h"

enum { MOST_PAIRS = 4096, POINTER_SIZE = 8 };

typedef struct Match {
  NbObjects *ours, *theirs;
  NbList pairs; /* ours, theirs */
  /* Of each pair: int64_t, what is to be added to a place in ours for one in theirs. */
  NbList shifts;
  NbList stored; /* ours that pointers lead to where theirs stores pointers; theirs, or NULL */
  NbMap *met;    /* ours to an NbList of theirs */
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

static void add_globals(Match *match) {
  for (unsigned i = 0; i < nb_map_count(match->ours->globals); i++) {
    const void *global = nb_map_key(match->ours->globals, i);
    add_pair(match, nb_map_get(match->ours->globals, global),
             nb_map_get(match->theirs->globals, global), 0);
  }
}

static void add_roots(Match *match, LLVMValueRef function, LLVMValueRef primal) {
  NbObjects *ours = match->ours, *theirs = match->theirs;
  for (unsigned i = 0; i < LLVMCountParams(primal); i++) {
    LLVMValueRef mine = LLVMGetParam(function, i), parameter = LLVMGetParam(primal, i);
    add_pair(match, nb_value_class_known(ours, mine), nb_value_class_known(theirs, parameter),
             nb_origin_of(theirs->origins, parameter) - nb_origin_of(ours->origins, mine));
  }
  add_globals(match);
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

/* The arguments of a call of the function, and globals. */
static void add_arguments(Match *match, LLVMValueRef call, LLVMValueRef function) {
  NbObjects *ours = match->ours, *theirs = match->theirs;
  for (unsigned i = 0; i < LLVMCountParams(function) && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i), parameter = LLVMGetParam(function, i);
    add_pair(match, nb_value_class_known(ours, argument), nb_value_class_known(theirs, parameter),
             nb_origin_of(theirs->origins, parameter) - nb_places_of(ours->places, argument).base);
  }
  add_globals(match);
}

/* Is it a member's place, and not that of any pointer there? */
static bool is_precise(const NbOffsets *place) {
  uint64_t step = nb_place_step(place);
  return !place->loose && (!step || step > POINTER_SIZE);
}

/* May what is stored to the field of `theirs` lie at any place that it meets? Where recursion leads
 * to it, more is said than is so. */
static bool is_stored(const NbClass *theirs, const NbField *field) {
  bool recursive = nb_class_find(field->target) == theirs;
  return field->stored && (field->place.loose ? theirs->field_count == 1 && !recursive
                                              : is_precise(&field->place) ||
                                                    nb_place_step(&field->place) == POINTER_SIZE);
}

static void add_stored(Match *match, NbClass *ours, NbClass *theirs) {
  nb_list_push(&match->stored, nb_class_find(ours));
  nb_list_push(&match->stored, theirs ? nb_class_find(theirs) : NULL);
}

static void add_fields(Match *match, unsigned pair) {
  NbClass *ours = match->pairs.items[2 * pair], *theirs = match->pairs.items[2 * pair + 1];
  int64_t shift = *(const int64_t *)match->shifts.items[pair];
  for (unsigned i = 0; i < ours->field_count; i++) {
    const NbField *mine = &ours->fields[i];
    NbOffsets place = nb_place_shift(mine->place, shift);
    for (unsigned k = 0; k < theirs->field_count; k++) {
      const NbField *field = &theirs->fields[k];
      if (!nb_pointer_kinds_meet(mine->kind, field->kind) ||
          !nb_place_meets(&place, mine->size, &field->place, field->size))
        continue;
      add_pair(match, mine->target, field->target,
               shift_of_targets(match, ours, mine, theirs, field));
      if (is_stored(theirs, field))
        add_stored(match, mine->target, field->target);
    }
  }
}

/* Pointers of ours that lie where theirs moves bytes to. */
static void add_moved(Match *match, unsigned pair) {
  NbClass *ours = match->pairs.items[2 * pair], *theirs = match->pairs.items[2 * pair + 1];
  const NbList *transfers = &match->theirs->transfers;
  for (unsigned i = 0; i < transfers->count; i++) {
    const NbTransfer *moved = transfers->items[i];
    if (nb_class_find(moved->to) != nb_class_find(theirs))
      continue;
    int64_t shift = *(const int64_t *)match->shifts.items[pair];
    NbOffsets place = nb_place_shift(moved->to_place, -shift);
    if (moved->bytes == NB_UNKNOWN_SIZE || !is_precise(&place))
      continue;
    for (unsigned k = 0; k < ours->field_count; k++)
      if (nb_place_meets(&ours->fields[k].place, ours->fields[k].size, &place, moved->bytes))
        add_stored(match, ours->fields[k].target, NULL);
  }
}

static Match new_match(NbObjects *ours, NbObjects *theirs) {
  NbArena *arena = ours->arena;
  return (Match){ours, theirs, nb_list(arena), nb_list(arena), nb_list(arena), nb_map_new(arena)};
}

static void solve(Match *match) {
  for (unsigned i = 0; 2 * i < match->pairs.count; i++)
    add_fields(match, i);
}

NbList nb_graph_match(NbObjects *ours, LLVMValueRef function, NbObjects *theirs,
                      LLVMValueRef primal) {
  Match match = new_match(ours, theirs);
  add_roots(&match, function, primal);
  solve(&match);
  return match.pairs;
}

/* Adds the classes of ours but `own`, of the first pairs, that may be `theirs`, and `own`. */
static void add_others(const Match *match, unsigned pairs, NbClass *own, NbClass *theirs,
                       NbList *list) {
  for (unsigned i = 0; i < pairs; i++)
    if (match->pairs.items[2 * i + 1] == theirs && match->pairs.items[2 * i] != own) {
      nb_list_push(list, match->pairs.items[2 * i]);
      nb_list_push(list, own);
    }
}

/* Is more done with the pointer than to compare it? */
static bool is_followed(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
    if (!LLVMIsAICmpInst(LLVMGetUser(use)))
      return true;
  return false;
}

/* What the function returns leads, in ours, to memory of its own, or to where its body says. */
static void add_returned(Match *match, LLVMValueRef call, LLVMValueRef function, NbList *list) {
  unsigned given = match->pairs.count / 2;
  NbClass *returned = nb_value_class_known(match->ours, call);
  if (!returned || !is_followed(call))
    return;
  add_pair(match, returned, nb_map_get(match->theirs->results, function), 0);
  if (match->pairs.count / 2 == given) {
    nb_list_push(list, nb_class_find(returned));
    nb_list_push(list, nb_class_find(returned));
  }
  for (unsigned i = given; 2 * i < match->pairs.count; i++) {
    add_fields(match, i);
    add_others(match, given, match->pairs.items[2 * i], match->pairs.items[2 * i + 1], list);
  }
}

NbList nb_graph_replaced_by(NbObjects *ours, LLVMValueRef call, LLVMValueRef function) {
  Match match = new_match(ours, nb_summary_of(ours->context, function));
  NbList list = nb_list(ours->arena);
  add_arguments(&match, call, function);
  solve(&match);
  for (unsigned i = 0; 2 * i < match.pairs.count; i++)
    add_moved(&match, i);
  for (unsigned i = 0; i < match.stored.count; i += 2) {
    NbClass *replaced = match.stored.items[i], *stored = match.stored.items[i + 1];
    nb_list_push(&list, replaced);
    nb_list_push(&list, replaced);
    if (stored)
      add_others(&match, match.pairs.count / 2, replaced, stored, &list);
  }
  add_returned(&match, call, function, &list);
  return list;
}
