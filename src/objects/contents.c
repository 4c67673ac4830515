// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the pointers in memory lead to, by the field that they lie in: a pointer to an object and
 * one into the middle of it, in two members of a struct, are kept apart. Where the graph has not
 * noted how bytes are copied, by the class that they lead to alone. */
#include "objects/contents.h"

enum { POINTER_SIZE = 8 };

/* What pointers in the field are kept under. */
static const void *key_of(const NbPlaces *places, const NbField *field) {
  return places->objects->followed ? (const void *)field : nb_class_find(field->target);
}

/* May pointers to the target be held there in the field? */
static bool may_hold(const NbField *field, const NbHeld *held, NbClass *target) {
  return nb_class_find(field->target) == target && nb_pointer_kinds_meet(field->kind, held->kind) &&
         (!held->at || nb_place_meets(&field->place, field->size, held->at, held->size));
}

void nb_contents_add(NbPlaces *places, const NbHeld *held, NbClass *target, NbOffsets content) {
  target = nb_class_find(target);
  const NbClass *holder = nb_class_find(held->holder);
  if (!places->objects->followed) {
    nb_places_merge(places, places->contents, target, content);
    return;
  }
  for (unsigned i = 0; i < holder->field_count; i++)
    if (may_hold(&holder->fields[i], held, target))
      nb_places_merge(places, places->contents, &holder->fields[i], content);
}

const NbOffsets *nb_contents_of_field(const NbPlaces *places, const NbField *field) {
  return nb_map_get(places->contents, key_of(places, field));
}

static bool find(const NbPlaces *places, const NbHeld *held, NbClass *target, NbOffsets *content) {
  bool found = false;
  target = nb_class_find(target);
  const NbClass *holder = nb_class_find(held->holder);
  for (unsigned i = 0; i < holder->field_count; i++) {
    const NbField *field = &holder->fields[i];
    bool meant = may_hold(field, held, target);
    const NbOffsets *one = meant ? nb_contents_of_field(places, field) : NULL;
    if (!one)
      continue;
    *content = found ? nb_place_join(*content, *one) : *one;
    found = true;
  }
  return found;
}

/* Where pointers to `target` lead that are found there when the function begins: to where those
 * lead that the function puts there, or to the start of their object. */
static NbOffsets found_content(const NbPlaces *places, const NbHeld *held, NbClass *target) {
  const NbPlaces *whole = places->whole ? places->whole : places;
  NbOffsets kept;
  bool put = !places->guess && find(whole, held, target, &kept);
  return put ? kept : nb_place_at(0);
}

bool nb_contents_known(const NbPlaces *places, const NbHeld *held, NbClass *target,
                       NbOffsets *place) {
  NbOffsets kept;
  bool content = find(places, held, target, &kept);
  bool external =
      places->whole ? places->kind != NB_PLACES_MEMBER : nb_class_is_external(held->holder);
  *place = content && !places->guess ? kept : nb_place_at(0);
  if (external) {
    NbOffsets found = found_content(places, held, target);
    *place = content ? nb_place_join(found, *place) : found;
  }
  return content || (external && !places->puts) || places->guess;
}

/* The pointers in one field of what is copied. */
static void copy_field(NbPlaces *places, const NbTransfer *copy, const NbField *field) {
  const NbOffsets *content = nb_contents_of_field(places, field);
  NbOffsets at;
  if (!content || !nb_transfer_copies(copy, field->place, field->size, &at))
    return;
  NbHeld held = {copy->to, &at, field->size, field->kind};
  nb_contents_add(places, &held, field->target, *content);
}

void nb_contents_copy(NbPlaces *places) {
  const NbList *transfers = &places->objects->transfers;
  for (unsigned i = 0; places->objects->followed && i < transfers->count; i++) {
    const NbTransfer *copy = transfers->items[i];
    const NbClass *from = nb_class_find(copy->from);
    for (unsigned k = 0; k < from->field_count; k++)
      copy_field(places, copy, &from->fields[k]);
  }
}

/* Where a pointer that the function writes leads to; false where nothing is known yet. */
static bool place_written(const NbPlaces *places, LLVMValueRef call, const NbEffect *effect,
                          NbOffsets *place) {
  *place = nb_place_anywhere();
  if (!effect->leads || effect->into >= LLVMGetNumArgOperands(call))
    return true;
  LLVMValueRef into = LLVMGetOperand(call, effect->into);
  *place = nb_place_stride(nb_places_of(places, into), 1, true);
  return nb_places_reaches(places, into);
}

static void write_pointer(NbPlaces *places, LLVMValueRef argument, NbOffsets place) {
  const NbPlaces *whole = places->whole ? places->whole : places;
  bool anywhere = whole->lost || !places->objects->followed;
  if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || LLVMIsNull(argument) ||
      (!anywhere && !nb_places_reaches(whole, argument)))
    return;
  NbOffsets at = anywhere ? nb_place_anywhere() : nb_places_of(whole, argument);
  NbClass *holder = nb_value_class(places->objects, argument);
  NbClass *target = nb_class_field_known(holder, at, POINTER_SIZE, NULL);
  NbHeld held = {holder, &at, POINTER_SIZE, NULL};
  if (target)
    nb_contents_add(places, &held, target, place);
}

void nb_contents_written(NbPlaces *places, LLVMValueRef call, const NbRule *rule) {
  for (unsigned i = 0; i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    NbOffsets place;
    if (!effect->writes || effect->type != NB_TYPE_POINTER ||
        !place_written(places, call, effect, &place))
      continue;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
      if (effect->parameter == k || effect->parameter == NB_NO_PARAMETER)
        write_pointer(places, LLVMGetOperand(call, k), place);
  }
}
