// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the rows of library functions say of the memory that these access. */
#include "types/facts.h"

LLVMTypeRef nb_types_of_row(LLVMContextRef llvm, NbType type, NbFormat format) {
  if (type == NB_TYPE_FLOAT || (type == NB_TYPE_REAL && format == NB_FORMAT_FLOAT))
    return LLVMFloatTypeInContext(llvm);
  if (type == NB_TYPE_REAL && format == NB_FORMAT_LONG)
    return LLVMX86FP80TypeInContext(llvm);
  if (type == NB_TYPE_REAL && format == NB_FORMAT_HALF)
    return LLVMHalfTypeInContext(llvm);
  return LLVMDoubleTypeInContext(llvm);
}

static bool fact_of_row(NbTypes *types, const NbEffect *effect, NbFormat format, NbFact *fact) {
  if (effect->text) {
    fact->kind = NB_KIND_INTEGER;
    fact->size = 1;
    return true;
  }
  switch (effect->type) {
  case NB_TYPE_REAL:
  case NB_TYPE_DOUBLE:
  case NB_TYPE_FLOAT:
    fact->kind = NB_KIND_FLOAT;
    fact->type = nb_types_of_row(types->context->llvm, effect->type, format);
    fact->size = LLVMABISizeOfType(types->context->layout, fact->type);
    return true;
  case NB_TYPE_POINTER:
    fact->kind = NB_KIND_POINTER;
    fact->size = 8;
    return true;
  case NB_TYPE_INT:
    fact->kind = NB_KIND_INTEGER;
    fact->size = 4;
    return true;
  default:
    return false;
  }
}

/* 0: not known here. A number that is written is one. */
static uint64_t constant_extent(const NbEffect *effect, NbKind kind) {
  const NbExpr *extent = effect->extent;
  if (effect->writes && !extent && kind == NB_KIND_FLOAT)
    return 1;
  bool known = extent && extent->kind == NB_EXPR_NUMBER && extent->number >= 1;
  return known ? (uint64_t)extent->number : 0;
}

void nb_facts_add_row(NbTypes *types, LLVMValueRef call, const NbCall *what) {
  for (unsigned i = 0; i < what->rule->effect_count; i++) {
    const NbEffect *effect = &what->rule->effects[i];
    NbFact fact = {.place = nb_place_at(0)};
    if (effect->parameter >= LLVMGetNumArgOperands(call) ||
        !fact_of_row(types, effect, what->format, &fact))
      continue;
    LLVMValueRef pointer = LLVMGetOperand(call, effect->parameter);
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind ||
        !nb_types_reach(types, pointer))
      continue;
    uint64_t count = effect->text ? 1 : constant_extent(effect, fact.kind);
    NbOffsets place = nb_places_of(types->places, pointer);
    uint64_t promised = nb_call_promised_bytes(call, effect->parameter);
    fact.until = promised && nb_place_is_exact(&place) ? place.base + (int64_t)promised : 0;
    fact.place = nb_place_shift(place, effect->offset);
    if (count > 1)
      fact.place = nb_place_index(fact.place, fact.size, count);
    else if (!count)
      fact.place = nb_place_stride(fact.place, fact.size, true);
    nb_facts_add_number(types, nb_value_class(types->objects, pointer), fact);
  }
}

static bool is_other_there(const NbFact *fact, NbOffsets place, uint64_t size, LLVMTypeRef type) {
  return fact->kind == NB_KIND_FLOAT && fact->type != type && !fact->place.loose &&
         nb_place_meets(&fact->place, fact->size, &place, size);
}

bool nb_types_misses_integers(NbTypes *types, LLVMValueRef pointer, const NbEffect *effect) {
  uint64_t count = constant_extent(effect, NB_KIND_INTEGER);
  uint64_t size = sizeof(int) * (count ? count : 1);
  NbOffsets place = nb_place_shift(nb_places_of(types->places, pointer), effect->offset);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  bool misses = false;
  for (unsigned i = 0; i < facts->count; i++)
    misses |= is_other_there(&facts->items[i], place, size, NULL);
  return misses;
}

bool nb_types_holds_number(NbTypes *types, LLVMValueRef pointer, LLVMTypeRef type) {
  LLVMTypeRef number = nb_scalar_type(type);
  uint64_t size = LLVMABISizeOfType(types->context->layout, type);
  NbOffsets place = nb_places_of(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  NbLayout layout = nb_types_layout(types, pointer, size);
  bool holds = !layout.unknown && layout.count > 0;
  for (unsigned i = 0; i < layout.count; i++)
    holds &= layout.pieces[i].kind == NB_KIND_FLOAT && layout.pieces[i].type == number;
  for (unsigned i = 0; i < facts->count; i++)
    holds &= !is_other_there(&facts->items[i], place, size, number);
  return holds;
}
