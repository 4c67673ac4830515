// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Summaries of functions, bottom-up over the call graph: the graphs of its strongly connected
 * components (Tarjan, "Depth-first search and linear graph algorithms", 1972), instantiated at
 * calls from outside. */
#include "objects/origins.h"
#include "objects/places.h"

#include <string.h>

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

bool nb_rule_is_told(const NbRule *rule) {
  return rule && rule->kind == NB_RULE_INACTIVE &&
         rule != nb_rules_find(nb_rules_builtin(), rule->name, strlen(rule->name), NULL);
}

LLVMValueRef nb_graph_told_body(const NbContext *context, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef callee = nb_callee(call);
  LLVMValueRef body = callee && nb_rule_is_told(rule) ? nb_stood_for(context, callee) : NULL;
  return body && LLVMCountBasicBlocks(body) ? body : NULL;
}

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
  NbList functions = nb_list(walk->context->arena);
  LLVMValueRef member = NULL;
  while (member != function) {
    member = walk->open.items[--walk->open.count];
    ((Node *)nb_map_get(walk->nodes, member))->open = false;
    nb_list_push(&functions, member);
  }
  NbObjects *objects = nb_graph_of(walk->context, walk->context->arena, functions);
  for (unsigned i = 0; i < functions.count; i++)
    nb_map_set(walk->context->summaries, functions.items[i], objects);
}

static Node *walk_from(Walk *walk, LLVMValueRef function) {
  Node *node = enter(walk, function);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!nb_is_call(at))
      continue;
    NbCall call = nb_call_of(walk->context, at);
    LLVMValueRef callee =
        call.kind == NB_CALL_BODY ? call.callee : nb_graph_told_body(walk->context, at, call.rule);
    if (!callee || nb_map_has(walk->context->summaries, callee))
      continue;
    Node *next = nb_map_get(walk->nodes, callee);
    unsigned low = next ? next->index : walk_from(walk, callee)->low;
    if ((!next || next->open) && low < node->low)
      node->low = low;
  }
  if (node->low == node->index)
    close(walk, function);
  return node;
}

bool nb_graph_recurs(const NbObjects *group) {
  LLVMValueRef function = group->functions.items[0];
  if (group->functions.count > 1)
    return true;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (nb_is_call(at) && nb_callee(at) == function)
      return true;
  return false;
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

/* What a class of the callee's says about the caller's. */
enum {
  FLAGS_OF_CALLEE = NB_CLASS_HEAP | NB_CLASS_OPAQUE | NB_CLASS_POINTED | NB_CLASS_READ |
                    NB_CLASS_WRITTEN | NB_CLASS_FREED | NB_CLASS_FUNCTION | NB_CLASS_UNSEEN |
                    NB_CLASS_HANDED | NB_CLASS_RECORDS
};

/* A call while the callee's graph is instantiated there. */
typedef struct Bind {
  NbObjects *objects;
  LLVMValueRef call;
  NbMap *classes;
  NbMap *fresh; /* classes of the callee's alone, to new ones */
  NbMap *told;  /* where a function is linked, not bound: theirs -> NbOffsets; NULL elsewhere */
  NbList open;  /* pairs of classes, theirs and ours */
} Bind;

static void push_pair(Bind *bind, NbClass *theirs, NbClass *ours) {
  nb_list_push(&bind->open, theirs);
  nb_list_push(&bind->open, ours);
}

/* Where in the caller's class the origin of the callee's lies. */
static NbOffsets place_of(const Bind *bind, NbClass *theirs) {
  const NbPlaces *guide = bind->objects->guide;
  if (!guide)
    return nb_place_anywhere();
  if (!bind->told)
    return nb_places_of_bound(guide, bind->call, theirs);
  const NbOffsets *told = nb_map_get(bind->told, nb_class_find(theirs));
  return told ? *told : nb_place_at(0);
}

static void bind_fields(Bind *bind, NbClass *theirs, NbClass *ours) {
  NbOffsets origin = place_of(bind, theirs);
  for (unsigned i = 0; i < theirs->field_count; i++) {
    const NbField *field = &theirs->fields[i];
    NbOffsets place = nb_place_add(origin, field->place);
    push_pair(bind, field->target, nb_class_field_of(ours, place, field->size, field->kind));
    if (field->stored)
      nb_class_note_stored(ours, place, field->size);
  }
}

static NbClass *bind_flags(Bind *bind, NbClass *theirs, NbClass *ours) {
  ours = nb_class_find(ours);
  if (theirs->flags & NB_CLASS_HEAP)
    nb_class_add_member(ours, bind->call);
  ours->flags |= theirs->flags & FLAGS_OF_CALLEE;
  if (theirs->flags & NB_CLASS_UNKNOWN)
    ours = nb_class_unify(ours, bind->objects->unknown);
  return ours;
}

static void bind_pair(Bind *bind, NbClass *theirs, NbClass *ours) {
  theirs = nb_class_find(theirs);
  NbClass *bound = nb_map_get(bind->classes, theirs);
  if (bound) {
    nb_class_unify(bound, ours);
    return;
  }
  nb_map_set(bind->classes, theirs, ours);
  if (!bind->told)
    ours = bind_flags(bind, theirs, ours);
  bind_fields(bind, theirs, nb_class_find(ours));
}

/* Binds the two classes, and what is reachable from them. */
static void bind_class(Bind *bind, NbClass *theirs, NbClass *ours) {
  if (!theirs)
    return;
  push_pair(bind, theirs, ours);
  while (bind->open.count) {
    NbClass *mine = bind->open.items[--bind->open.count];
    NbClass *other = bind->open.items[--bind->open.count];
    bind_pair(bind, other, mine);
  }
}

/* Constants that lead only to constants and functions say nothing about the caller, unless it gets
 * a pointer to them. Is the class of more than constants and functions, or met by another pointer?
 */
static bool is_open(void *user, NbClass *class) {
  (void)user;
  const unsigned harmless =
      NB_CLASS_CONSTANT | NB_CLASS_FUNCTION | NB_CLASS_POINTED | NB_CLASS_READ | NB_CLASS_EXTERNAL;
  const uint64_t parameters = UINT64_MAX >> 1;
  bool plain = !(class->flags & ~harmless) && !(class->parameters & parameters);
  for (unsigned i = 0; i < nb_class_member_count(class); i++)
    plain &= LLVMIsAGlobalVariable(nb_class_member(class, i)) != NULL;
  return !plain;
}

/* The caller's class of one of the callee's; of one that it does not know, a new one. */
static NbClass *bound_class(Bind *bind, NbClass *theirs) {
  theirs = nb_class_find(theirs);
  NbClass *ours = nb_map_get(bind->classes, theirs);
  if (ours)
    return nb_class_find(ours);
  ours = nb_map_get(bind->fresh, theirs);
  if (!ours) {
    ours = nb_class_new(bind->objects);
    nb_map_set(bind->fresh, theirs, ours);
  }
  return nb_class_find(ours);
}

/* What the callee copies, nobody there may look at: that pointers are among it, only the caller may
 * know. */
static void bind_transfers(Bind *bind, const NbObjects *group) {
  for (unsigned i = 0; i < group->transfers.count; i++) {
    NbTransfer copy = *(const NbTransfer *)group->transfers.items[i];
    copy.to_place = nb_place_add(place_of(bind, copy.to), copy.to_place);
    copy.from_place = nb_place_add(place_of(bind, copy.from), copy.from_place);
    copy.bound = !copy.word;
    copy.to = bound_class(bind, copy.to);
    copy.from = bound_class(bind, copy.from);
    nb_graph_transfer(bind->objects, copy);
  }
}

/* What the callee finds by addresses that it is given as integers is what addresses of the caller's
 * lead to that have become integers. */
static void bind_unknown(Bind *bind, const NbObjects *group) {
  NbClass *theirs = nb_class_find(group->unknown);
  if (group->forgotten && (theirs->flags & (NB_CLASS_READ | NB_CLASS_WRITTEN)))
    bind_class(bind, theirs, bind->objects->unknown);
}

static void bind_globals(Bind *bind, const NbObjects *group) {
  for (unsigned i = 0; i < nb_map_count(group->globals); i++) {
    LLVMValueRef global = (LLVMValueRef)nb_map_key(group->globals, i);
    NbClass *theirs = nb_class_find(nb_map_get(group->globals, global));
    if (nb_map_has(bind->classes, theirs) || nb_class_walk(theirs, is_open, NULL))
      bind_class(bind, theirs, nb_value_class(bind->objects, global));
  }
}

void nb_graph_bind(NbObjects *objects, LLVMValueRef call, LLVMValueRef callee) {
  NbBinding *binding = NB_NEW(objects->arena, NbBinding);
  NbObjects *group = nb_summary_of(objects->context, callee);
  *binding = (NbBinding){callee, group, nb_map_new(objects->arena)};
  nb_map_set(objects->bindings, call, binding);
  objects->opaque = objects->opaque || group->opaque;
  objects->forgotten = objects->forgotten || group->forgotten;
  Bind bind = {
      objects, call, binding->classes, nb_map_new(objects->arena), NULL, nb_list(objects->arena)};
  for (unsigned i = 0; i < LLVMCountParams(callee) && i < LLVMGetNumArgOperands(call); i++) {
    NbClass *theirs = nb_value_class_known(group, LLVMGetParam(callee, i));
    if (theirs && !nb_type_has_pointer(LLVMTypeOf(LLVMGetParam(callee, i))))
      nb_graph_forget_integer(objects, LLVMGetOperand(call, i), 4);
    else if (theirs)
      bind_class(&bind, theirs, nb_value_class(objects, LLVMGetOperand(call, i)));
  }
  if (nb_type_has_pointer(LLVMTypeOf(call)))
    bind_class(&bind, nb_map_get(group->results, callee), nb_value_class(objects, call));
  bind_globals(&bind, group);
  bind_unknown(&bind, group);
  if (group->thrown)
    bind_class(&bind, nb_class_find(group->thrown), nb_graph_thrown(objects));
  bind_transfers(&bind, group);
}

/* --- Functions that have no derivative, as the user says. --- */

static bool stores_pointers(void *user, NbClass *class) {
  (void)user;
  bool stores = false;
  for (unsigned i = 0; i < class->field_count; i++)
    stores |= class->fields[i].stored;
  return stores;
}

/* Does the function return pointers, or store or copy any where its caller finds them? */
static bool moves_pointers(NbObjects *group, LLVMValueRef function) {
  bool moves = nb_type_has_pointer(LLVMGetReturnType(LLVMGlobalGetValueType(function))) ||
               group->transfers.count;
  for (unsigned i = 0; i < LLVMCountParams(function) && !moves; i++) {
    NbClass *class = nb_value_class_known(group, LLVMGetParam(function, i));
    moves = class && nb_class_walk(class, stores_pointers, NULL);
  }
  for (unsigned i = 0; i < nb_map_count(group->globals) && !moves; i++)
    moves = nb_class_walk(nb_map_get(group->globals, nb_map_key(group->globals, i)),
                          stores_pointers, NULL);
  return moves;
}

static void link_class(Bind *bind, NbClass *theirs, NbClass *ours, NbOffsets origin) {
  if (!theirs)
    return;
  theirs = nb_class_find(theirs);
  if (!nb_map_has(bind->told, theirs)) {
    NbOffsets *kept = NB_NEW(bind->objects->arena, NbOffsets);
    *kept = origin;
    nb_map_set(bind->told, theirs, kept);
  }
  bind_class(bind, theirs, ours);
}

/* Memory that the body made, or got from others, is as unknown as a library's. */
static void link_result(Bind *bind, NbObjects *group, LLVMValueRef body) {
  if (!nb_type_has_pointer(LLVMTypeOf(bind->call)))
    return;
  const unsigned strange = NB_CLASS_HEAP | NB_CLASS_OPAQUE | NB_CLASS_UNKNOWN | NB_CLASS_STACK;
  NbClass *ours = nb_value_class(bind->objects, bind->call);
  NbClass *theirs = nb_map_get(group->results, body);
  theirs = theirs ? nb_class_find(theirs) : NULL;
  if (!theirs || !nb_map_has(bind->classes, theirs) || theirs->flags & strange)
    ours->flags |= NB_CLASS_OPAQUE;
  bind_class(bind, theirs, ours);
}

void nb_graph_link(NbObjects *objects, LLVMValueRef call, LLVMValueRef body) {
  NbArena *arena = objects->arena;
  NbObjects *group = nb_summary_of(objects->context, body);
  if (!moves_pointers(group, body))
    return;
  Bind bind = {objects,           call,          nb_map_new(arena), nb_map_new(arena),
               nb_map_new(arena), nb_list(arena)};
  for (unsigned i = 0; i < LLVMCountParams(body) && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i), parameter = LLVMGetParam(body, i);
    if (nb_type_has_pointer(LLVMTypeOf(parameter)))
      link_class(&bind, nb_value_class_known(group, parameter), nb_value_class(objects, argument),
                 nb_place_shift(nb_graph_guess_place(objects, argument),
                                -nb_origin_of(group->origins, parameter)));
  }
  bind_globals(&bind, group);
  link_result(&bind, group, body);
  bind_transfers(&bind, group);
}

static bool mark_unseen(void *user, NbClass *class) {
  class->flags |= *(const unsigned *)user | NB_CLASS_UNSEEN;
  return false;
}

/* Of what writes, and is not known by a row, the address is unknown. */
static unsigned unseen_flags(NbObjects *objects, LLVMValueRef call) {
  NbCall what = nb_call_of(objects->context, call);
  bool declared = what.kind == NB_CALL_ROW && what.rule->kind == NB_RULE_DECLARED;
  bool unknown = what.kind == NB_CALL_UNKNOWN || what.kind == NB_CALL_INDIRECT;
  bool reads = unknown && nb_memory_may_read_any(call) && !nb_memory_may_write_any(call);
  bool reads_row = false, writes_row = false;
  for (unsigned i = 0; declared && i < what.rule->effect_count; i++) {
    reads_row |= !what.rule->effects[i].writes;
    writes_row |= what.rule->effects[i].writes;
  }
  return (reads || reads_row ? NB_CLASS_READ : 0) | (writes_row ? NB_CLASS_WRITTEN : 0);
}

void nb_graph_note_unseen(NbObjects *objects, LLVMValueRef call) {
  unsigned flags = unseen_flags(objects, call);
  for (unsigned i = 0; flags && i < LLVMGetNumArgOperands(call); i++) {
    NbClass *class = nb_value_class_known(objects, LLVMGetOperand(call, i));
    if (class)
      nb_class_walk(class, mark_unseen, &flags);
  }
}

/* Does the class hold no pointers, and belong to nobody but arguments and the function? */
static bool is_of_arguments(NbClass *class) {
  const unsigned strange = NB_CLASS_GLOBAL | NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE | NB_CLASS_FUNCTION;
  return !(class->flags & strange) && !nb_class_holds_pointers(class);
}

bool nb_graph_stays_with_arguments(const NbObjects *objects, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(objects->bindings, call);
  if (!binding || binding->group->opaque)
    return false;
  const NbMap *globals = binding->group->globals;
  for (unsigned i = 0; i < nb_map_count(globals); i++)
    if (!LLVMIsGlobalConstant((LLVMValueRef)nb_map_key(globals, i)))
      return false;
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++)
    if (!is_of_arguments(nb_class_find((NbClass *)nb_map_key(binding->classes, i))))
      return false;
  return true;
}
