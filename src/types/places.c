// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where in its object each pointer points: a forward fixed point over all instructions. Values are
 * absent until something is known of them; joins only widen, so that it ends. */
#include "types/facts.h"

enum { ROUNDS = 40 };

static void merge(NbTypes *types, NbMap *map, const void *key, NbPlace place) {
  NbPlace *old = nb_map_get(map, key);
  NbPlace join = old ? nb_place_join(*old, place) : place;
  if (old && nb_place_equal(old, &join))
    return;
  if (!old) {
    old = NB_NEW(types->arena, NbPlace);
    nb_map_set(map, key, old);
  }
  *old = join;
  types->changed = true;
}

static void merge_content(NbTypes *types, NbClass *class, NbPlace place) {
  merge(types, types->contents, nb_class_find(class), place);
}

/* --- Address computations. -------------------------------------------------------------------- */

static uint64_t size_of(NbTypes *types, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMScalableVectorTypeKind || !LLVMTypeIsSized(type))
    return 0;
  return LLVMABISizeOfType(types->context->layout, type);
}

static NbPlace step_over(NbPlace place, LLVMValueRef index, uint64_t size, uint64_t count) {
  if (LLVMIsAConstantInt(index))
    return nb_place_shift(place, LLVMConstIntGetSExtValue(index) * (int64_t)size);
  uint64_t factor = nb_integer_factor(index);
  if (count > 1 && factor)
    return nb_place_index(place, size * factor, (count + factor - 1) / factor);
  return nb_place_stride(place, size * factor, nb_integer_is_natural(index));
}

static LLVMTypeRef step_into(NbTypes *types, LLVMTypeRef type, LLVMValueRef index, NbPlace *place) {
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
    uint64_t offset = LLVMOffsetOfElement(types->context->layout, type, field);
    *place = nb_place_shift(*place, (int64_t)offset);
    return LLVMStructGetTypeAtIndex(type, field);
  }
  LLVMTypeRef element = LLVMGetElementType(type);
  bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  uint64_t count = array ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
  *place = step_over(*place, index, size_of(types, element), count);
  return element;
}

static NbPlace place_of_gep(NbTypes *types, LLVMValueRef gep, NbPlace place) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind || !size_of(types, type))
    return nb_place_anywhere();
  int count = LLVMGetNumOperands(gep);
  place = step_over(place, LLVMGetOperand(gep, 1), size_of(types, type), 0);
  for (int i = 2; i < count; i++)
    type = step_into(types, type, LLVMGetOperand(gep, (unsigned)i), &place);
  return place;
}

static NbPlace place_of_constant(NbTypes *types, LLVMValueRef constant) {
  if (!LLVMIsAConstantExpr(constant))
    return nb_place_at(0);
  LLVMOpcode opcode = LLVMGetConstOpcode(constant);
  if (opcode == LLVMIntToPtr)
    return nb_place_anywhere();
  NbPlace place = place_of_constant(types, LLVMGetOperand(constant, 0));
  return opcode == LLVMGetElementPtr ? place_of_gep(types, constant, place) : place;
}

/* False where nothing is known yet. */
static bool known(NbTypes *types, LLVMValueRef value, NbPlace *place) {
  if (LLVMIsAConstant(value)) {
    *place = place_of_constant(types, value);
    return !LLVMIsUndef(value) && !LLVMIsNull(value);
  }
  NbPlace *found = nb_map_get(types->places, value);
  if (found)
    *place = *found;
  return found != NULL;
}

NbPlace nb_places_of(NbTypes *types, LLVMValueRef pointer) {
  NbPlace place = nb_place_at(0);
  known(types, pointer, &place);
  return place;
}

/* --- Instructions. ---------------------------------------------------------------------------- */

static bool has_place(NbTypes *types, LLVMValueRef value) {
  return nb_map_has(types->objects->values, value);
}

static void visit_moves(NbTypes *types, LLVMValueRef instruction) {
  NbPlace place;
  int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    bool pointer = nb_type_has_pointer(LLVMTypeOf(operand)) || has_place(types, operand);
    if (pointer && known(types, operand, &place))
      merge(types, types->places, instruction, place);
  }
}

static NbPlace content_of(NbTypes *types, NbClass *class) {
  class = nb_class_find(class);
  NbPlace *content = nb_map_get(types->contents, class);
  bool external = (class->flags & NB_CLASS_EXTERNAL) != 0;
  if (!content)
    return nb_place_at(0);
  return external ? nb_place_join(nb_place_at(0), *content) : *content;
}

static void visit_load(NbTypes *types, LLVMValueRef load) {
  NbClass *class = nb_value_class(types->objects, LLVMGetOperand(load, 0));
  merge(types, types->places, load, content_of(types, class));
}

static void visit_store(NbTypes *types, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  NbPlace place;
  bool pointer = nb_type_has_pointer(LLVMTypeOf(value)) || has_place(types, value);
  if (pointer && known(types, value, &place))
    merge_content(types, nb_value_class(types->objects, LLVMGetOperand(store, 1)), place);
}

static void visit_copy(NbTypes *types, const NbCall *call) {
  NbClass *to = nb_value_class(types->objects, call->to);
  NbClass *from = nb_value_class(types->objects, call->from);
  NbPlace *content = nb_map_get(types->contents, from);
  if (content)
    merge_content(types, to, *content);
  content = nb_map_get(types->contents, to);
  if (content)
    merge_content(types, from, *content);
}

static void visit_recursion(NbTypes *types, LLVMValueRef call, LLVMValueRef callee) {
  NbPlace place;
  unsigned count = LLVMCountParams(callee);
  for (unsigned i = 0; i < count && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef parameter = LLVMGetParam(callee, i);
    if (has_place(types, parameter) && known(types, LLVMGetOperand(call, i), &place))
      merge(types, types->places, parameter, place);
  }
  NbPlace *result = nb_map_get(types->returns, callee);
  if (result && has_place(types, call))
    merge(types, types->places, call, *result);
}

/* --- Bound calls: places of the callee's origins in the caller's classes. --------------------- */

static NbPlace negated(NbPlace place) {
  NbPlace back = nb_place_at(-place.base);
  uint64_t step = nb_place_step(&place);
  return step ? nb_place_stride(back, step, false) : back;
}

static void root(NbTypes *types, NbMap *shifts, NbClass *theirs, NbPlace place) {
  merge(types, shifts, nb_class_find(theirs), place);
}

/* Follows pointers that the callee finds in memory: its view of them against ours. */
static void shift_pointees(NbTypes *types, NbMap *shifts, NbTypes *group, NbBinding *binding) {
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = (NbClass *)nb_map_key(binding->classes, i);
    NbClass *target = nb_class_pointee(theirs);
    if (!target)
      continue;
    NbClass *ours = nb_map_get(binding->classes, theirs);
    if (!nb_map_has(shifts, target)) {
      NbPlace view = negated(content_of(group, theirs));
      root(types, shifts, target, nb_place_add(content_of(types, ours), view));
    }
    NbPlace *stored = nb_map_get(group->contents, nb_class_find(theirs));
    NbPlace *shift = nb_map_get(shifts, target);
    if (stored)
      merge_content(types, ours, nb_place_add(*shift, *stored));
  }
}

static NbMap *shifts_of(NbTypes *types, LLVMValueRef call) {
  NbMap *shifts = nb_map_get(types->shifts, call);
  if (!shifts) {
    shifts = nb_map_new(types->arena);
    nb_map_set(types->shifts, call, shifts);
  }
  return shifts;
}

static void shift_roots(NbTypes *types, NbMap *shifts, LLVMValueRef call, NbBinding *binding) {
  NbPlace place;
  NbObjects *group = binding->group;
  for (unsigned i = 0; i < LLVMCountParams(binding->callee); i++) {
    NbClass *theirs = nb_value_class_known(group, LLVMGetParam(binding->callee, i));
    if (theirs && i < LLVMGetNumArgOperands(call) && known(types, LLVMGetOperand(call, i), &place))
      root(types, shifts, theirs, place);
  }
  for (unsigned i = 0; i < nb_map_count(group->globals); i++)
    root(types, shifts, nb_map_get(group->globals, nb_map_key(group->globals, i)), nb_place_at(0));
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    if (theirs->flags & (NB_CLASS_HEAP | NB_CLASS_OPAQUE))
      root(types, shifts, theirs, nb_place_at(0));
  }
}

static void visit_bound(NbTypes *types, LLVMValueRef call, NbBinding *binding) {
  NbMap *shifts = shifts_of(types, call);
  NbTypes *group = nb_types_of_group(binding->group);
  shift_roots(types, shifts, call, binding);
  shift_pointees(types, shifts, group, binding);
  NbPlace *result = nb_map_get(group->returns, binding->callee);
  if (!result || !has_place(types, call))
    return;
  NbClass *theirs = nb_map_get(binding->group->results, binding->callee);
  NbPlace *shift = nb_map_get(shifts, nb_class_find(theirs));
  merge(types, types->places, call, shift ? nb_place_add(*shift, *result) : *result);
}

NbPlace nb_places_of_bound(NbTypes *types, LLVMValueRef call, NbClass *theirs) {
  NbMap *shifts = nb_map_get(types->shifts, call);
  NbPlace *shift = shifts ? nb_map_get(shifts, nb_class_find(theirs)) : NULL;
  return shift ? *shift : nb_place_at(0);
}

static void visit_row(NbTypes *types, LLVMValueRef call, const NbRule *rule) {
  NbPlace place = nb_place_at(0);
  if (rule->returns < LLVMGetNumArgOperands(call) &&
      !known(types, LLVMGetOperand(call, rule->returns), &place))
    return;
  if (has_place(types, call))
    merge(types, types->places, call, place);
}

static void visit_call(NbTypes *types, LLVMValueRef call) {
  NbCall what = nb_call_of(types->context, call);
  NbBinding *binding = nb_map_get(types->objects->bindings, call);
  NbPlace place;
  if (what.kind == NB_CALL_COPY)
    visit_copy(types, &what);
  if (what.to && has_place(types, call) && known(types, what.to, &place))
    merge(types, types->places, call, place);
  if (what.kind == NB_CALL_ROW)
    visit_row(types, call, what.rule);
  else if (binding)
    visit_bound(types, call, binding);
  else if (what.kind == NB_CALL_BODY)
    visit_recursion(types, call, what.callee);
  else if (!what.to && has_place(types, call))
    merge(types, types->places, call, nb_place_anywhere());
}

static void visit_gep(NbTypes *types, LLVMValueRef gep) {
  NbPlace place;
  if (known(types, LLVMGetOperand(gep, 0), &place))
    merge(types, types->places, gep, place_of_gep(types, gep, place));
}

static void visit_return(NbTypes *types, LLVMValueRef function, LLVMValueRef instruction) {
  NbPlace place;
  if (LLVMGetNumOperands(instruction) && known(types, LLVMGetOperand(instruction, 0), &place))
    merge(types, types->returns, function, place);
}

static void visit(NbTypes *types, LLVMValueRef function, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMStore:
    visit_store(types, instruction);
    return;
  case LLVMCall:
  case LLVMInvoke:
    visit_call(types, instruction);
    return;
  case LLVMRet:
    visit_return(types, function, instruction);
    return;
  default:
    break;
  }
  if (!has_place(types, instruction))
    return;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca:
    merge(types, types->places, instruction, nb_place_at(0));
    return;
  case LLVMLoad:
    visit_load(types, instruction);
    return;
  case LLVMGetElementPtr:
    visit_gep(types, instruction);
    return;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
  case LLVMLandingPad:
    merge(types, types->places, instruction, nb_place_anywhere());
    return;
  default:
    visit_moves(types, instruction);
  }
}

static void visit_all(NbTypes *types, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    visit(types, function, at);
}

static void start(NbTypes *types, LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    if (has_place(types, parameter))
      merge(types, types->places, parameter, nb_place_at(0));
  }
}

static void blur(NbMap *places) {
  for (unsigned i = 0; i < nb_map_count(places); i++)
    *(NbPlace *)nb_map_get(places, nb_map_key(places, i)) = nb_place_anywhere();
}

/* The budget is spent: nothing is known about any pointer. */
static void give_up(NbTypes *types) {
  blur(types->places);
  blur(types->contents);
  blur(types->returns);
  for (unsigned i = 0; i < nb_map_count(types->shifts); i++)
    blur(nb_map_get(types->shifts, nb_map_key(types->shifts, i)));
}

void nb_places_solve(NbTypes *types) {
  NbList *functions = &types->objects->functions;
  for (unsigned i = 0; i < functions->count; i++)
    start(types, functions->items[i]);
  types->changed = true;
  for (unsigned round = 0; types->changed && round < ROUNDS; round++) {
    types->changed = false;
    for (unsigned i = 0; i < functions->count; i++)
      visit_all(types, functions->items[i]);
  }
  if (types->changed)
    give_up(types);
}
