// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where in its object each pointer points: a forward fixed point over all instructions. Values are
 * absent until something is known of them; joins only widen, so that it ends. */
#include "objects/places.h"

#include "emit/runtime.h"
#include "objects/contents.h"
#include "objects/origins.h"

enum { ROUNDS = 40 };

void nb_places_merge(NbPlaces *places, NbMap *map, const void *key, NbOffsets place) {
  NbOffsets *old = nb_map_get(map, key);
  NbOffsets join = old ? nb_place_join(*old, place) : place;
  if (old && nb_place_equal(old, &join))
    return;
  if (!old) {
    old = NB_NEW(places->arena, NbOffsets);
    nb_map_set(map, key, old);
  }
  *old = join;
  places->changed = true;
}

/* Does the call give memory that it allocates, or that the callee does? */
static bool allocates(const NbPlaces *places, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(places->objects->bindings, call);
  bool found = nb_value_is_allocated(places->objects->context, call);
  for (unsigned i = 0; binding && i < nb_map_count(binding->classes) && !found; i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    found = (theirs->flags & NB_CLASS_HEAP) != 0;
  }
  return found;
}

bool nb_places_is_member(const NbPlaces *places, LLVMValueRef value) {
  return LLVMIsAAllocaInst(value) || (nb_is_call(value) && allocates(places, value));
}

static bool covers_parameter(const NbPlaces *places, LLVMValueRef parameter) {
  return places->kind == NB_PLACES_OUTSIDE || nb_places_covers(places, parameter);
}

/* Where an object begins in its class; a member by itself begins at 0. */
static NbOffsets origin_of(const NbPlaces *places, LLVMValueRef object) {
  bool alone = places->kind == NB_PLACES_MEMBER;
  return nb_place_at(alone ? 0 : nb_origin_of(places->objects->origins, object));
}

/* --- Address computations. -------------------------------------------------------------------- */

static bool has_size(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) != LLVMScalableVectorTypeKind && LLVMTypeIsSized(type);
}

static uint64_t size_of(const NbPlaces *places, LLVMTypeRef type) {
  return has_size(type) ? LLVMABISizeOfType(places->objects->context->layout, type) : 0;
}

/* Is the index another, operand 0, and a constant, as wide as an address? */
static bool is_moved_index(LLVMValueRef index) {
  if (!LLVMIsABinaryOperator(index) || !LLVMIsAConstantInt(LLVMGetOperand(index, 1)) ||
      LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64)
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(index);
  return opcode == LLVMAdd || (opcode == LLVMOr && LLVMGetIsDisjoint(index));
}

static NbOffsets step_over(const NbPlaces *places, NbOffsets place, LLVMValueRef index,
                           uint64_t size, uint64_t count) {
  if (LLVMIsAConstantInt(index))
    return nb_place_shift(place, LLVMConstIntGetSExtValue(index) * (int64_t)size);
  uint64_t factor = nb_integer_factor(places, index);
  if (count > 1 && factor && !places->flat)
    return nb_place_index(place, size * factor, (count + factor - 1) / factor);
  if (is_moved_index(index)) {
    int64_t by = LLVMConstIntGetSExtValue(LLVMGetOperand(index, 1));
    return step_over(places, nb_place_shift(place, by * (int64_t)size), LLVMGetOperand(index, 0),
                     size, 1);
  }
  int64_t low, high;
  if (factor && nb_integer_range(places, index, &low, &high) && low % (int64_t)factor == 0)
    return nb_place_index(nb_place_shift(place, low * (int64_t)size), size * factor,
                          (uint64_t)(high - low) / factor + 1);
  int64_t least = factor ? nb_integer_least(places, index) : 0;
  if (least && least % (int64_t)factor == 0)
    return nb_place_stride(nb_place_shift(place, least * (int64_t)size), size * factor, true);
  return nb_place_stride(place, size * factor, nb_integer_is_natural(places, index));
}

static LLVMTypeRef step_into(const NbPlaces *places, LLVMTypeRef type, LLVMValueRef index,
                             NbOffsets *place) {
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
    uint64_t offset = LLVMOffsetOfElement(places->objects->context->layout, type, field);
    *place = nb_place_shift(*place, (int64_t)offset);
    return LLVMStructGetTypeAtIndex(type, field);
  }
  LLVMTypeRef element = LLVMGetElementType(type);
  bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  uint64_t count = array ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
  *place = step_over(places, *place, index, size_of(places, element), count);
  return element;
}

/* Is it another integer, operand 0, times or plus a constant? */
static bool is_linear(LLVMValueRef integer) {
  if (!LLVMIsABinaryOperator(integer) || !LLVMIsAConstantInt(LLVMGetOperand(integer, 1)))
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(integer);
  return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
}

/* Does a loop count it, in steps of one length? */
static bool is_counter(LLVMValueRef integer) {
  bool steps = false;
  for (unsigned i = 0; LLVMIsAPHINode(integer) && i < LLVMCountIncoming(integer); i++) {
    LLVMValueRef incoming = LLVMGetIncomingValue(integer, i);
    steps |= is_linear(incoming) && LLVMGetOperand(incoming, 0) == integer;
  }
  return steps;
}

/* Bytes are counted where records of any length lie one behind the other: that all are as long as a
 * number of which the lengths are multiples does not follow. What a loop counts is an array. */
static bool counts_bytes(LLVMValueRef index, uint64_t size) {
  while (LLVMIsACastInst(index) || is_linear(index))
    index = LLVMGetOperand(index, 0);
  return size == 1 && !LLVMIsAConstantInt(index) && !is_counter(index);
}

/* Addresses that do not wrap lie behind what they are computed from. */
static NbOffsets upwards(NbOffsets place, const NbOffsets *base, LLVMValueRef gep) {
  if ((LLVMGEPGetNoWrapFlags(gep) & LLVMGEPFlagNUW) && place.low < base->low)
    place.low = base->low;
  return place;
}

/* The first index counts what is nothing where it is an array at the end of a struct, `double v[]`:
 * the second one says where the pointer leads. */
static NbOffsets place_of_gep(const NbPlaces *places, LLVMValueRef gep, NbOffsets place) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind || !has_size(type))
    return nb_place_anywhere();
  int count = LLVMGetNumOperands(gep);
  NbOffsets base = place;
  LLVMValueRef first = LLVMGetOperand(gep, 1);
  place = step_over(places, place, first, size_of(places, type), 0);
  place.loose |= counts_bytes(first, size_of(places, type));
  for (int i = 2; i < count; i++)
    type = step_into(places, type, LLVMGetOperand(gep, (unsigned)i), &place);
  return upwards(place, &base, gep);
}

/* Is some index of the gep into an array of known extent? */
static bool has_extent(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int count = LLVMGetNumOperands(gep);
  for (int i = 2; i < count; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
      continue;
    }
    if (!LLVMIsAConstantInt(index))
      return true;
    type = LLVMGetElementType(type);
  }
  return false;
}

static NbOffsets place_of_constant(const NbPlaces *places, LLVMValueRef constant) {
  if (!LLVMIsAConstantExpr(constant))
    return nb_place_at(0);
  LLVMOpcode opcode = LLVMGetConstOpcode(constant);
  if (opcode == LLVMIntToPtr)
    return nb_place_anywhere();
  NbOffsets place = place_of_constant(places, LLVMGetOperand(constant, 0));
  return opcode == LLVMGetElementPtr ? place_of_gep(places, constant, place) : place;
}

/* False where nothing is known yet. */
bool nb_places_known(const NbPlaces *places, LLVMValueRef value, NbOffsets *place) {
  if (LLVMIsAConstant(value)) {
    *place = place_of_constant(places, value);
    return !nb_leads_nowhere(value) && nb_places_covers_found(places);
  }
  NbOffsets *found = nb_map_get(places->values, value);
  if (found)
    *place = *found;
  return found != NULL;
}

bool nb_places_reaches(const NbPlaces *places, LLVMValueRef pointer) {
  NbOffsets place;
  return nb_places_known(places, pointer, &place);
}

bool nb_places_unbounded(const NbPlaces *places, LLVMValueRef pointer, NbOffsets *place) {
  if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 2)
    return false;
  LLVMValueRef base = LLVMGetOperand(pointer, 0);
  LLVMValueRef index = LLVMGetOperand(pointer, 1);
  int64_t size = (int64_t)size_of(places, LLVMGetGEPSourceElementType(pointer));
  if (LLVMIsAConstantInt(index)) {
    bool found = nb_places_unbounded(places, base, place);
    *place = nb_place_shift(*place, LLVMConstIntGetSExtValue(index) * size);
    return found;
  }
  int64_t low, high;
  if (nb_integer_is_chosen(index, &low, &high))
    return false;
  uint64_t factor = nb_integer_factor(places, index);
  NbOffsets start = nb_places_of(places, base);
  *place = nb_place_stride(start, (uint64_t)size * factor, nb_integer_is_natural(places, index));
  *place = upwards(*place, &start, pointer);
  place->loose |= counts_bytes(index, (uint64_t)size);
  return size != 0;
}

NbOffsets nb_places_of(const NbPlaces *places, LLVMValueRef pointer) {
  NbOffsets place = places->lost ? nb_place_anywhere() : nb_place_at(0);
  nb_places_known(places, pointer, &place);
  return place;
}

/* What points nowhere, or of what nothing is known yet, has no distance from anything. */
uint64_t nb_places_distance(const NbPlaces *places, LLVMValueRef a, LLVMValueRef b) {
  NbOffsets first, second;
  places = places->whole ? places->whole : places;
  bool both = nb_places_known(places, a, &first) && nb_places_known(places, b, &second);
  if (places->lost || nb_value_class(places->objects, a) != nb_value_class(places->objects, b))
    return 1;
  if (!both)
    return 0;
  int64_t apart = first.base - second.base;
  uint64_t step = nb_gcd(nb_place_step(&first), nb_place_step(&second));
  return nb_gcd(step, apart < 0 ? 0 - (uint64_t)apart : (uint64_t)apart);
}

/* --- Instructions. ---------------------------------------------------------------------------- */

static void visit_moves(NbPlaces *places, LLVMValueRef instruction) {
  NbOffsets place;
  int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    bool pointer = nb_type_has_pointer(LLVMTypeOf(operand)) || nb_places_has(places, operand);
    if (pointer && nb_places_known(places, operand, &place))
      nb_places_merge(places, places->values, instruction, place);
  }
}

/* Of what is loaded or stored; of a vector of unknown length, any number. */
static uint64_t bytes_of(const NbPlaces *places, LLVMTypeRef type) {
  uint64_t size = size_of(places, type);
  return size ? size : INT64_MAX;
}

/* The place of what is loaded or stored through the pointer, in its class; false where nothing is
 * known yet. */
static bool holder_place(const NbPlaces *places, LLVMValueRef pointer, NbOffsets *place) {
  const NbPlaces *whole = places->whole ? places->whole : places;
  *place = nb_place_anywhere();
  return whole->lost || !places->objects->followed || nb_places_known(whole, pointer, place);
}

NbOffsets nb_places_of_content(const NbPlaces *places, NbClass *class, const NbField *field) {
  NbOffsets place;
  NbHeld held = {class, &field->place, field->size, field->kind};
  nb_contents_known(places, &held, field->target, &place);
  return places->lost ? nb_place_anywhere() : place;
}

static void visit_load(NbPlaces *places, LLVMValueRef load) {
  NbClass *class = nb_value_class(places->objects, LLVMGetOperand(load, 0));
  NbOffsets at, place;
  NbHeld held = {class, &at, bytes_of(places, LLVMTypeOf(load)), nb_access_pointer_kind(load)};
  if (!holder_place(places, LLVMGetOperand(load, 0), &at) ||
      !nb_contents_known(places, &held, nb_value_class(places->objects, load), &place))
    return;
  if (places->guess)
    place = nb_place_shift(place, nb_origin_of_loaded(places->objects->origins, load));
  nb_places_merge(places, places->values, load, place);
}

static void keep(NbPlaces *places, LLVMValueRef access, LLVMValueRef pointer, LLVMValueRef value) {
  NbObjects *objects = places->objects;
  NbOffsets at, place;
  NbHeld held = {nb_value_class(objects, pointer), &at, bytes_of(places, LLVMTypeOf(value)),
                 nb_access_pointer_kind(access)};
  bool carries = nb_type_has_pointer(LLVMTypeOf(value)) || nb_places_has(places, value);
  if (carries && nb_places_known(places, value, &place) && holder_place(places, pointer, &at))
    nb_contents_add(places, &held, nb_value_class(objects, value), place);
}

static void visit_recursion(NbPlaces *places, LLVMValueRef call, LLVMValueRef callee) {
  NbOffsets place;
  unsigned count = LLVMCountParams(callee);
  for (unsigned i = 0; i < count && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef parameter = LLVMGetParam(callee, i);
    if (nb_places_has(places, parameter) &&
        nb_places_known(places, LLVMGetOperand(call, i), &place))
      nb_places_merge(places, places->values, parameter, place);
  }
  NbOffsets *result = nb_map_get(places->returns, callee);
  if (result && nb_places_has(places, call))
    nb_places_merge(places, places->values, call, *result);
}

/* --- Calls. ----------------------------------------------------------------------------------- */

static void visit_row(NbPlaces *places, LLVMValueRef call, const NbRule *rule) {
  nb_contents_written(places, call, rule);
  NbOffsets place = origin_of(places, call);
  if (rule->returns < LLVMGetNumArgOperands(call) &&
      !nb_places_known(places, LLVMGetOperand(call, rule->returns), &place))
    return;
  bool passed = rule->returns < LLVMGetNumArgOperands(call);
  bool covered =
      allocates(places, call) ? nb_places_covers(places, call) : nb_places_covers_found(places);
  if (nb_places_has(places, call) && (passed || covered))
    nb_places_merge(places, places->values, call, place);
}

static void visit_call(NbPlaces *places, LLVMValueRef call) {
  NbCall what = nb_call_of(places->objects->context, call);
  NbBinding *binding = nb_map_get(places->objects->bindings, call);
  NbOffsets place;
  if (what.to && nb_places_has(places, call) && nb_places_known(places, what.to, &place))
    nb_places_merge(places, places->values, call, place);
  if (what.kind == NB_CALL_ROW)
    visit_row(places, call, what.rule);
  else if (binding)
    nb_places_visit_bound(places, call, binding);
  else if (what.kind == NB_CALL_BODY)
    visit_recursion(places, call, what.callee);
  else if (!what.to && nb_places_has(places, call))
    nb_places_merge(places, places->values, call, nb_place_anywhere());
}

static void visit_gep(NbPlaces *places, LLVMValueRef gep) {
  NbOffsets place;
  places->extents |= has_extent(gep);
  if (nb_places_known(places, LLVMGetOperand(gep, 0), &place))
    nb_places_merge(places, places->values, gep, place_of_gep(places, gep, place));
}

static void visit_return(NbPlaces *places, LLVMValueRef instruction) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  NbOffsets place;
  if (LLVMGetNumOperands(instruction) &&
      nb_places_known(places, LLVMGetOperand(instruction, 0), &place))
    nb_places_merge(places, places->returns, function, place);
}

/* An address that is moved as an integer: nb_address_base says that the rest is a number. */
static void visit_binary(NbPlaces *places, LLVMValueRef integer) {
  LLVMValueRef base = nb_address_base(integer);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(integer);
  NbOffsets place;
  if (!base || !nb_places_known(places, base, &place)) {
    if (!base)
      nb_places_merge(places, places->values, integer, nb_place_anywhere());
    return;
  }
  LLVMValueRef first = LLVMGetOperand(integer, 0);
  LLVMValueRef by = base == first ? LLVMGetOperand(integer, 1) : first;
  bool moves = opcode == LLVMAdd || opcode == LLVMSub;
  uint64_t factor = moves ? nb_integer_factor(places, by) : 1;
  if (moves && LLVMIsAConstantInt(by)) {
    int64_t distance = LLVMConstIntGetSExtValue(by);
    place = nb_place_shift(place, opcode == LLVMAdd ? distance : -distance);
  } else {
    place = nb_place_stride(place, factor, opcode == LLVMAdd && nb_integer_is_natural(places, by));
  }
  nb_places_merge(places, places->values, integer, place);
}

static void visit_atomic(NbPlaces *places, LLVMValueRef instruction) {
  for (int i = 1; i < LLVMGetNumOperands(instruction); i++)
    if (nb_type_has_pointer(LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i))))
      keep(places, instruction, LLVMGetOperand(instruction, 0),
           LLVMGetOperand(instruction, (unsigned)i));
  if (nb_places_has(places, instruction))
    nb_places_merge(places, places->values, instruction, nb_place_anywhere());
}

static void visit(NbPlaces *places, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMStore:
    keep(places, instruction, LLVMGetOperand(instruction, 1), LLVMGetOperand(instruction, 0));
    return;
  case LLVMCall:
  case LLVMInvoke:
    visit_call(places, instruction);
    return;
  case LLVMRet:
    visit_return(places, instruction);
    return;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    visit_atomic(places, instruction);
    return;
  default:
    break;
  }
  if (!nb_places_has(places, instruction))
    return;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca:
    if (nb_places_covers(places, instruction))
      nb_places_merge(places, places->values, instruction, origin_of(places, instruction));
    return;
  case LLVMLoad:
    visit_load(places, instruction);
    return;
  case LLVMGetElementPtr:
    visit_gep(places, instruction);
    return;
  case LLVMVAArg:
  case LLVMLandingPad:
    nb_places_merge(places, places->values, instruction, nb_place_anywhere());
    return;
  default:
    if (LLVMIsABinaryOperator(instruction))
      visit_binary(places, instruction);
    else
      visit_moves(places, instruction);
  }
}

static void start(NbPlaces *places, LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    if (nb_places_has(places, parameter) && covers_parameter(places, parameter))
      nb_places_merge(places, places->values, parameter, origin_of(places, parameter));
  }
}

static void blur(NbMap *places) {
  for (unsigned i = 0; i < nb_map_count(places); i++)
    *(NbOffsets *)nb_map_get(places, nb_map_key(places, i)) = nb_place_anywhere();
}

/* The budget is spent: nothing is known about any pointer. */
static void give_up(NbPlaces *places) {
  blur(places->values);
  blur(places->contents);
  blur(places->returns);
  for (unsigned i = 0; i < nb_map_count(places->shifts); i++)
    blur(nb_map_get(places->shifts, nb_map_key(places->shifts, i)));
  places->lost = true;
}

/* The pointers in the initial values of globals. */
static void visit_constant(NbPlaces *places, NbClass *holder, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (!nb_type_has_pointer(type) || nb_leads_nowhere(constant))
    return;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    NbHeld held = {.holder = holder};
    nb_contents_add(places, &held, nb_value_class(places->objects, constant),
                    place_of_constant(places, constant));
    return;
  }
  for (int i = 0; i < LLVMGetNumOperands(constant); i++)
    visit_constant(places, holder, LLVMGetOperand(constant, (unsigned)i));
}

static void visit_globals(NbPlaces *places) {
  const NbMap *globals = places->objects->globals;
  for (unsigned i = 0; i < nb_map_count(globals); i++) {
    LLVMValueRef global = (LLVMValueRef)nb_map_key(globals, i);
    if (!LLVMIsDeclaration(global) && LLVMGetInitializer(global))
      visit_constant(places, nb_map_get(globals, global), LLVMGetInitializer(global));
  }
}

static NbPlaces *new_places(NbObjects *objects, NbArena *arena) {
  NbPlaces *places = NB_NEW(arena, NbPlaces);
  places->objects = objects;
  places->arena = arena;
  places->values = nb_map_new(arena);
  places->contents = nb_map_new(arena);
  places->returns = nb_map_new(arena);
  places->shifts = nb_map_new(arena);
  places->found = nb_map_new(arena);
  return places;
}

static void solve(NbPlaces *places) {
  NbList *functions = &places->objects->functions;
  if (nb_places_covers_found(places))
    visit_globals(places);
  for (unsigned i = 0; i < functions->count; i++)
    start(places, functions->items[i]);
  NbArena *arena = nb_arena_new();
  const NbList instructions = nb_places_visited(places, arena);
  places->notes = places->whole ? places->whole->notes : nb_places_any_note(places->objects);
  places->puts = !places->whole && !places->guess;
  places->changed = true;
  for (unsigned round = 0; places->changed && round < ROUNDS; round++) {
    places->changed = false;
    for (unsigned i = 0; i < instructions.count; i++)
      visit(places, instructions.items[i]);
    nb_contents_copy(places);
    bool turn = places->puts && !places->changed;
    places->puts &= !turn;
    places->changed |= turn;
  }
  nb_arena_free(arena);
  if (places->changed)
    give_up(places);
}

NbPlaces *nb_places_solve(NbObjects *objects, NbArena *arena, bool guess, bool flat) {
  NbPlaces *places = new_places(objects, arena);
  places->guess = guess;
  places->flat = flat;
  solve(places);
  return places;
}

NbPlaces *nb_places_of_member(NbPlaces *whole, NbPlacesKind kind, LLVMValueRef member) {
  if (!whole->members)
    whole->members = nb_map_new(whole->arena);
  NbPlaces *places = member ? nb_map_get(whole->members, member) : whole->kinds[kind];
  if (places)
    return places;
  places = new_places(whole->objects, whole->arena);
  if (member)
    nb_map_set(whole->members, member, places);
  else
    whole->kinds[kind] = places;
  places->flat = whole->flat;
  places->kind = kind;
  places->whole = whole;
  places->member = member;
  solve(places);
  return places;
}

static void widen_map(NbPlaces *guide, NbMap *map, const NbMap *found) {
  for (unsigned i = 0; i < nb_map_count(found); i++) {
    const void *key = nb_map_key(found, i);
    nb_places_merge(guide, map, key, *(const NbOffsets *)nb_map_get(found, key));
  }
}

bool nb_places_widen(NbPlaces *guide, const NbPlaces *found) {
  guide->changed = found->lost && !guide->lost;
  guide->lost |= found->lost;
  widen_map(guide, guide->values, found->values);
  for (unsigned i = 0; i < nb_map_count(found->shifts); i++) {
    LLVMValueRef call = (LLVMValueRef)nb_map_key(found->shifts, i);
    widen_map(guide, nb_places_map_of(guide, guide->shifts, call), nb_map_get(found->shifts, call));
  }
  return guide->changed;
}
