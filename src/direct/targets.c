// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One graph of classes for the whole module, in which formal and actual parameters are one. Calls
 * through pointers are joined with the functions in the class of the pointer, until nothing
 * changes.
 *
 * What code outside of the module may hold or call is open: its class is that of unknown memory. A
 * derivative runs in the context of its request alone, so a function that everybody may call is
 * open only if a caller from outside may come to a request through it, or if no request leads to
 * it. */
#include "direct/targets.h"

#include "direct/slots.h"
#include "request/collected.h"

#include <string.h>

struct NbTargets {
  NbContext *context;
  NbObjects *graph;
  NbSlots *slots;
  NbList deferred; /* calls of functions that are not known */
  NbList taken;    /* functions whose address is taken */
  NbMap *opened;   /* functions and calls that code outside has a hand in */
  bool changed;
};

bool nb_is_indirect(LLVMValueRef instruction) {
  if (!nb_is_call(instruction) || nb_callee(instruction))
    return false;
  return !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
}

static void unify(NbTargets *targets, NbClass *a, NbClass *b) {
  if (nb_class_find(a) == nb_class_find(b))
    return;
  nb_class_unify(a, b);
  targets->changed = true;
}

static bool is_unknown(const NbTargets *targets, LLVMValueRef value) {
  return (nb_value_class(targets->graph, value)->flags & NB_CLASS_UNKNOWN) != 0;
}

/* --- Code outside of the module. ---------------------------------------------------------------
 */

static void open_function(NbTargets *targets, LLVMValueRef function) {
  if (nb_map_has(targets->opened, function) || LLVMIsDeclaration(function))
    return;
  nb_map_set(targets->opened, function, function);
  NbClass *unknown = targets->graph->unknown;
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    if (nb_type_has_pointer(LLVMTypeOf(parameter)))
      unify(targets, nb_value_class(targets->graph, parameter), unknown);
  }
  unify(targets, nb_map_get(targets->graph->results, function), unknown);
  targets->changed = true;
}

static bool is_visible(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
}

static void open_globals(NbTargets *targets) {
  LLVMValueRef global = LLVMGetFirstGlobal(targets->context->module);
  for (; global; global = LLVMGetNextGlobal(global)) {
    bool fixed = LLVMIsGlobalConstant(global) && !LLVMIsDeclaration(global);
    if (fixed || !is_visible(global) || !LLVMGetFirstUse(global))
      continue;
    NbClass *held = nb_class_field(nb_value_class(targets->graph, global), nb_place_anywhere(), 1);
    unify(targets, held, targets->graph->unknown);
  }
}

static bool is_request(NbArena *arena, LLVMValueRef callee) {
  NbCollected collected;
  return nb_collected_parse(arena, nb_name(callee), &collected);
}

static bool makes_request(NbArena *arena, LLVMValueRef function) {
  LLVMValueRef at = LLVMIsDeclaration(function) ? NULL : nb_instruction_first(function);
  for (; at; at = nb_instruction_next(at))
    if (nb_is_call(at) && nb_callee(at) && is_request(arena, nb_callee(at)))
      return true;
  return false;
}

/* The functions that requests lead to and that lead to no request. */
static NbMap *find_below(NbTargets *targets, const NbList *requests) {
  NbArena *arena = targets->context->arena;
  NbMap *below = nb_map_new(arena);
  for (unsigned i = 0; i < requests->count; i++) {
    LLVMValueRef call = requests->items[i];
    LLVMValueRef root =
        nb_resolve_function(targets->context, LLVMGetOperand(call, nb_call_function_index(call)));
    NbList reached = root && !LLVMIsDeclaration(root) ? nb_reach(arena, root) : nb_list(arena);
    bool inner = false;
    for (unsigned k = 0; k < reached.count; k++)
      inner = inner || makes_request(arena, reached.items[k]);
    for (unsigned k = 0; k < reached.count && !inner; k++)
      nb_map_set(below, reached.items[k], reached.items[k]);
  }
  return below;
}

/* The operands of a request are those of its function, in an order that does not matter here. */
static void bind_request(NbTargets *targets, LLVMValueRef call) {
  LLVMValueRef root =
      nb_resolve_function(targets->context, LLVMGetOperand(call, nb_call_function_index(call)));
  NbClass *all = nb_class_new(targets->graph);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (i != nb_call_function_index(call) && nb_type_has_pointer(LLVMTypeOf(argument)))
      nb_class_unify(all, nb_value_class(targets->graph, argument));
  }
  if (!root || LLVMIsDeclaration(root))
    nb_class_unify(all, targets->graph->unknown);
  for (unsigned i = 0; root && i < LLVMCountParams(root); i++)
    if (nb_type_has_pointer(LLVMTypeOf(LLVMGetParam(root, i))))
      nb_class_unify(all, nb_value_class(targets->graph, LLVMGetParam(root, i)));
  if (nb_type_has_pointer(LLVMTypeOf(call)))
    nb_class_unify(all, nb_value_class(targets->graph, call));
}

static void open_functions(NbTargets *targets) {
  NbContext *context = targets->context;
  NbList requests = nb_calls_of(context, is_request);
  NbMap *below = find_below(targets, &requests);
  for (unsigned i = 0; i < requests.count; i++)
    bind_request(targets, requests.items[i]);
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    if (is_visible(function) && !nb_map_has(below, function))
      open_function(targets, function);
}

/* --- Functions whose address is taken. ---------------------------------------------------------
 */

/* Is the callee a function of a library that has a row? It keeps and gives back no function: what
 * it calls gets what is passed beside it. */
static bool is_library(const NbTargets *targets, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  const NbRule *rule =
      callee && LLVMIsDeclaration(callee) ? nb_rule_of_call(targets->context, call, NULL) : NULL;
  return rule && rule->returns >= LLVMGetNumArgOperands(call);
}

/* Does the instruction do more with the function than call it, or ask for its derivative? */
static bool keeps_address(NbTargets *targets, LLVMValueRef user, LLVMValueRef function) {
  if (!nb_is_call(user))
    return true;
  if (is_library(targets, user))
    return false;
  LLVMValueRef callee = nb_callee(user);
  bool request = callee && is_request(targets->context->arena, callee);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
    if (LLVMGetOperand(user, i) == function && !(request && i == nb_call_function_index(user)))
      return true;
  return false;
}

static bool is_keep_list(LLVMValueRef global) { return !strncmp(nb_name(global), "llvm.", 5); }

static bool is_taken(NbTargets *targets, LLVMValueRef constant, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(constant); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGlobalVariable(user) ? !is_keep_list(user) : LLVMIsAGlobalAlias(user) != NULL)
      return true;
    if (LLVMIsAInstruction(user) ? keeps_address(targets, user, constant)
                                 : depth && is_taken(targets, user, depth - 1))
      return true;
  }
  return false;
}

/* A function given to code outside is called from there. */
static bool is_given_away(NbTargets *targets, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef callee = LLVMIsAInstruction(user) && nb_is_call(user) ? nb_callee(user) : NULL;
    if (callee && callee != function && LLVMIsDeclaration(callee) && !is_library(targets, user) &&
        !is_request(targets->context->arena, callee))
      return true;
  }
  return false;
}

/* A function that a library is given may get all that is passed beside it. */
static void join_passed(NbTargets *targets, LLVMValueRef call, LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
      LLVMValueRef argument = LLVMGetOperand(call, k), parameter = LLVMGetParam(function, i);
      bool pointers =
          nb_type_has_pointer(LLVMTypeOf(argument)) && nb_type_has_pointer(LLVMTypeOf(parameter));
      if (pointers && argument != function && !LLVMIsNull(argument))
        unify(targets, nb_value_class(targets->graph, argument),
              nb_value_class(targets->graph, parameter));
    }
}

static void join_library(NbTargets *targets, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) && nb_is_call(user) && nb_callee(user) != function &&
        is_library(targets, user))
      join_passed(targets, user, function);
  }
}

enum { NESTING = 8 };

static void find_taken(NbTargets *targets) {
  for (LLVMValueRef function = LLVMGetFirstFunction(targets->context->module); function;
       function = LLVMGetNextFunction(function)) {
    if (LLVMGetIntrinsicID(function))
      continue;
    if (!LLVMIsDeclaration(function))
      join_library(targets, function);
    if (!is_taken(targets, function, NESTING))
      continue;
    nb_list_push(&targets->taken, function);
    if (is_given_away(targets, function))
      open_function(targets, function);
  }
}

/* --- Calls through pointers. -------------------------------------------------------------------
 */

static bool fits(LLVMValueRef call, LLVMValueRef function) {
  return LLVMGlobalGetValueType(function) == LLVMGetCalledFunctionType(call);
}

static void join_call(NbTargets *targets, LLVMValueRef call, LLVMValueRef function) {
  NbObjects *graph = targets->graph;
  if (!fits(call, function) || LLVMIsDeclaration(function))
    return;
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (nb_type_has_pointer(LLVMTypeOf(argument)) && !LLVMIsNull(argument))
      unify(targets, nb_value_class(graph, argument),
            nb_value_class(graph, LLVMGetParam(function, i)));
  }
  if (nb_type_has_pointer(LLVMTypeOf(call)))
    unify(targets, nb_value_class(graph, call), nb_map_get(graph->results, function));
}

static bool holds(const NbList *functions, LLVMValueRef function) {
  for (unsigned i = 0; i < functions->count; i++)
    if (functions->items[i] == function)
      return true;
  return false;
}

/* Those of the functions that the tables have where the call takes its own from, where it is known
 * to be a virtual one. */
static NbList those_in_tables(NbTargets *targets, LLVMValueRef call, NbList all) {
  NbList entries = nb_list(targets->context->arena), functions = nb_list(targets->context->arena);
  if (!nb_slots_find_of_class(targets->slots, call, &entries) &&
      !nb_slots_find(targets->slots, LLVMGetCalledValue(call), &entries))
    return all;
  for (unsigned i = 0; i < all.count; i++)
    if (holds(&entries, all.items[i]))
      nb_list_push(&functions, all.items[i]);
  return functions;
}

/* The functions that the pointer of a call may hold, whose class is known, or that is chosen. */
static NbList functions_of(NbTargets *targets, LLVMValueRef call) {
  LLVMValueRef pointer = LLVMGetCalledValue(call);
  NbList chosen = nb_list(targets->context->arena);
  if (nb_slots_find_chosen(targets->slots, pointer, &chosen))
    return chosen;
  return those_in_tables(targets, call, nb_value_class(targets->graph, pointer)->functions);
}

static bool is_chosen(const NbTargets *targets, LLVMValueRef pointer) {
  NbList functions = nb_list(targets->context->arena);
  return nb_slots_find_chosen(targets->slots, pointer, &functions);
}

static bool is_open(const NbTargets *targets, LLVMValueRef pointer) {
  return is_unknown(targets, pointer) && !is_chosen(targets, pointer);
}

static void resolve_call(NbTargets *targets, LLVMValueRef call) {
  LLVMValueRef pointer = LLVMGetCalledValue(call);
  bool open = !nb_is_indirect(call) || is_open(targets, pointer);
  if (open && !nb_map_has(targets->opened, call)) {
    nb_map_set(targets->opened, call, call);
    nb_graph_forget(targets->graph, call);
    targets->changed = true;
  }
  if (!nb_is_indirect(call))
    return;
  NbList functions = functions_of(targets, call);
  for (unsigned i = 0; i < functions.count; i++)
    join_call(targets, call, functions.items[i]);
}

static bool is_bound_request(NbTargets *targets, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  return callee && is_request(targets->context->arena, callee);
}

static void resolve(NbTargets *targets) {
  do {
    targets->changed = false;
    for (unsigned i = 0; i < targets->deferred.count; i++)
      if (!is_bound_request(targets, targets->deferred.items[i]))
        resolve_call(targets, targets->deferred.items[i]);
    for (unsigned i = 0; i < targets->taken.count; i++)
      if (is_unknown(targets, targets->taken.items[i]))
        open_function(targets, targets->taken.items[i]);
  } while (targets->changed);
}

/* --- Functions that wait for derivatives. ------------------------------------------------------
 */

static bool is_call_of(LLVMValueRef user, LLVMValueRef function) {
  return LLVMIsAInstruction(user) && nb_is_call(user) && nb_callee(user) == function;
}

NbMap *nb_targets_waiting(NbContext *context) {
  NbMap *waiting = nb_map_new(context->arena);
  NbList requests = nb_calls_of(context, is_request);
  for (unsigned i = 0; i < requests.count; i++)
    nb_map_set(waiting, nb_function_around(requests.items[i]), requests.items[i]);
  for (unsigned i = 0; i < nb_map_count(waiting); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(waiting, i);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
      if (is_call_of(LLVMGetUser(use), function))
        nb_map_set(waiting, nb_function_around(LLVMGetUser(use)), function);
  }
  return waiting;
}

bool nb_targets_any_taken(const NbMap *functions) {
  for (unsigned i = 0; i < nb_map_count(functions); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(functions, i);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
      if (!is_call_of(LLVMGetUser(use), function))
        return true;
  }
  return false;
}

NbTargets *nb_targets_new(NbContext *context) {
  NbTargets *targets = NB_NEW(context->arena, NbTargets);
  *targets = (NbTargets){.context = context,
                         .graph = nb_graph_new(context, context->arena),
                         .deferred = nb_list(context->arena),
                         .taken = nb_list(context->arena),
                         .opened = nb_map_new(context->arena)};
  targets->graph->deferred = &targets->deferred;
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function))
      nb_list_push(&targets->graph->functions, function);
  nb_graph_solve(targets->graph);
  open_globals(targets);
  open_functions(targets);
  find_taken(targets);
  targets->slots = nb_slots_new(context);
  resolve(targets);
  return targets;
}

NbChoice nb_targets_of(NbTargets *targets, LLVMValueRef call) {
  LLVMValueRef pointer = LLVMGetCalledValue(call);
  bool chosen = is_chosen(targets, pointer);
  NbChoice choice = {.functions = nb_list(targets->context->arena),
                     .open = is_open(targets, pointer)};
  NbList functions =
      choice.open ? those_in_tables(targets, call, targets->taken) : functions_of(targets, call);
  for (unsigned i = 0; i < functions.count; i++)
    if (fits(call, functions.items[i]))
      nb_list_push(&choice.functions, functions.items[i]);
  unsigned held =
      chosen ? functions.count : nb_value_class(targets->graph, pointer)->functions.count;
  choice.mixed = choice.functions.count < held;
  choice.none = chosen && functions.count == 0;
  return choice;
}
