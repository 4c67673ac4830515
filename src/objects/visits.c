// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which instructions say where pointers point: those that a search for places visits again and
 * again. For one member of a class, which is asked for often, those that have, store, return or
 * pass pointers into its class. */
#include "objects/places.h"

static bool has_place(const NbObjects *objects, LLVMValueRef value) {
  return nb_map_has(objects->values, value);
}

/* May a visit find anything? */
static bool is_visited(const NbPlaces *places, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMCall:
  case LLVMInvoke:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMStore: {
    LLVMValueRef value = LLVMGetOperand(instruction, 0);
    return nb_type_has_pointer(LLVMTypeOf(value)) || has_place(places->objects, value);
  }
  case LLVMRet:
    return LLVMGetNumOperands(instruction) != 0;
  default:
    return has_place(places->objects, instruction);
  }
}

static NbList visited(const NbPlaces *places, NbArena *arena) {
  const NbList *functions = &places->objects->functions;
  NbList found = nb_list(arena);
  for (unsigned i = 0; i < functions->count; i++) {
    LLVMValueRef at = nb_instruction_first(functions->items[i]);
    for (; at; at = nb_instruction_next(at))
      if (is_visited(places, at))
        nb_list_push(&found, at);
  }
  return found;
}

bool nb_places_any_note(const NbObjects *objects) {
  bool noted = false;
  for (unsigned i = 0; i < objects->functions.count && !noted; i++) {
    LLVMValueRef at = nb_instruction_first(objects->functions.items[i]);
    for (; at && !noted; at = nb_instruction_next(at))
      noted = nb_places_has_note(at);
  }
  return noted;
}

static void add_visit(NbPlaces *whole, NbClass *class, LLVMValueRef instruction) {
  if (!class)
    return;
  class = nb_class_find(class);
  NbList *list = nb_map_get(whole->visits, class);
  if (!list) {
    list = NB_NEW(whole->open, NbList);
    *list = nb_list(whole->open);
    nb_map_set(whole->visits, class, list);
  }
  if (!list->count || list->items[list->count - 1] != instruction)
    nb_list_push(list, instruction);
}

static void add_visits(NbPlaces *whole, LLVMValueRef instruction) {
  NbObjects *objects = whole->objects;
  NbBinding *binding = nb_map_get(objects->bindings, instruction);
  add_visit(whole, nb_map_get(objects->values, instruction), instruction);
  for (unsigned i = 0; binding && i < nb_map_count(binding->classes); i++)
    add_visit(whole, nb_map_get(binding->classes, nb_map_key(binding->classes, i)), instruction);
  bool moves = nb_is_call(instruction) || LLVMIsAStoreInst(instruction) ||
               LLVMIsAReturnInst(instruction) || LLVMIsAAtomicRMWInst(instruction) ||
               LLVMIsAAtomicCmpXchgInst(instruction);
  for (int i = 0; moves && i < LLVMGetNumOperands(instruction); i++)
    add_visit(whole, nb_map_get(objects->values, LLVMGetOperand(instruction, (unsigned)i)),
              instruction);
}

void nb_places_open_members(NbPlaces *whole) {
  whole->open = nb_arena_new();
  whole->visits = nb_map_new(whole->open);
  const NbList instructions = visited(whole, whole->open);
  for (unsigned i = 0; i < instructions.count; i++)
    add_visits(whole, instructions.items[i]);
}

void nb_places_close_members(NbPlaces *whole) {
  nb_arena_free(whole->open);
  whole->open = NULL;
}

/* What a callee allocates may be of several classes. */
NbList nb_places_visited(const NbPlaces *places, NbArena *arena) {
  bool one = places->kind == NB_PLACES_MEMBER && places->whole->open &&
             !nb_map_has(places->objects->bindings, places->member);
  NbClass *class = one ? nb_value_class_known(places->objects, places->member) : NULL;
  const NbList *list = class ? nb_map_get(places->whole->visits, class) : NULL;
  return list ? *list : visited(places, arena);
}
