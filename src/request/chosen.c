// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that asks for a derivative may be called through a pointer, also by what is
 * differentiated: then its derivative is made first. Energies and the forces that are their
 * derivatives may lie in one table, so that each may seem to call the other: what leads to the call
 * that is being served is left to the run (direct/direct.c). */
#include "direct/targets.h"
#include "objects/graph.h"
#include "request/collected.h"
#include "request/dispatch.h"
#include "request/queue.h"

/* What is found for one call is found once. */
typedef struct Search {
  const NbQueue *queue;
  NbTargets *targets; /* NULL until asked for */
  NbMap *chosen;      /* function -> NbList of those with bodies that it may call so */
  NbMap *clean;       /* functions that lead to no call which is being served */
} Search;

static void add_reached(NbArena *arena, NbMap *functions, LLVMValueRef function) {
  if (nb_map_has(functions, function))
    return;
  NbList reached = nb_reach(arena, function);
  for (unsigned i = 0; i < reached.count; i++)
    nb_map_set(functions, reached.items[i], reached.items[i]);
}

/* Adds what the functions that wait for the call's derivative may reach to `functions`; is it being
 * served? */
static bool add_asked(const NbQueue *queue, LLVMValueRef call, NbMap *functions) {
  NbContext *context = queue->context;
  NbList candidates = nb_list(context->arena);
  if (!nb_map_has(queue->state, call))
    nb_candidates(context, LLVMGetOperand(call, nb_call_function_index(call)), &candidates);
  for (unsigned i = 0; i < candidates.count; i++)
    add_reached(context->arena, functions, candidates.items[i]);
  return nb_queue_serves(queue, call);
}

static void add_chosen(Search *search, LLVMValueRef call, NbList *chosen) {
  if (!search->targets)
    search->targets = nb_targets_new(search->queue->context);
  NbChoice choice = nb_targets_of(search->targets, call);
  for (unsigned i = 0; i < choice.functions.count; i++)
    if (!LLVMIsDeclaration(choice.functions.items[i]))
      nb_list_push(chosen, choice.functions.items[i]);
}

static const NbList *chosen_in(Search *search, LLVMValueRef function) {
  NbList *chosen = nb_map_get(search->chosen, function);
  if (chosen)
    return chosen;
  chosen = NB_NEW(search->queue->context->arena, NbList);
  *chosen = nb_list(search->queue->context->arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (nb_is_indirect(at))
      add_chosen(search, at, chosen);
  nb_map_set(search->chosen, function, chosen);
  return chosen;
}

/* Does what waits in the functions that `function` may reach, also through pointers, need a call
 * which is being served? */
static bool leads_to_served(Search *search, LLVMValueRef function) {
  const NbQueue *queue = search->queue;
  NbArena *arena = queue->context->arena;
  NbMap *functions = nb_map_new(arena);
  add_reached(arena, functions, function);
  for (unsigned i = 0; i < nb_map_count(functions); i++) {
    LLVMValueRef reached = (LLVMValueRef)nb_map_key(functions, i);
    if (nb_map_has(search->clean, reached))
      continue;
    const NbList *calls = nb_map_get(queue->waiting, reached);
    for (unsigned k = 0; calls && k < calls->count; k++)
      if (add_asked(queue, calls->items[k], functions))
        return true;
    const NbList *chosen = chosen_in(search, reached);
    for (unsigned k = 0; k < chosen->count; k++)
      add_reached(arena, functions, chosen->items[k]);
  }
  for (unsigned i = 0; i < nb_map_count(functions); i++)
    nb_map_set(search->clean, nb_map_key(functions, i), (void *)queue);
  return false;
}

NbMap *nb_chosen_reached(const NbQueue *queue, LLVMValueRef function) {
  NbArena *arena = queue->context->arena;
  Search search = {queue, NULL, nb_map_new(arena), nb_map_new(arena)};
  NbMap *functions = nb_map_new(arena);
  add_reached(arena, functions, function);
  for (unsigned i = 0; i < nb_map_count(functions); i++) {
    const NbList *chosen = chosen_in(&search, (LLVMValueRef)nb_map_key(functions, i));
    for (unsigned k = 0; k < chosen->count; k++)
      if (!nb_map_has(functions, chosen->items[k]) && !leads_to_served(&search, chosen->items[k]))
        add_reached(arena, functions, chosen->items[k]);
  }
  return functions;
}

static bool calls_indirectly(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (nb_is_indirect(at))
      return true;
  return false;
}

/* Do the functions that are differentiated lead to a call through a pointer? */
static bool any_calls_indirectly(NbContext *context, const NbList *calls) {
  NbMap *functions = nb_map_new(context->arena);
  for (unsigned i = 0; i < calls->count; i++) {
    NbList candidates = nb_list(context->arena);
    LLVMValueRef call = calls->items[i];
    nb_candidates(context, LLVMGetOperand(call, nb_call_function_index(call)), &candidates);
    for (unsigned k = 0; k < candidates.count; k++)
      add_reached(context->arena, functions, candidates.items[k]);
  }
  for (unsigned i = 0; i < nb_map_count(functions); i++)
    if (calls_indirectly((LLVMValueRef)nb_map_key(functions, i)))
      return true;
  return false;
}

bool nb_chosen_any(NbContext *context, const NbList *calls) {
  return nb_targets_any_taken(nb_targets_waiting(context)) && any_calls_indirectly(context, calls);
}
