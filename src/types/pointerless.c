// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Whether no pointer comes into memory, where numbers are moved as pointers: in lists, where the
 * types of nodes do not tell one from another. What is stored was made a number in sight, or was
 * loaded from memory of which the same is to be proved: by induction over the run, and down into
 * the functions that are called. The dual of arrive.c. */
#include "emit/runtime.h"
#include "types/query.h"

enum { MOST_REGIONS = 64, MOST_FRAMES = 6, DEPTH = 6, MOST_BYTES = 8 };

/* A group of functions, and the call that leads there. */
typedef struct Frame {
  NbTypes *types;
  const struct Frame *above; /* NULL: where the question is asked */
  LLVMValueRef call;
  const NbBinding *binding;
  unsigned depth;
} Frame;

/* Where in a class; of memory that a caller gives, the caller knows who else writes there. */
typedef struct Region {
  const Frame *frame;
  NbClass *class;
  NbOffsets place;
  uint64_t size;
  bool given;
} Region;

typedef struct Proof {
  NbArena *arena;
  Region regions[MOST_REGIONS];
  unsigned count;
  bool failed;
} Proof;

static NbOffsets place_of(const Frame *frame, LLVMValueRef pointer) {
  const NbPlaces *places = frame->types->places;
  return nb_places_of(places->whole ? places->whole : places, pointer);
}

static NbClass *class_of(const Frame *frame, LLVMValueRef pointer) {
  return nb_class_find(nb_value_class(frame->types->objects, pointer));
}

static void demand(Proof *proof, Region region) {
  for (unsigned i = 0; i < proof->count; i++) {
    const Region *known = &proof->regions[i];
    if (known->frame == region.frame && known->class == region.class &&
        known->size == region.size && known->given == region.given &&
        nb_place_equal(&known->place, &region.place))
      return;
  }
  proof->failed |= proof->count == MOST_REGIONS;
  if (!proof->failed)
    proof->regions[proof->count++] = region;
}

/* The caller's class that the class is bound to, and the key that says so; else NULL. */
static NbClass *bound_to(const Frame *frame, const NbClass *class, NbClass **theirs) {
  for (unsigned i = 0; frame->above && i < nb_map_count(frame->binding->classes); i++) {
    NbClass *key = (NbClass *)nb_map_key(frame->binding->classes, i);
    if (nb_class_find(key) != class)
      continue;
    *theirs = nb_class_find(key);
    return nb_class_find(nb_map_get(frame->binding->classes, key));
  }
  return NULL;
}

/* Of memory that callers know it is demanded there. */
static void demand_at(Proof *proof, const Frame *frame, LLVMValueRef pointer, NbOffsets place,
                      uint64_t size) {
  NbClass *class = class_of(frame, pointer), *theirs = NULL;
  for (NbClass *ours; (ours = bound_to(frame, class, &theirs)); frame = frame->above) {
    NbOffsets shift = nb_places_of_bound(frame->above->types->places, frame->call, theirs);
    place = nb_place_add(shift, place);
    class = ours;
  }
  demand(proof, (Region){frame, class, place, size, false});
}

/* What was made after the graph may lead anywhere. */
static bool is_in(const Region *region, LLVMValueRef pointer) {
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind || nb_leads_nowhere(pointer))
    return false;
  bool known =
      LLVMIsAConstant(pointer) || nb_value_class_known(region->frame->types->objects, pointer);
  return !known || class_of(region->frame, pointer) == region->class;
}

/* --- What is stored. -------------------------------------------------------------------------- */

static bool is_plain_constant(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) || LLVMIsAConstantFP(value) || LLVMIsNull(value) ||
         LLVMIsUndef(value) || LLVMIsAConstantDataVector(value);
}

static bool is_number(Proof *proof, const Frame *frame, LLVMValueRef value, unsigned depth);

static bool are_numbers(Proof *proof, const Frame *frame, LLVMValueRef value, unsigned depth) {
  bool all = depth > 0;
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value) && all; i++)
    all = is_number(proof, frame, LLVMGetOperand(value, (unsigned)i), depth - 1);
  return all;
}

static bool holds_floats(const Frame *frame, LLVMValueRef load) {
  uint64_t size = nb_store_size(frame->types->context, LLVMTypeOf(load)), end = 0;
  NbLayout layout = nb_types_layout(frame->types, LLVMGetOperand(load, 0), size);
  bool floats = !layout.unknown;
  for (unsigned i = 0; i < layout.count && floats; i++) {
    floats = layout.pieces[i].kind == NB_KIND_FLOAT && layout.pieces[i].offset <= end;
    end = layout.pieces[i].period ? size : layout.pieces[i].offset + layout.pieces[i].size;
  }
  return floats && end >= size;
}

static bool is_loaded_number(Proof *proof, const Frame *frame, LLVMValueRef load) {
  LLVMValueRef from = LLVMGetOperand(load, 0);
  uint64_t size = nb_store_size(frame->types->context, LLVMTypeOf(load));
  if (!holds_floats(frame, load))
    demand_at(proof, frame, from, place_of(frame, from), size);
  return true;
}

static bool combines(LLVMValueRef value) {
  return nb_value_joins(value) || LLVMIsACastInst(value) || LLVMIsABinaryOperator(value);
}

/* Is it no pointer, nor the bits of one, if what was demanded holds? */
static bool is_number(Proof *proof, const Frame *frame, LLVMValueRef value, unsigned depth) {
  LLVMTypeKind kind = LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(value)));
  if (LLVMIsAConstant(value))
    return is_plain_constant(value);
  if (LLVMIsALoadInst(value))
    return kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind &&
           is_loaded_number(proof, frame, value);
  if (LLVMIsAPtrToIntInst(value))
    return false;
  if (nb_is_float_kind(kind) && !nb_value_joins(value) && !LLVMIsABitCastInst(value))
    return true;
  return LLVMIsACmpInst(value) || (combines(value) && are_numbers(proof, frame, value, depth));
}

/* --- What else writes. ------------------------------------------------------------------------ */

/* Whatever the call writes there is looked for in its callee. */
static bool callee_keeps(Proof *proof, const Region *region, LLVMValueRef call) {
  const Frame *frame = region->frame;
  const NbBinding *binding = nb_map_get(frame->types->objects->bindings, call);
  Frame *below = NULL;
  for (unsigned i = 0; binding && i < nb_map_count(binding->classes); i++) {
    NbClass *key = (NbClass *)nb_map_key(binding->classes, i), *theirs = nb_class_find(key);
    if (!(theirs->flags & NB_CLASS_WRITTEN) ||
        nb_class_find(nb_map_get(binding->classes, key)) != region->class)
      continue;
    if (frame->depth == MOST_FRAMES)
      return false;
    if (!below) {
      below = NB_NEW(proof->arena, Frame);
      *below = (Frame){nb_types_of_group(binding->group), frame, call, binding, frame->depth + 1};
    }
    NbOffsets shift = nb_places_of_bound(frame->types->places, call, theirs);
    demand(proof,
           (Region){below, theirs, nb_place_relative(region->place, &shift), region->size, true});
  }
  return binding != NULL;
}

static bool passes(const Region *region, LLVMValueRef call) {
  bool passed = false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !passed; i++)
    passed = is_in(region, LLVMGetOperand(call, i));
  return passed;
}

static void demand_copied(Proof *proof, const Region *region, const NbCall *what) {
  NbOffsets to = place_of(region->frame, what->to), from = place_of(region->frame, what->from);
  NbOffsets within = nb_place_relative(region->place, &to);
  if (!nb_leads_nowhere(what->from))
    demand_at(proof, region->frame, what->from, nb_place_add(from, within), region->size);
}

static bool call_keeps(Proof *proof, const Region *region, LLVMValueRef call) {
  NbTypes *types = region->frame->types;
  NbCall what = nb_call_of(types->context, call);
  if (nb_callee(call) && nb_runtime_has(nb_callee(call)))
    return true;
  switch (what.kind) {
  case NB_CALL_COPY:
    if (is_in(region, what.to))
      demand_copied(proof, region, &what);
    return true;
  case NB_CALL_FILL:
  case NB_CALL_HARMLESS:
    return true;
  case NB_CALL_BODY:
    return nb_graph_holds(types->objects, what.callee) || callee_keeps(proof, region, call);
  default:
    return nb_rule_leaves_memory(what.rule) || !passes(region, call);
  }
}

static bool store_keeps(Proof *proof, const Region *region, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), to = LLVMGetOperand(store, 1);
  NbOffsets place = place_of(region->frame, to);
  uint64_t size = nb_store_size(region->frame->types->context, LLVMTypeOf(value));
  return !is_in(region, to) || !nb_place_meets(&region->place, region->size, &place, size) ||
         is_number(proof, region->frame, value, DEPTH);
}

static bool keeps(Proof *proof, const Region *region, LLVMValueRef at) {
  if (LLVMIsAStoreInst(at))
    return store_keeps(proof, region, at);
  if (LLVMIsAAtomicRMWInst(at) || LLVMIsAAtomicCmpXchgInst(at))
    return !is_in(region, LLVMGetOperand(at, 0));
  return !nb_is_call(at) || call_keeps(proof, region, at);
}

/* --- All of it. ------------------------------------------------------------------------------- */

static bool look_at(Proof *proof, const Region *region) {
  NbTypes *types = region->frame->types;
  const NbList *functions = &types->objects->functions;
  if (!region->given && !nb_types_is_own(types, region->class))
    return false;
  for (unsigned i = 0; i < functions->count; i++)
    for (LLVMValueRef at = nb_instruction_first(functions->items[i]); at;
         at = nb_instruction_next(at))
      if (proof->failed || !keeps(proof, region, at))
        return false;
  return true;
}

static bool is_proved(NbTypes *types, NbClass *class, NbOffsets place, uint64_t size) {
  Proof proof = {.arena = types->arena, .count = 1};
  const Frame frame = {.types = types};
  proof.regions[0] = (Region){&frame, class, place, size, false};
  bool all = true;
  types->proving = true;
  for (unsigned i = 0; i < proof.count && all; i++) {
    const Region region = proof.regions[i];
    all = look_at(&proof, &region);
  }
  types->proving = false;
  return all && !proof.failed;
}

/* Do accesses tell of both there? */
static bool meets_both(const NbFacts *facts, const NbOffsets *place, uint64_t size) {
  bool pointer = false, real = false;
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool tells = nb_fact_is_within(fact) && nb_place_meets(&fact->place, fact->size, place, size);
    pointer |= tells && fact->kind == NB_KIND_POINTER;
    real |= tells && fact->kind == NB_KIND_FLOAT;
  }
  return pointer && real && !facts->full;
}

/* What was found of a place. */
typedef struct Found {
  NbOffsets place;
  uint64_t size;
  struct Found *next;
  unsigned version; /* of the facts */
  bool pointerless;
} Found;

bool nb_types_is_pointerless(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  if (types->whole)
    types = types->whole;
  const Frame frame = {.types = types};
  NbClass *class = class_of(&frame, pointer);
  if (!types->solved || types->proving || size > MOST_BYTES || !nb_types_is_mixed(types, class))
    return false;
  NbOffsets place = place_of(&frame, pointer);
  Found *first = nb_map_get(types->pointerless, class);
  for (Found *found = first; found; found = found->next)
    if (found->version == types->version && found->size == size &&
        nb_place_equal(&found->place, &place))
      return found->pointerless;
  Found *found = NB_NEW(types->arena, Found);
  *found = (Found){place, size, first, types->version, false};
  found->pointerless =
      meets_both(nb_facts_of(types, class), &place, size) && is_proved(types, class, place, size);
  nb_map_set(types->pointerless, class, found);
  return found->pointerless;
}

bool nb_types_moves_numbers(NbTypes *types, LLVMValueRef load) {
  const NbMoved moved = nb_moved_with(load);
  bool all = !moved.failed && moved.stores;
  for (unsigned i = 0; i < moved.count && all; i++) {
    LLVMValueRef from = LLVMIsALoadInst(moved.items[i]) ? LLVMGetOperand(moved.items[i], 0) : NULL;
    uint64_t size = nb_store_size(types->context, LLVMTypeOf(moved.items[i]));
    all = !from || nb_types_is_pointerless(types, from, size);
  }
  return all;
}
