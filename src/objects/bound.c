// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Places at calls whose callee's graph is instantiated there: where the origins of the callee's
 * classes lie in the caller's, and where pointers lead that the callee stores and returns. */
#include "emit/runtime.h"
#include "objects/contents.h"
#include "objects/origins.h"
#include "objects/places.h"

static NbOffsets negated(NbOffsets place) {
  NbOffsets back = nb_place_at(-place.base);
  uint64_t step = nb_place_step(&place);
  return step ? nb_place_stride(back, step, false) : back;
}

static void root(NbPlaces *places, NbMap *shifts, NbClass *theirs, NbOffsets place) {
  nb_places_merge(places, shifts, nb_class_find(theirs), place);
}

static bool is_within(NbOffsets place, NbOffsets whole) {
  NbOffsets join = nb_place_join(whole, place);
  return nb_place_equal(&join, &whole);
}

/* Pointers in our memory point to `content`; the callee sees them point to `view`, seen from the
 * origin of `target`. Where that is not all from the origins known so far, there are others. */
static void shift_target(NbPlaces *places, NbMap *shifts, NbClass *target, NbOffsets content,
                         NbOffsets view) {
  const NbOffsets *shift = nb_map_get(shifts, target);
  if (!shift || !is_within(content, nb_place_add(*shift, view)))
    root(places, shifts, target, nb_place_add(content, negated(view)));
}

static NbPlaces *places_of_group(const NbPlaces *places, const NbBinding *binding) {
  return places->flat ? binding->group->flat : binding->group->places;
}

NbMap *nb_places_map_of(const NbPlaces *places, NbMap *maps, LLVMValueRef call) {
  NbMap *map = nb_map_get(maps, call);
  if (!map) {
    map = nb_map_new(places->arena);
    nb_map_set(maps, call, map);
  }
  return map;
}

/* Where the field of the callee's class lies in ours; false where nothing is known yet. */
static bool place_of_field(const NbPlaces *places, LLVMValueRef call, NbClass *theirs,
                           const NbField *field, NbOffsets *place) {
  const NbPlaces *whole = places->whole ? places->whole : places;
  *place = nb_place_add(nb_places_of_bound(whole, call, theirs), field->place);
  return nb_places_reaches_bound(whole, call, theirs);
}

/* The origin of the callee's class, with memory that it allocates; a member by itself is seen as
 * the callee sees it. */
static NbOffsets origin_of_fresh(const NbPlaces *places, LLVMValueRef call, NbClass *theirs) {
  bool alone = places->kind == NB_PLACES_MEMBER;
  return nb_place_at(alone ? 0 : nb_origin_of_bound(places->objects->origins, call, theirs));
}

/* Do pointers in memory of the class lead to it, as those of nodes do? */
static bool links_itself(NbClass *class) {
  for (unsigned i = 0; i < class->field_count; i++)
    if (nb_class_find(class->fields[i].target) == class)
      return true;
  return false;
}

/* Is the place one of a few that the callee's parameter points to? */
static bool is_among(const NbOffsets *place, const NbOffsets *view) {
  bool bounded = view->low != INT64_MIN && view->high != INT64_MAX;
  return bounded && place->low >= view->low && place->high <= view->high &&
         nb_place_holds(view, place);
}

/* Of the callee's class `theirs`: its parameter points to `view`, first to `origin`, ours to
 * `place`. A function that calls itself for any element of an array, or any member of a node that
 * leads to other nodes, may point to all of them. */
static NbOffsets shift_of(NbClass *theirs, NbOffsets place, NbOffsets view, int64_t origin) {
  if (is_among(&place, &view) && links_itself(theirs))
    return nb_place_at(0);
  int64_t least = place.base - view.base;
  if (!nb_place_is_exact(&place) && is_within(place, nb_place_shift(view, least)))
    return nb_place_at(least);
  return nb_place_shift(place, -origin);
}

/* Has the member, from `place` on, the bytes that the call promises to be behind its argument?
 * Where it has not, the argument leads elsewhere. */
static bool has_room(const NbPlaces *places, LLVMValueRef call, unsigned index,
                     const NbOffsets *place) {
  bool sized = places->kind == NB_PLACES_MEMBER && !LLVMIsAArgument(places->member);
  uint64_t promised = sized ? nb_call_promised_bytes(call, index) : 0;
  uint64_t bytes = promised ? nb_object_bytes(places->objects->context, places->member) : 0;
  if (!promised || bytes > INT32_MAX || place->low == INT64_MIN)
    return true;
  return promised <= bytes && place->low <= (int64_t)(bytes - promised) && place->high >= 0;
}

/* The classes whose origin in the caller is known from what is passed. */
static void shift_roots(NbPlaces *places, NbMap *shifts, LLVMValueRef call, NbBinding *binding) {
  NbOffsets place;
  NbObjects *group = binding->group;
  for (unsigned i = 0; i < LLVMCountParams(binding->callee); i++) {
    LLVMValueRef parameter = LLVMGetParam(binding->callee, i);
    NbClass *theirs = nb_value_class_known(group, parameter);
    if (theirs && i < LLVMGetNumArgOperands(call) &&
        nb_places_known(places, LLVMGetOperand(call, i), &place) &&
        has_room(places, call, i, &place))
      root(places, shifts, theirs,
           shift_of(nb_class_find(theirs), place,
                    nb_places_of(places_of_group(places, binding), parameter),
                    nb_origin_of(group->origins, parameter)));
  }
  for (unsigned i = 0; i < nb_map_count(group->globals) && nb_places_covers_found(places); i++) {
    NbClass *theirs = nb_map_get(group->globals, nb_map_key(group->globals, i));
    root(places, shifts, theirs, nb_place_at(0));
  }
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    if ((theirs->flags & NB_CLASS_HEAP) && nb_places_covers(places, call))
      root(places, shifts, theirs, origin_of_fresh(places, call, theirs));
    if ((theirs->flags & NB_CLASS_OPAQUE) && nb_places_covers_found(places))
      root(places, shifts, theirs, nb_place_at(0));
  }
}

/* --- The same where the callee's members are told apart. --- */

bool nb_places_of_given(const NbPlaces *places, LLVMValueRef call, NbClass *theirs,
                        const NbPlaces *member, NbOffsets *shift) {
  const NbBinding *binding = nb_map_get(places->objects->bindings, call);
  if (!member->member) {
    bool found = member->kind == NB_PLACES_FOUND && nb_map_has(places->found, call);
    NbMap *shifts = nb_map_get(found ? places->found : places->shifts, call);
    const NbOffsets *at = shifts ? nb_map_get(shifts, nb_class_find(theirs)) : NULL;
    if (at)
      *shift = *at;
    return at != NULL;
  }
  *shift = nb_place_at(0);
  if (!LLVMIsAArgument(member->member)) {
    NbOffsets begin = nb_origin_of_allocated(binding->group, member->member, nb_class_find(theirs));
    *shift = nb_place_add(origin_of_fresh(places, call, nb_class_find(theirs)), begin);
    return !LLVMIsAAllocaInst(member->member) && nb_places_covers(places, call);
  }
  for (unsigned i = 0; i < LLVMCountParams(binding->callee); i++) {
    if (LLVMGetParam(binding->callee, i) == member->member)
      return i < LLVMGetNumArgOperands(call) &&
             nb_places_known(places, LLVMGetOperand(call, i), shift) &&
             has_room(places, call, i, shift);
  }
  return false;
}

/* Records of a stack are seen from where each begins: nothing else leads there. */
static void merge_result(NbPlaces *places, LLVMValueRef call, NbOffsets place) {
  const bool record = nb_runtime_gives_record(nb_callee(call));
  nb_places_merge(places, places->values, call, record ? nb_place_at(0) : place);
}

/* Pointers in the field, or the result (no field), that lead to the callee's member of `target`. */
static void give_back(NbPlaces *places, LLVMValueRef call, NbClass *theirs, const NbField *field,
                      NbClass *target, const NbPlaces *member) {
  NbBinding *binding = nb_map_get(places->objects->bindings, call);
  const NbOffsets *given =
      field ? nb_contents_of_field(member, field) : nb_map_get(member->returns, binding->callee);
  NbOffsets shift, at;
  places->lost |= member->lost;
  if (!given || !nb_places_of_given(places, call, target, member, &shift))
    return;
  if (!field && nb_places_has(places, call))
    merge_result(places, call, nb_place_add(shift, *given));
  if (!field || !place_of_field(places, call, theirs, field, &at))
    return;
  NbHeld held = {nb_map_get(binding->classes, theirs), &at, field->size, field->kind};
  nb_contents_add(places, &held, nb_map_get(binding->classes, target), nb_place_add(shift, *given));
}

/* The same of all members. */
static void give_back_members(NbPlaces *places, LLVMValueRef call, NbClass *theirs,
                              const NbField *field, NbClass *target) {
  NbPlaces *group = places_of_group(places, nb_map_get(places->objects->bindings, call));
  target = nb_class_find(target);
  for (unsigned i = 0; i < nb_class_member_count(target); i++) {
    LLVMValueRef member = nb_class_member(target, i);
    if (LLVMIsAArgument(member) || nb_places_is_member(group, member))
      give_back(places, call, theirs, field, target,
                nb_places_of_member(group, NB_PLACES_MEMBER, member));
  }
  give_back(places, call, theirs, field, target, nb_places_of_member(group, NB_PLACES_FOUND, NULL));
}

/* Where that is which the callee finds through pointers in `theirs`, and what it keeps there. */
static void find_pointees(NbPlaces *places, LLVMValueRef call, NbBinding *binding,
                          NbClass *theirs) {
  NbPlaces *group = nb_places_of_member(places_of_group(places, binding), NB_PLACES_FOUND, NULL);
  NbMap *found = nb_places_map_of(places, places->found, call);
  NbClass *ours = nb_map_get(binding->classes, theirs);
  for (unsigned i = 0; i < theirs->field_count; i++) {
    const NbField *field = &theirs->fields[i];
    NbClass *target = nb_class_find(field->target);
    NbOffsets content, at;
    NbHeld held = {ours, &at, field->size, field->kind};
    if (!place_of_field(places, call, theirs, field, &at) ||
        !nb_contents_known(places, &held, nb_map_get(binding->classes, target), &content))
      continue;
    shift_target(places, found, target, content, nb_places_of_content(group, theirs, field));
    root(places, nb_places_map_of(places, places->shifts, call), target,
         *(const NbOffsets *)nb_map_get(found, target));
  }
}

static void find_all(NbPlaces *places, LLVMValueRef call, NbBinding *binding) {
  NbMap *found = nb_places_map_of(places, places->found, call);
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    bool global = theirs->flags & (NB_CLASS_CONSTANT | NB_CLASS_GLOBAL | NB_CLASS_OPAQUE);
    if (global && nb_places_covers_found(places))
      root(places, found, theirs, nb_place_at(0));
    find_pointees(places, call, binding, theirs);
  }
}

static void visit_bound_apart(NbPlaces *places, LLVMValueRef call, NbBinding *binding) {
  unsigned count = nb_map_count(binding->classes);
  shift_roots(places, nb_places_map_of(places, places->shifts, call), call, binding);
  find_all(places, call, binding);
  for (unsigned i = 0; i < count; i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    for (unsigned k = 0; k < theirs->field_count; k++)
      give_back_members(places, call, theirs, &theirs->fields[k], theirs->fields[k].target);
  }
  if (nb_type_has_pointer(LLVMTypeOf(call)))
    give_back_members(places, call, NULL, NULL,
                      nb_map_get(binding->group->results, binding->callee));
}

/* --- And where they are not. --- */

/* Follows the pointers that the callee finds in memory of `theirs`: its view of them against ours.
 */
static void shift_pointees(NbPlaces *places, NbMap *shifts, LLVMValueRef call, NbClass *theirs) {
  NbBinding *binding = nb_map_get(places->objects->bindings, call);
  const NbPlaces *group = places_of_group(places, binding);
  NbClass *ours = nb_map_get(binding->classes, theirs);
  for (unsigned i = 0; i < theirs->field_count; i++) {
    const NbField *field = &theirs->fields[i];
    NbClass *target = nb_class_find(field->target);
    NbClass *mine = nb_map_get(binding->classes, target);
    NbOffsets content, at;
    NbHeld held = {ours, &at, field->size, field->kind};
    if (!place_of_field(places, call, theirs, field, &at))
      continue;
    if (nb_contents_known(places, &held, mine, &content))
      shift_target(places, shifts, target, content, nb_places_of_content(group, theirs, field));
    const NbOffsets *stored = nb_contents_of_field(group, field);
    NbOffsets *shift = nb_map_get(shifts, target);
    if (stored && shift && nb_map_has(places->found, call))
      give_back_members(places, call, theirs, field, target);
    else if (stored && shift)
      nb_contents_add(places, &held, mine, nb_place_add(*shift, *stored));
  }
}

/* Does the callee see several places of ours as one, or may it: the member of a node that it is
 * given, and where the node begins that this leads to? Then its members are told apart. */
static bool is_blurred(const NbMap *shifts) {
  for (unsigned i = 0; i < nb_map_count(shifts); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(shifts, i));
    const NbOffsets *shift = nb_map_get(shifts, theirs);
    if (!nb_place_is_exact(shift) || (shift->base && links_itself(theirs)))
      return true;
  }
  return false;
}

static void visit_bound_together(NbPlaces *places, LLVMValueRef call, NbBinding *binding) {
  NbMap *shifts = nb_places_map_of(places, places->shifts, call);
  places->extents |= binding->group->flat != binding->group->places;
  const NbPlaces *group = places_of_group(places, binding);
  shift_roots(places, shifts, call, binding);
  if (is_blurred(shifts))
    find_all(places, call, binding);
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++)
    shift_pointees(places, shifts, call, (NbClass *)nb_map_key(binding->classes, i));
  NbOffsets *result = nb_map_get(group->returns, binding->callee);
  if (!result || !nb_places_has(places, call))
    return;
  NbClass *theirs = nb_map_get(binding->group->results, binding->callee);
  NbOffsets *shift = nb_map_get(shifts, nb_class_find(theirs));
  if (nb_map_has(places->found, call))
    give_back_members(places, call, NULL, NULL, theirs);
  else
    merge_result(places, call, shift ? nb_place_add(*shift, *result) : *result);
}

void nb_places_visit_bound(NbPlaces *places, LLVMValueRef call, NbBinding *binding) {
  if (places->whole)
    visit_bound_apart(places, call, binding);
  else
    visit_bound_together(places, call, binding);
}

bool nb_places_reaches_bound(const NbPlaces *places, LLVMValueRef call, NbClass *theirs) {
  NbMap *shifts = nb_map_get(places->shifts, call);
  return shifts && nb_map_has(shifts, nb_class_find(theirs));
}

NbOffsets nb_places_of_bound(const NbPlaces *places, LLVMValueRef call, NbClass *theirs) {
  if (nb_class_find(theirs)->flags & NB_CLASS_RECORDS)
    return nb_place_at(0);
  NbMap *shifts = nb_map_get(places->shifts, call);
  NbOffsets *shift = shifts ? nb_map_get(shifts, nb_class_find(theirs)) : NULL;
  if (places->lost)
    return nb_place_anywhere();
  return shift ? *shift : nb_place_at(0);
}
