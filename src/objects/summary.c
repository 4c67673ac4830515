// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Summaries of functions, bottom-up over the call graph: the graphs of its strongly connected
 * components (Tarjan, "Depth-first search and linear graph algorithms", 1972), instantiated at
 * calls from outside. */
#include "objects/graph.h"

typedef struct Node {
  unsigned index, low;
  bool open;
} Node;

typedef struct Walk {
  NbContext *context;
  NbArena *arena;
  NbMap *nodes;
  NbList open;
} Walk;

static Node *enter(Walk *walk, LLVMValueRef function) {
  Node *node = NB_NEW(walk->arena, Node);
  nb_map_set(walk->nodes, function, node);
  node->index = node->low = nb_map_count(walk->nodes);
  node->open = true;
  nb_list_push(&walk->open, function);
  return node;
}

/* The functions from `function` upwards on the stack of open ones are a component: solves it. */
static void close(Walk *walk, LLVMValueRef function) {
  NbObjects *objects = nb_graph_new(walk->context, walk->context->arena);
  LLVMValueRef member = NULL;
  while (member != function) {
    member = walk->open.items[--walk->open.count];
    ((Node *)nb_map_get(walk->nodes, member))->open = false;
    nb_list_push(&objects->functions, member);
    nb_map_set(walk->context->summaries, member, objects);
  }
  nb_graph_solve(objects);
}

static Node *walk_from(Walk *walk, LLVMValueRef function) {
  Node *node = enter(walk, function);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!nb_is_call(at))
      continue;
    NbCall call = nb_call_of(walk->context, at);
    if (call.kind != NB_CALL_BODY || nb_map_has(walk->context->summaries, call.callee))
      continue;
    Node *next = nb_map_get(walk->nodes, call.callee);
    unsigned low = next ? next->index : walk_from(walk, call.callee)->low;
    if ((!next || next->open) && low < node->low)
      node->low = low;
  }
  if (node->low == node->index)
    close(walk, function);
  return node;
}

NbObjects *nb_summary_of(NbContext *context, LLVMValueRef function) {
  NbObjects *objects = nb_map_get(context->summaries, function);
  if (objects)
    return objects;
  NbArena *arena = nb_arena_new();
  Walk walk = {context, arena, nb_map_new(arena), nb_list(arena)};
  walk_from(&walk, function);
  nb_arena_free(arena);
  return nb_map_get(context->summaries, function);
}

enum { LONGEST_CHAIN = 16 };

/* What a class of the callee's says about the caller's. */
enum {
  FLAGS_OF_CALLEE = NB_CLASS_HEAP | NB_CLASS_OPAQUE | NB_CLASS_POINTED | NB_CLASS_READ |
                    NB_CLASS_WRITTEN | NB_CLASS_FREED | NB_CLASS_FUNCTION
};

static void bind_class(NbObjects *objects, NbMap *map, LLVMValueRef call, NbClass *theirs,
                       NbClass *ours) {
  while (theirs) {
    theirs = nb_class_find(theirs);
    NbClass *bound = nb_map_get(map, theirs);
    if (bound) {
      nb_class_unify(bound, ours);
      return;
    }
    nb_map_set(map, theirs, ours);
    ours = nb_class_find(ours);
    if ((theirs->flags & NB_CLASS_HEAP) && !(ours->flags & NB_CLASS_HEAP))
      nb_list_push(&ours->members, call);
    ours->flags |= theirs->flags & FLAGS_OF_CALLEE;
    if (theirs->flags & NB_CLASS_UNKNOWN)
      ours = nb_class_unify(ours, objects->unknown);
    theirs = theirs->pointee;
    if (theirs)
      ours = nb_class_target(objects, ours);
  }
}

/* Constants that reach only constants and functions, and that no other pointer meets, say nothing
 * about the caller, unless it gets a pointer to them. */
static bool is_closed(NbClass *class) {
  const unsigned harmless =
      NB_CLASS_CONSTANT | NB_CLASS_FUNCTION | NB_CLASS_POINTED | NB_CLASS_READ | NB_CLASS_EXTERNAL;
  const uint64_t parameters = UINT64_MAX >> 1;
  for (unsigned step = 0; class && step < LONGEST_CHAIN; step++) {
    class = nb_class_find(class);
    bool plain = !(class->flags & ~harmless) && !(class->parameters & parameters);
    for (unsigned i = 0; i < class->members.count; i++)
      plain &= LLVMIsAGlobalVariable(class->members.items[i]) != NULL;
    if (!plain)
      return false;
    class = nb_class_pointee(class);
  }
  return true;
}

void nb_graph_bind(NbObjects *objects, LLVMValueRef call, LLVMValueRef callee) {
  NbBinding *binding = NB_NEW(objects->arena, NbBinding);
  NbObjects *group = nb_summary_of(objects->context, callee);
  *binding = (NbBinding){callee, group, nb_map_new(objects->arena)};
  nb_map_set(objects->bindings, call, binding);
  objects->opaque = objects->opaque || group->opaque;
  for (unsigned i = 0; i < LLVMCountParams(callee) && i < LLVMGetNumArgOperands(call); i++) {
    NbClass *theirs = nb_value_class_known(group, LLVMGetParam(callee, i));
    if (theirs)
      bind_class(objects, binding->classes, call, theirs,
                 nb_value_class(objects, LLVMGetOperand(call, i)));
  }
  if (nb_type_has_pointer(LLVMTypeOf(call)))
    bind_class(objects, binding->classes, call, nb_map_get(group->results, callee),
               nb_value_class(objects, call));
  for (unsigned i = 0; i < nb_map_count(group->globals); i++) {
    LLVMValueRef global = (LLVMValueRef)nb_map_key(group->globals, i);
    NbClass *theirs = nb_class_find(nb_map_get(group->globals, global));
    if (is_closed(theirs) && !nb_map_has(binding->classes, theirs))
      continue;
    bind_class(objects, binding->classes, call, theirs, nb_value_class(objects, global));
  }
}
