// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Whether nothing but pointers comes into memory. A move does not tell what it moves; but where all
 * that is stored was made a pointer in sight, or was loaded from memory of which the same is true,
 * nothing else is there: that is proved for all such memory at once, by induction over the run. */
#include "emit/runtime.h"
#include "types/query.h"

enum { MOST_REGIONS = 16, DEPTH = 6 };

/* Where in a class. */
typedef struct Region {
  NbClass *class;
  NbOffsets place;
  uint64_t size;
} Region;

/* Of which it is to be proved. */
typedef struct Arrivals {
  NbTypes *types;
  Region regions[MOST_REGIONS];
  unsigned count;
  bool failed;
} Arrivals;

static NbOffsets place_of(const Arrivals *arrivals, LLVMValueRef pointer) {
  const NbPlaces *places = arrivals->types->places;
  return nb_places_of(places->whole ? places->whole : places, pointer);
}

static void demand(Arrivals *arrivals, LLVMValueRef pointer, NbOffsets place, uint64_t size) {
  Region region = {nb_class_find(nb_value_class(arrivals->types->objects, pointer)), place, size};
  for (unsigned i = 0; i < arrivals->count; i++) {
    const Region *known = &arrivals->regions[i];
    if (known->class == region.class && known->size >= size &&
        (known->size == NB_UNKNOWN_SIZE || nb_place_equal(&known->place, &place)))
      return;
  }
  arrivals->failed |= arrivals->count == MOST_REGIONS;
  if (!arrivals->failed)
    arrivals->regions[arrivals->count++] = region;
}

static bool meets(const Region *region, const NbOffsets *place, uint64_t size) {
  return region->size == NB_UNKNOWN_SIZE ||
         nb_place_meets(&region->place, region->size, place, size);
}

static bool is_in(const Arrivals *arrivals, const Region *region, LLVMValueRef pointer) {
  return LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
         !nb_leads_nowhere(pointer) &&
         nb_class_find(nb_value_class(arrivals->types->objects, pointer)) == region->class;
}

/* --- What is stored. -------------------------------------------------------------------------- */

static bool is_made(const Arrivals *arrivals, LLVMValueRef value) {
  if (LLVMIsAConstant(value))
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind || LLVMIsNull(value) ||
           LLVMIsUndef(value);
  const NbRule *rule =
      LLVMIsACallInst(value) ? nb_rule_of_call(arrivals->types->context, value, NULL) : NULL;
  return LLVMIsAAllocaInst(value) || LLVMIsAGetElementPtrInst(value) ||
         (rule && (rule->kind == NB_RULE_ALLOCATE || rule->kind == NB_RULE_RESIZE));
}

static bool is_pointer(Arrivals *arrivals, LLVMValueRef value, unsigned depth);

static bool are_pointers(Arrivals *arrivals, LLVMValueRef value, int first, unsigned depth) {
  bool all = depth > 0;
  for (int i = first; i < LLVMGetNumOperands(value) && all; i++)
    all = is_pointer(arrivals, LLVMGetOperand(value, (unsigned)i), depth - 1);
  return all;
}

/* Is it a pointer, or the bits of one, if what was demanded holds? */
static bool is_pointer(Arrivals *arrivals, LLVMValueRef value, unsigned depth) {
  if (is_made(arrivals, value))
    return true;
  if (LLVMIsALoadInst(value)) {
    LLVMValueRef from = LLVMGetOperand(value, 0);
    demand(arrivals, from, place_of(arrivals, from),
           nb_store_size(arrivals->types->context, LLVMTypeOf(value)));
    return true;
  }
  bool cast = LLVMIsAPtrToIntInst(value) || LLVMIsAIntToPtrInst(value);
  bool joins = LLVMIsAPHINode(value) || LLVMIsASelectInst(value) || LLVMIsAFreezeInst(value);
  return (cast || joins) && are_pointers(arrivals, value, LLVMIsASelectInst(value) ? 1 : 0, depth);
}

/* --- What else writes. ------------------------------------------------------------------------ */

static bool passes(const Arrivals *arrivals, const Region *region, LLVMValueRef call) {
  bool passed = false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !passed; i++)
    passed = is_in(arrivals, region, LLVMGetOperand(call, i));
  return passed;
}

static bool any_meets(const Region *region, const NbFacts *facts, NbOffsets shift) {
  for (unsigned i = 0; i < facts->count; i++) {
    NbOffsets place = nb_place_add(shift, facts->items[i].place);
    if (meets(region, &place, facts->items[i].size))
      return true;
  }
  return facts->full || facts->untyped || facts->copied || facts->filled;
}

/* May the callee access the region, as what it knows of its own memory tells? */
static bool accesses(const Arrivals *arrivals, const Region *region, LLVMValueRef call,
                     NbClass *theirs) {
  const NbBinding *binding = nb_map_get(arrivals->types->objects->bindings, call);
  const NbPlaces *places = arrivals->types->places;
  NbTypes *group = nb_types_of_group(binding->group);
  NbOffsets shift = nb_places_of_bound(places->whole ? places->whole : places, call, theirs);
  return any_meets(region, nb_facts_of(group, theirs), shift) ||
         any_meets(region, nb_facts_of_integers(group, theirs), shift);
}

static bool callee_writes(const Arrivals *arrivals, const Region *region, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(arrivals->types->objects->bindings, call);
  for (unsigned i = 0; binding && i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    if ((theirs->flags & NB_CLASS_WRITTEN) &&
        nb_class_find(nb_map_get(binding->classes, theirs)) == region->class &&
        accesses(arrivals, region, call, theirs))
      return true;
  }
  return false;
}

bool nb_rule_leaves_memory(const NbRule *rule) {
  bool writes = false;
  for (unsigned i = 0; rule && i < rule->effect_count; i++)
    writes |= rule->effects[i].writes;
  return rule && !writes &&
         (rule->kind == NB_RULE_INACTIVE || rule->kind == NB_RULE_ALLOCATE ||
          rule->kind == NB_RULE_FREE || rule->kind == NB_RULE_RESIZE);
}

/* Does the call put nothing but pointers there? */
static bool call_keeps(Arrivals *arrivals, const Region *region, LLVMValueRef call) {
  NbCall what = nb_call_of(arrivals->types->context, call);
  if (nb_callee(call) && nb_runtime_has(nb_callee(call)))
    return true;
  switch (what.kind) {
  case NB_CALL_COPY:
    if (is_in(arrivals, region, what.to) && !nb_leads_nowhere(what.from))
      demand(arrivals, what.from, nb_place_anywhere(), NB_UNKNOWN_SIZE);
    return true;
  case NB_CALL_FILL:
    return !is_in(arrivals, region, what.to) || LLVMIsNull(LLVMGetOperand(call, 1));
  case NB_CALL_BODY:
    return nb_graph_holds(arrivals->types->objects, what.callee) ||
           !callee_writes(arrivals, region, call);
  case NB_CALL_HARMLESS:
    return true;
  default:
    return nb_rule_leaves_memory(what.rule) || !passes(arrivals, region, call);
  }
}

static bool store_keeps(Arrivals *arrivals, const Region *region, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), to = LLVMGetOperand(store, 1);
  NbOffsets place = place_of(arrivals, to);
  uint64_t size = nb_store_size(arrivals->types->context, LLVMTypeOf(value));
  return !is_in(arrivals, region, to) || !meets(region, &place, size) ||
         is_pointer(arrivals, value, DEPTH);
}

static bool keeps(Arrivals *arrivals, const Region *region, LLVMValueRef at) {
  if (LLVMIsAStoreInst(at))
    return store_keeps(arrivals, region, at);
  if (LLVMIsAAtomicRMWInst(at) || LLVMIsAAtomicCmpXchgInst(at))
    return !is_in(arrivals, region, LLVMGetOperand(at, 0));
  return !nb_is_call(at) || call_keeps(arrivals, region, at);
}

/* --- All of it. ------------------------------------------------------------------------------- */

/* Do they tell of pointers there, and of nothing else? Moves may tell nothing. */
static bool tell_pointers(const NbFacts *facts, const Region *region, bool moves) {
  bool found = moves;
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (!meets(region, &fact->place, fact->size))
      continue;
    if (fact->kind != NB_KIND_POINTER && !(moves && fact->kind == NB_KIND_UNKNOWN))
      return false;
    found = true;
  }
  return found && !facts->full && !facts->untyped;
}

static bool look_at(Arrivals *arrivals, const Region *region) {
  NbTypes *types = arrivals->types;
  const NbList *functions = &types->objects->functions;
  if (!nb_types_is_own(types, region->class) ||
      !tell_pointers(nb_facts_of(types, region->class), region, false) ||
      !tell_pointers(nb_facts_of_integers(types, region->class), region, true))
    return false;
  for (unsigned i = 0; i < functions->count && !arrivals->failed; i++)
    for (LLVMValueRef at = nb_instruction_first(functions->items[i]); at;
         at = nb_instruction_next(at))
      if (!keeps(arrivals, region, at))
        return false;
  return !arrivals->failed;
}

static bool region_gets_pointers(NbTypes *types, Region first) {
  Arrivals arrivals = {.types = types, .count = 1};
  arrivals.regions[0] = first;
  for (unsigned i = 0; i < arrivals.count; i++) {
    const Region region = arrivals.regions[i];
    if (!look_at(&arrivals, &region))
      return false;
  }
  return true;
}

bool nb_types_gets_pointers_at(NbTypes *types, NbClass *class, const NbOffsets *place,
                               uint64_t size) {
  return region_gets_pointers(types, (Region){nb_class_find(class), *place, size});
}

static bool gets_pointers(NbTypes *types, NbClass *class) {
  return region_gets_pointers(types, (Region){class, nb_place_anywhere(), NB_UNKNOWN_SIZE});
}

/* What was found of a class, as long as no more facts have come. */
typedef struct Found {
  unsigned version;
  bool pointers;
} Found;

bool nb_types_gets_pointers(NbTypes *types, NbClass *class) {
  class = nb_class_find(class);
  Found *found = nb_map_get(types->arrivals, class);
  if (found && found->version == types->version)
    return found->pointers;
  if (!found)
    found = NB_NEW(types->arena, Found);
  *found = (Found){types->version, gets_pointers(types, class)};
  nb_map_set(types->arrivals, class, found);
  return found->pointers;
}
