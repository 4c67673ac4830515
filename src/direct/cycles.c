// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Components of the call graph are found by Tarjan's algorithm ("Depth-first search and linear
 * graph algorithms", 1972). What closes a cycle stays a function: where a cycle has functions whose
 * addresses lie in tables, it is these, else each function of the cycle. So whatever goes into its
 * callers leads to no cycle of its like, and inlining ends; a limit bounds what it brings. */
#include "direct/cycles.h"

#include "base/names.h"
#include "objects/graph.h"

#include <string.h>

enum { ROOM = 1 << 14 };

typedef struct Node {
  unsigned index, low;
  bool open;
} Node;

typedef struct Cycles {
  NbContext *context;
  NbArena *arena;
  NbMap *copies; /* the functions in which calls may be replaced */
  NbMap *nodes;
  NbList open;
} Cycles;

/* --- Functions. --------------------------------------------------------------------------------
 */

static bool begins(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool is_local_instance(LLVMValueRef function) {
  const char *name = nb_name(function);
  return LLVMGetLinkage(function) == LLVMInternalLinkage && begins(name, NB_CXX_PREFIX) &&
         !begins(name, NB_CXX_STATIC_PREFIX);
}

bool nb_is_unoptimised_cxx(LLVMValueRef function) {
  LLVMLinkage linkage = LLVMGetLinkage(function);
  bool shared = linkage == LLVMLinkOnceODRLinkage || linkage == LLVMLinkOnceAnyLinkage;
  return (shared || is_local_instance(function)) && nb_has_attribute(function, "optnone");
}

static LLVMValueRef original_of(const Cycles *cycles, LLVMValueRef function) {
  LLVMValueRef original = nb_map_get(cycles->context->originals, function);
  return original ? original : function;
}

/* Is the user's function called by its name alone? */
static bool is_only_called(const Cycles *cycles, LLVMValueRef function) {
  bool only = true;
  LLVMUseRef use = LLVMGetFirstUse(original_of(cycles, function));
  for (; use && only; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    only = LLVMIsAInstruction(user) && nb_is_call(user) &&
           LLVMGetCalledValue(user) == LLVMGetUsedValue(use);
  }
  return only;
}

/* The function of the copies that the instruction calls; NULL where it calls none. */
static LLVMValueRef called_copy(const Cycles *cycles, LLVMValueRef inst) {
  LLVMValueRef callee = nb_is_call(inst) ? nb_callee(inst) : NULL;
  return callee && nb_map_has(cycles->copies, callee) ? callee : NULL;
}

/* --- One component. ----------------------------------------------------------------------------
 */

/* Does the function lead to itself by functions of the component that are only called? */
static bool leads_to_itself(const Cycles *cycles, const NbMap *component, LLVMValueRef function) {
  NbMap *seen = nb_map_new(cycles->arena);
  nb_map_set(seen, function, function);
  for (unsigned i = 0; i < nb_map_count(seen); i++) {
    LLVMValueRef at = nb_instruction_first((LLVMValueRef)nb_map_key(seen, i));
    for (; at; at = nb_instruction_next(at)) {
      LLVMValueRef callee = called_copy(cycles, at);
      if (callee == function)
        return true;
      if (callee && nb_map_has(component, callee) && is_only_called(cycles, callee))
        nb_map_set(seen, callee, callee);
    }
  }
  return false;
}

static bool goes_into_callers(const Cycles *cycles, const NbMap *component, LLVMValueRef function) {
  LLVMValueRef original = original_of(cycles, function);
  return nb_is_unoptimised_cxx(original) && is_only_called(cycles, function) &&
         !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) &&
         !nb_map_has(cycles->context->custom, original) &&
         !leads_to_itself(cycles, component, function);
}

/* Inlines the calls of such functions in one, and those that this brings. */
static void fill(Cycles *cycles, LLVMValueRef function, const NbMap *going) {
  unsigned room = ROOM;
  for (bool changed = true; changed;) {
    changed = false;
    NbList calls = nb_list(cycles->arena);
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
      if (nb_map_has(going, called_copy(cycles, at)))
        nb_list_push(&calls, at);
    for (unsigned i = 0; i < calls.count; i++) {
      unsigned size = nb_instruction_count(nb_callee(calls.items[i]));
      if (size > room || nb_inline_call(cycles->context->analyses, calls.items[i]))
        continue;
      room -= size;
      changed = true;
    }
  }
}

static void open_component(Cycles *cycles, const NbMap *component) {
  NbMap *going = nb_map_new(cycles->arena);
  for (unsigned i = 0; i < nb_map_count(component); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(component, i);
    if (goes_into_callers(cycles, component, function))
      nb_map_set(going, function, function);
  }
  for (unsigned i = 0; nb_map_count(going) && i < nb_map_count(component); i++)
    fill(cycles, (LLVMValueRef)nb_map_key(component, i), going);
}

/* --- The call graph. ---------------------------------------------------------------------------
 */

/* The functions from `function` upwards on the stack of open ones are a component. */
static void close(Cycles *cycles, LLVMValueRef function) {
  NbMap *component = nb_map_new(cycles->arena);
  LLVMValueRef member = NULL;
  while (member != function) {
    member = cycles->open.items[--cycles->open.count];
    ((Node *)nb_map_get(cycles->nodes, member))->open = false;
    nb_map_set(component, member, member);
  }
  if (nb_map_count(component) > 1)
    open_component(cycles, component);
}

static Node *walk_from(Cycles *cycles, LLVMValueRef function) {
  Node *node = NB_NEW(cycles->arena, Node);
  nb_map_set(cycles->nodes, function, node);
  node->index = node->low = nb_map_count(cycles->nodes);
  node->open = true;
  nb_list_push(&cycles->open, function);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef callee = called_copy(cycles, at);
    if (!callee)
      continue;
    Node *next = nb_map_get(cycles->nodes, callee);
    unsigned low = next ? next->index : walk_from(cycles, callee)->low;
    if ((!next || next->open) && low < node->low)
      node->low = low;
  }
  if (node->low == node->index)
    close(cycles, function);
  return node;
}

void nb_cycles_open(NbContext *context, const NbMap *copied) {
  NbArena *arena = nb_arena_new();
  Cycles cycles = {context, arena, nb_map_new(arena), nb_map_new(arena), nb_list(arena)};
  for (unsigned i = 0; i < nb_map_count(copied); i++) {
    LLVMValueRef copy = nb_map_get(copied, nb_map_key(copied, i));
    nb_map_set(cycles.copies, copy, copy);
  }
  for (unsigned i = 0; i < nb_map_count(cycles.copies); i++) {
    LLVMValueRef copy = (LLVMValueRef)nb_map_key(cycles.copies, i);
    if (!nb_map_has(cycles.nodes, copy))
      walk_from(&cycles, copy);
  }
  nb_arena_free(arena);
}
