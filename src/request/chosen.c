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

static void add_reached(NbArena *arena, NbMap *functions, LLVMValueRef function) {
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

/* The functions with bodies that `function` may call through pointers; `*targets` is made when it
 * is needed. */
static NbList chosen_in(const NbQueue *queue, NbTargets **targets, LLVMValueRef function) {
  NbList chosen = nb_list(queue->context->arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!nb_is_indirect(at))
      continue;
    if (!*targets)
      *targets = nb_targets_new(queue->context);
    NbChoice choice = nb_targets_of(*targets, at);
    for (unsigned i = 0; i < choice.functions.count; i++)
      if (!LLVMIsDeclaration(choice.functions.items[i]))
        nb_list_push(&chosen, choice.functions.items[i]);
  }
  return chosen;
}

/* Does what waits in the functions that `function` may reach, also through pointers, need a call
 * which is being served? */
static bool leads_to_served(const NbQueue *queue, NbTargets **targets, LLVMValueRef function) {
  NbArena *arena = queue->context->arena;
  NbMap *functions = nb_map_new(arena);
  add_reached(arena, functions, function);
  for (unsigned i = 0; i < nb_map_count(functions); i++) {
    LLVMValueRef reached = (LLVMValueRef)nb_map_key(functions, i);
    const NbList *calls = nb_map_get(queue->waiting, reached);
    for (unsigned k = 0; calls && k < calls->count; k++)
      if (add_asked(queue, calls->items[k], functions))
        return true;
    NbList chosen = chosen_in(queue, targets, reached);
    for (unsigned k = 0; k < chosen.count; k++)
      add_reached(arena, functions, chosen.items[k]);
  }
  return false;
}

NbMap *nb_chosen_reached(const NbQueue *queue, LLVMValueRef function) {
  NbArena *arena = queue->context->arena;
  NbTargets *targets = NULL;
  NbMap *functions = nb_map_new(arena);
  add_reached(arena, functions, function);
  for (unsigned i = 0; i < nb_map_count(functions); i++) {
    NbList chosen = chosen_in(queue, &targets, (LLVMValueRef)nb_map_key(functions, i));
    for (unsigned k = 0; k < chosen.count; k++)
      if (!nb_map_has(functions, chosen.items[k]) &&
          !leads_to_served(queue, &targets, chosen.items[k]))
        add_reached(arena, functions, chosen.items[k]);
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
      if (!nb_map_has(functions, candidates.items[k]))
        add_reached(context->arena, functions, candidates.items[k]);
  }
  for (unsigned i = 0; i < nb_map_count(functions); i++)
    if (calls_indirectly((LLVMValueRef)nb_map_key(functions, i)))
      return true;
  return false;
}

/* What may be called is looked for anew for each call: whole programs have too many functions. */
static bool is_small(const NbContext *context) {
  enum { MOST_FUNCTIONS = 500 };
  unsigned count = 0;
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    count += !LLVMIsDeclaration(function);
  return count <= MOST_FUNCTIONS;
}

bool nb_chosen_any(NbContext *context, const NbList *calls) {
  return context->phase != NB_PHASE_LINK && is_small(context) &&
         nb_targets_any_taken(nb_targets_waiting(context)) && any_calls_indirectly(context, calls);
}
