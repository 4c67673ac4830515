// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the memory holds that a working copy passes to a function with a body, where that function
 * moves bytes of which neither it nor its callers tell what they are: the nodes of a container that
 * a recursive function copies, say. All that happens to memory of the working copy's own is seen in
 * it, so that no number lies where it finds none; memory that it was given is what its caller said.
 *
 * In a cycle of the call graph a call is given what the first one was, or nothing is said: else
 * each round might ask for another derivative. */
#include "objects/words.h"
#include "types/facts.h"

#include <string.h>

/* Memory of which others may know what it holds. */
typedef struct Outside {
  NbTypes *types;
  NbMap *classes;
  bool changed;
} Outside;

static bool is_outside(const Outside *outside, NbClass *class) {
  const unsigned others = NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE | NB_CLASS_FUNCTION | NB_CLASS_GLOBAL |
                          NB_CLASS_EXTERNAL | NB_CLASS_UNSEEN;
  class = nb_class_find(class);
  return (class->flags & others) || nb_map_has(outside->classes, class);
}

static void add(Outside *outside, NbClass *class) {
  if (is_outside(outside, class))
    return;
  nb_map_set(outside->classes, nb_class_find(class), outside);
  outside->changed = true;
}

static NbClass *ours_of(const NbBinding *binding, unsigned index) {
  return nb_map_get(binding->classes, nb_map_key(binding->classes, index));
}

/* What the callee knows of its own. */
static const NbFacts *facts_of(const NbBinding *binding, unsigned index) {
  NbClass *theirs = (NbClass *)nb_map_key(binding->classes, index);
  return nb_facts_of(nb_types_of_group(binding->group), nb_class_find(theirs));
}

/* A callee may have filled any of its memory with copies from any other. */
static void look_at_body(Outside *outside, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(outside->types->objects->bindings, call);
  unsigned count = binding ? nb_map_count(binding->classes) : 0;
  bool copied = false;
  for (unsigned i = 0; i < count; i++)
    copied |= facts_of(binding, i)->copied && is_outside(outside, ours_of(binding, i));
  for (unsigned i = 0; copied && i < count; i++)
    if (facts_of(binding, i)->filled)
      add(outside, ours_of(binding, i));
}

static void look_at_call(Outside *outside, LLVMValueRef call) {
  NbTypes *types = outside->types;
  NbCall what = nb_call_of(types->context, call);
  if (what.kind == NB_CALL_COPY && what.to && what.from &&
      is_outside(outside, nb_value_class(types->objects, what.from)))
    add(outside, nb_value_class(types->objects, what.to));
  if (what.kind == NB_CALL_BODY)
    look_at_body(outside, call);
}

static bool is_word(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(value)));
  return !LLVMIsAConstant(value) && (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind);
}

/* Words that are moved may be the bits of numbers, unless types say that they are none. */
static void look_at_store(Outside *outside, LLVMValueRef store) {
  NbTypes *types = outside->types;
  NbClass *class = nb_value_class(types->objects, LLVMGetOperand(store, 1));
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (!is_word(value) || is_outside(outside, class))
    return;
  NbMoved moved = nb_moved_with(value);
  for (unsigned i = 0; i < moved.count; i++) {
    LLVMValueRef item = moved.items[i];
    bool told = LLVMIsALoadInst(item) &&
                (nb_tbaa_name(item) || nb_access_is_noted(item) || nb_access_is_typed(item));
    if (LLVMIsALoadInst(item) && !told &&
        is_outside(outside, nb_value_class(types->objects, LLVMGetOperand(item, 0))))
      add(outside, class);
  }
}

static Outside find_outside(NbTypes *types) {
  Outside outside = {types, nb_map_new(types->arena), true};
  while (outside.changed) {
    outside.changed = false;
    LLVMValueRef at = nb_instruction_first(types->objects->functions.items[0]);
    for (; at; at = nb_instruction_next(at)) {
      if (nb_is_call(at))
        look_at_call(&outside, at);
      else if (LLVMIsAStoreInst(at))
        look_at_store(&outside, at);
    }
  }
  return outside;
}

static bool tells_other(const NbFacts *facts, const NbFact *bits) {
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool other = fact->kind == NB_KIND_INTEGER || fact->kind == NB_KIND_POINTER;
    if (other && nb_place_meets(&fact->place, fact->size, &bits->place, bits->size))
      return true;
  }
  return false;
}

/* May the bits of numbers be stored as words where facts tell of something else? Not in those that
 * nothing but pointers comes into. */
static bool hides_bits(NbTypes *types, NbClass *class) {
  const NbFacts *integers = nb_facts_of_integers(types, class);
  for (unsigned i = 0; i < integers->count; i++) {
    const NbFact *fact = &integers->items[i];
    if ((fact->kind == NB_KIND_CONFLICT || fact->kind == NB_KIND_UNKNOWN) &&
        tells_other(nb_facts_of(types, class), fact) &&
        !nb_types_gets_pointers_at(types, class, &fact->place, fact->size))
      return true;
  }
  return false;
}

/* True where something is not seen here. */
static bool is_open(void *user, NbClass *class) {
  const Outside *outside = user;
  const NbFacts *facts = nb_facts_of(outside->types, nb_class_find(class));
  return is_outside(outside, class) || facts->full || facts->untyped ||
         hides_bits(outside->types, nb_class_find(class));
}

static NbPassedMemory memory_of(Outside *outside, LLVMValueRef argument) {
  NbTypes *types = outside->types;
  NbPassedMemory nothing = {0};
  NbClass *class = nb_value_class_known(types->objects, argument);
  if (!class || LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind)
    return nothing;
  class = nb_class_find(class);
  NbOffsets place = nb_places_of(types->places, argument);
  const NbPassedMemory *owner = nb_map_get(types->owners, class);
  NbPassedMemory memory = {.types = types, .class = class, .origin = place, .handed = true};
  if (owner && owner->types) {
    memory = *owner;
    memory.handed = true;
    memory.origin = nb_place_add(owner->origin, place);
    return memory;
  }
  return owner || nb_class_walk(class, is_open, outside) ? nothing : memory;
}

static const NbPassed *passed_by(NbTypes *types, LLVMValueRef call) {
  NbArena *arena = types->context->arena;
  unsigned count = LLVMCountParams(nb_callee(call)), given = LLVMGetNumArgOperands(call);
  count = given < count ? given : count;
  NbPassedMemory *items = NB_NEW_ARRAY(arena, NbPassedMemory, count + 1);
  Outside outside = find_outside(types);
  for (unsigned i = 0; i < count; i++)
    items[i] = memory_of(&outside, LLVMGetOperand(call, i));
  return nb_passed_of(arena, items, count);
}

const NbPassed *nb_types_handed(NbTypes *types, LLVMValueRef call, bool cycle) {
  NbContext *context = types->context;
  LLVMValueRef callee = nb_callee(call);
  const NbPassed *given = nb_map_get(context->passed, types->objects->functions.items[0]);
  NbTypes *group = nb_types_of_group(nb_summary_of(context, callee));
  if ((cycle && !given) || !nb_facts_moves_untold(group, callee))
    return NULL;
  const NbPassed *passed = passed_by(types, call);
  if (!cycle || !passed)
    return passed;
  return strcmp(passed->text, given->text) == 0 ? given : NULL;
}
