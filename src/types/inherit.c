// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A working copy is simplified: array types are gone from its address computations, and with them
 * the extents of arrays. Its primal still has them. And what a function only copies, its callers
 * may know: their facts hold for the memory that they pass. */
#include "objects/origins.h"
#include "types/facts.h"

#include <string.h>

enum { MOST_CALLERS = 32, LONGEST_ASKED = 4000 };

static void adopt_facts(NbTypes *types, NbClass *ours, NbTypes *source, NbClass *theirs,
                        const NbOffsets *origin) {
  NbFacts *facts = nb_facts_of(source, theirs);
  for (unsigned i = 0; i < facts->count; i++) {
    NbFact fact = facts->items[i];
    fact.place = nb_place_relative(fact.place, origin);
    fact.until = 0;
    nb_facts_add(types, ours, fact);
  }
}

/* Notes whose memory the class is; of several, it is nobody's. */
static void note_owner(NbTypes *types, NbClass *ours, NbTypes *source, NbClass *theirs,
                       const NbOffsets *origin) {
  NbPassedMemory *known = nb_map_get(types->owners, ours);
  bool other = known && (known->class != theirs || !nb_place_equal(&known->origin, origin));
  if (!known) {
    known = NB_NEW(types->arena, NbPassedMemory);
    *known = (NbPassedMemory){.types = source, .class = theirs, .origin = *origin};
    nb_map_set(types->owners, ours, known);
  } else if (other) {
    known->types = NULL;
  }
}

/* What is done with a class, and with that of another graph that it is: see adopt_facts. */
typedef void Visit(NbTypes *types, NbClass *ours, NbTypes *source, NbClass *theirs,
                   const NbOffsets *origin);

/* Pairs of classes that are the same memory, and wait to be visited. */
static void push_pair(NbList *open, NbClass *ours, NbClass *theirs) {
  nb_list_push(open, theirs);
  nb_list_push(open, ours);
}

/* What pointers in `ours` lead to, where the field of theirs tells it: one field may be several of
 * ours. */
static void push_targets(NbList *open, NbClass *ours, const NbField *theirs, NbOffsets seen) {
  for (unsigned i = 0; i < ours->field_count; i++) {
    const NbField *field = &ours->fields[i];
    if (nb_pointer_kinds_meet(field->kind, theirs->kind) &&
        nb_place_meets(&field->place, field->size, &seen, theirs->size))
      push_pair(open, field->target, theirs->target);
  }
}

/* True where the two were not met yet: one class of ours may be several of theirs, and all of these
 * count. */
static bool meet(NbArena *arena, NbMap *met, NbClass *ours, NbClass *theirs) {
  NbMap *others = nb_map_get(met, ours);
  if (!others) {
    others = nb_map_new(arena);
    nb_map_set(met, ours, others);
  }
  if (nb_map_has(others, theirs))
    return false;
  nb_map_set(others, theirs, theirs);
  return true;
}

/* Visits `ours`, whose origin is at `origin` in theirs, and what is reachable from it. */
static void visit_all(NbTypes *types, NbClass *ours, NbTypes *source, NbClass *theirs,
                      const NbOffsets *origin, Visit *visit) {
  NbArena *arena = nb_arena_new();
  NbMap *met = nb_map_new(arena);
  NbList open = nb_list(arena);
  NbOffsets place = *origin;
  push_pair(&open, ours, theirs);
  while (open.count && ours && theirs) {
    ours = nb_class_find(open.items[--open.count]);
    theirs = nb_class_find(open.items[--open.count]);
    if (!meet(arena, met, ours, theirs))
      continue;
    visit(types, ours, source, theirs, &place);
    for (unsigned i = 0; i < theirs->field_count; i++)
      push_targets(&open, ours, &theirs->fields[i],
                   nb_place_relative(theirs->fields[i].place, &place));
    place = nb_place_at(0);
  }
  nb_arena_free(arena);
}

/* Adds what `source` knows of `theirs`, and of what is reachable from it. */
static void adopt(NbTypes *types, NbClass *ours, NbTypes *source, NbClass *theirs,
                  const NbOffsets *origin) {
  visit_all(types, ours, source, theirs, origin, adopt_facts);
}

static LLVMValueRef primal_of(const NbTypes *types) {
  NbMap *primals = types->context->primals;
  return primals ? nb_map_get(primals, types->objects->functions.items[0]) : NULL;
}

/* By which steps a function that calls itself moves the parameter on, with no end; 0: it does not.
 */
static uint64_t walk_of(const NbTypes *types, LLVMValueRef parameter) {
  LLVMValueRef primal = primal_of(types);
  unsigned index = primal ? nb_parameter_index(parameter) : 0;
  if (!primal || index >= LLVMCountParams(primal))
    return 0;
  NbObjects *group = nb_summary_of(types->context, primal);
  NbOffsets view = nb_places_of(group->places, LLVMGetParam(primal, index));
  bool endless = view.low == INT64_MIN || view.high == INT64_MAX;
  return endless ? nb_place_step(&view) : 0;
}

/* The origin of the parameter's class, seen from what the parameter points to: what the callers
 * know of where it begins holds anywhere on the way of one that is moved on. */
static NbOffsets start_of(const NbTypes *types, LLVMValueRef parameter) {
  NbOffsets start = nb_place_at(-nb_origin_of(types->objects->origins, parameter));
  uint64_t step = walk_of(types, parameter);
  return step ? nb_place_stride(start, step, false) : start;
}

static void inherit_from_primal(NbTypes *types, LLVMValueRef function, LLVMValueRef primal) {
  NbObjects *group = nb_summary_of(types->context, primal);
  NbTypes *source = nb_types_of_group(group);
  for (unsigned i = 0; i < LLVMCountParams(primal); i++) {
    NbClass *theirs = nb_value_class_known(group, LLVMGetParam(primal, i));
    NbClass *ours = nb_value_class_known(types->objects, LLVMGetParam(function, i));
    NbOffsets start = start_of(types, LLVMGetParam(function, i));
    start = nb_place_shift(start, nb_origin_of(group->origins, LLVMGetParam(primal, i)));
    adopt(types, ours, source, theirs, &start);
  }
}

/* Functions that are being written say nothing. */
static bool is_users(const NbContext *context, LLVMValueRef function) {
  const char ours[] = "nabla.";
  return nb_map_has(context->originals, function) ||
         (!nb_map_has(context->primals, function) && LLVMGetFirstBasicBlock(function) &&
          strncmp(nb_name(function), ours, sizeof ours - 1) != 0);
}

/* Code that asks for derivatives changes with each, and is looked at anew then. Of long code, as
 * that of a test of many functions, only what its requests pass is known. */
static bool is_too_long_to_ask(const NbContext *context, LLVMValueRef caller) {
  unsigned count = 0;
  LLVMValueRef at = nb_map_has(context->around, caller) ? nb_instruction_first(caller) : NULL;
  for (; at && count < LONGEST_ASKED; at = nb_instruction_next(at))
    count++;
  return count == LONGEST_ASKED;
}

/* Are bytes declared in the class, which may be storage for anything? */
static bool has_bytes(NbTypes *types, LLVMValueRef pointer) {
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < facts->count; i++)
    if (nb_fact_is_storage(&facts->items[i]))
      return true;
  return false;
}

/* Adds those of the memory in which the callee copies bytes. */
static void add_copied_by(NbTypes *types, LLVMValueRef call, NbMap *moved) {
  const NbBinding *binding = nb_map_get(types->objects->bindings, call);
  for (unsigned i = 0; binding && i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    const NbFacts *facts = nb_facts_of(nb_types_of_group(binding->group), theirs);
    if (facts->copied)
      nb_map_set(moved, nb_class_find(nb_map_get(binding->classes, theirs)), types);
  }
}

/* The classes between which bytes are copied of which it is not known what they are. */
static NbMap *find_moved(NbTypes *types) {
  const NbList *functions = &types->objects->functions;
  NbMap *moved = nb_map_new(types->arena);
  for (unsigned i = 0; i < functions->count; i++) {
    LLVMValueRef at = nb_instruction_first(functions->items[i]);
    for (; at; at = nb_instruction_next(at)) {
      NbCall what = nb_is_call(at) ? nb_call_of(types->context, at) : (NbCall){0};
      if (nb_access_is_unknown_word(at))
        nb_map_set(moved,
                   nb_class_find(nb_value_class(types->objects, nb_access_pointer(at, false))),
                   types);
      if (what.kind == NB_CALL_BODY)
        add_copied_by(types, at, moved);
      if (what.kind != NB_CALL_COPY || !what.to || !what.from)
        continue;
      NbLayout layout = nb_facts_transfer(types, types, &what);
      uint64_t size = nb_call_most(&what);
      if (nb_layout_is_known(&layout) && !has_bytes(types, what.to) &&
          !has_bytes(types, what.from) && !nb_types_strays(types, what.to, size) &&
          !nb_types_strays(types, what.from, size))
        continue;
      nb_map_set(moved, nb_class_find(nb_value_class(types->objects, what.to)), types);
      nb_map_set(moved, nb_class_find(nb_value_class(types->objects, what.from)), types);
    }
  }
  return moved;
}

static bool is_moved(void *moved, NbClass *class) {
  return nb_map_has(moved, nb_class_find(class));
}

bool nb_facts_moves_untold(NbTypes *types, LLVMValueRef function) {
  NbMap *moved = find_moved(types);
  for (unsigned i = 0; nb_map_count(moved) && i < LLVMCountParams(function); i++) {
    NbClass *class = nb_value_class_known(types->objects, LLVMGetParam(function, i));
    if (class && nb_class_walk(class, is_moved, moved))
      return true;
  }
  return false;
}

/* Do accesses say something about the class, or is there none? */
static bool is_typed(NbTypes *types, NbClass *class) {
  if (!class)
    return true;
  NbFacts *facts = nb_facts_of(types, class);
  for (unsigned i = 0; i < facts->count; i++) {
    if (!facts->items[i].declared)
      return true;
  }
  return false;
}

/* Callers are asked about what accesses say nothing of, and about what leads to bytes that are
 * moved and not known. */
static bool is_asked(NbTypes *types, NbMap *moved, NbClass *class) {
  return class && (!is_typed(types, class) || nb_class_walk(class, is_moved, moved));
}

static bool tells_float(NbTypes *source, NbClass *class, const NbOffsets *place, uint64_t size) {
  const NbFacts *facts = class ? nb_facts_of(source, class) : NULL;
  for (unsigned i = 0; facts && i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind == NB_KIND_FLOAT && !fact->declared &&
        nb_place_meets(&fact->place, fact->size, place, size))
      return true;
  }
  return false;
}

/* Does the call say of its argument that floats lie at the place behind the parameter? */
static bool call_tells_float(NbContext *context, LLVMValueRef call, unsigned index,
                             const NbOffsets *place, uint64_t size) {
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  if (!is_users(context, caller) || is_too_long_to_ask(context, caller) ||
      index >= LLVMGetNumArgOperands(call) || caller == nb_callee(call))
    return false;
  NbTypes *source = nb_types_of_group(nb_summary_of(context, caller));
  LLVMValueRef argument = LLVMGetOperand(call, index);
  NbOffsets at = nb_place_add(nb_places_of(source->places, argument), *place);
  return tells_float(source, nb_value_class_known(source->objects, argument), &at, size);
}

bool nb_facts_callers_tell_float(NbTypes *group, LLVMValueRef callee, NbClass *class,
                                 const NbFact *fact) {
  unsigned callers = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(callee); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!nb_is_call(call) || nb_callee(call) != callee || callers++ >= MOST_CALLERS)
      continue;
    for (unsigned i = 0; i < LLVMCountParams(callee); i++) {
      LLVMValueRef parameter = LLVMGetParam(callee, i);
      if (nb_value_class_known(group->objects, parameter) != nb_class_find(class))
        continue;
      NbOffsets place = nb_place_add(start_of(group, parameter), fact->place);
      if (call_tells_float(group->context, call, i, &place, fact->size))
        return true;
    }
  }
  return false;
}

static void inherit_from_call(NbTypes *types, LLVMValueRef function, LLVMValueRef primal,
                              LLVMValueRef call, NbMap *moved) {
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  if (!is_users(types->context, caller) || is_too_long_to_ask(types->context, caller) ||
      caller == primal)
    return;
  NbObjects *group = nb_summary_of(types->context, caller);
  NbTypes *source = nb_types_of_group(group);
  for (unsigned i = 0; i < LLVMCountParams(primal) && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    NbClass *ours = nb_value_class_known(types->objects, LLVMGetParam(function, i));
    if (!is_asked(types, moved, ours) ||
        LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind)
      continue;
    NbOffsets origin = nb_places_of(source->places, argument);
    origin = nb_place_add(origin, start_of(types, LLVMGetParam(function, i)));
    adopt(types, ours, source, nb_value_class_known(group, argument), &origin);
  }
  NbClass *result = nb_map_get(types->objects->results, function);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMPointerTypeKind || !is_asked(types, moved, result))
    return;
  const NbOffsets *returned = nb_map_get(types->places->returns, function);
  NbOffsets origin = nb_places_of(source->places, call);
  if (returned && nb_place_is_exact(returned))
    origin = nb_place_shift(origin, -returned->base);
  adopt(types, result, source, nb_value_class_known(group, call), &origin);
}

/* Are there members or arrays? A single number says nothing of what is beside it. */
static bool is_described(const NbFacts *facts) {
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->declared || fact->field || fact->place.period || fact->place.count > 1)
      return true;
  }
  return false;
}

/* The object behind the parameter begins at `begin`, and has `extent` bytes, if nothing else is of
 * its class. */
static void adopt_extent(NbTypes *types, NbClass *ours, NbOffsets begin, uint64_t extent) {
  NbFacts *facts = nb_facts_of(types, ours);
  unsigned flags = nb_class_find(ours)->flags;
  bool alone = !(flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE)) && !nb_types_is_mixed(types, ours);
  if (facts->begins || !alone || !nb_place_is_exact(&begin) || extent > INT32_MAX)
    return;
  facts->begin = begin.base;
  facts->begins = true;
  facts->extent = extent;
}

/* A variable that is an array of numbers holds such, as if they were accessed: that bytes of others
 * are copied there does not make it something else. */
static void adopt_numbers(NbTypes *types, NbClass *ours, NbOffsets place, LLVMTypeRef array) {
  LLVMTypeRef type = array;
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  if (type == array || !nb_is_float_kind(LLVMGetTypeKind(type)))
    return;
  LLVMTargetDataRef layout = types->context->layout;
  NbFact fact = {.kind = NB_KIND_FLOAT, .type = type, .size = LLVMABISizeOfType(layout, type)};
  fact.place = nb_place_index(place, fact.size, LLVMABISizeOfType(layout, array) / fact.size);
  nb_facts_add(types, ours, fact);
}

static void adopt_declared(NbTypes *types, NbClass *ours, NbOffsets place, LLVMTypeRef type) {
  adopt_extent(types, ours, place, LLVMABISizeOfType(types->context->layout, type));
  nb_facts_declare(types, ours, place, type);
  adopt_numbers(types, ours, place, type);
}

/* `start`: see start_of. */
static void adopt_class(NbTypes *types, NbClass *ours, NbOffsets start,
                        const NbPassedMemory *memory) {
  NbOffsets origin = nb_place_add(memory->origin, start);
  const NbFacts *theirs = nb_facts_of(memory->types, memory->class);
  if (theirs->begins)
    adopt_extent(types, ours, nb_place_relative(nb_place_at(theirs->begin), &origin),
                 theirs->extent);
  nb_facts_of(types, ours)->untyped |= theirs->untyped;
  if (is_described(theirs))
    adopt(types, ours, memory->types, memory->class, &origin);
}

void nb_facts_adopt(NbTypes *types, LLVMValueRef parameter, const NbPassedMemory *memory) {
  NbClass *ours = nb_value_class_known(types->objects, parameter);
  NbOffsets start = start_of(types, parameter), place = nb_place_at(-start.base);
  if (ours && memory->declared)
    adopt_declared(types, ours, nb_place_relative(place, &memory->at), memory->declared);
  if (ours && memory->class)
    adopt_class(types, ours, start, memory);
}

static void note_owners(NbTypes *types, LLVMValueRef parameter, const NbPassedMemory *memory) {
  NbClass *ours = nb_value_class_known(types->objects, parameter);
  NbOffsets origin = nb_place_add(memory->origin, start_of(types, parameter));
  if (memory->handed && memory->class && ours)
    visit_all(types, ours, memory->types, memory->class, &origin, note_owner);
}

static void inherit_passed(NbTypes *types, LLVMValueRef function, const NbPassed *passed,
                           NbMap *moved) {
  for (unsigned i = 0; i < passed->count; i++) {
    NbClass *ours = nb_value_class_known(types->objects, LLVMGetParam(function, i));
    note_owners(types, LLVMGetParam(function, i), &passed->items[i]);
    if (is_asked(types, moved, ours))
      nb_facts_adopt(types, LLVMGetParam(function, i), &passed->items[i]);
  }
}

void nb_facts_inherit(NbTypes *types) {
  LLVMValueRef primal = primal_of(types);
  if (primal)
    inherit_from_primal(types, types->objects->functions.items[0], primal);
}

void nb_facts_inherit_from_callers(NbTypes *types) {
  LLVMValueRef function = types->objects->functions.items[0];
  LLVMValueRef primal = primal_of(types);
  LLVMUseRef use = primal ? LLVMGetFirstUse(primal) : NULL;
  const NbPassed *passed = primal ? nb_map_get(types->context->passed, function) : NULL;
  NbMap *moved = use || passed ? find_moved(types) : NULL;
  unsigned callers = 0;
  if (passed)
    inherit_passed(types, function, passed, moved);
  for (; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (nb_is_call(call) && nb_callee(call) == primal && callers++ < MOST_CALLERS)
      inherit_from_call(types, function, primal, call, moved);
  }
}
