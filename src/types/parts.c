// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Do writes begin or end within numbers? */
#include "types/facts.h"

static const NbFact *float_of(const NbFacts *facts, unsigned index) {
  const NbFact *fact = &facts->items[index];
  return fact->kind == NB_KIND_FLOAT && !fact->declared ? fact : NULL;
}

/* Do the edge, and bytes of the fact's elements on both sides of it, meet? */
static bool is_cut(const NbTypes *types, const NbFact *fact, const NbOffsets *edge) {
  uint64_t size = LLVMStoreSizeOfType(types->context->layout, fact->type);
  NbOffsets inner = nb_place_shift(fact->place, 1);
  return size > 1 && nb_place_meets(edge, 1, &inner, size - 1);
}

bool nb_types_splits(NbTypes *types, NbClass *class, const NbOffsets *first, uint64_t size,
                     LLVMTypeRef type) {
  const NbFacts *facts = nb_facts_of(types, class);
  NbOffsets end = nb_place_shift(*first, (int64_t)size);
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = float_of(facts, i);
    bool other =
        fact && type && fact->type != type && nb_place_meets(&fact->place, fact->size, first, size);
    if (fact && (other || is_cut(types, fact, first) || is_cut(types, fact, &end)))
      return true;
  }
  return false;
}

/* The offsets `edge` bytes behind those of the pointer, and any multiple of `step` more. */
static NbOffsets edge_of(const NbTypes *types, LLVMValueRef pointer, uint64_t edge, uint64_t step) {
  NbOffsets place = nb_places_of(types->places, pointer);
  if (place.count > 1) {
    place.period = nb_place_step(&place);
    place.count = 1;
    place.inner = 0;
  }
  return nb_place_stride(nb_place_shift(place, (int64_t)edge), step, true);
}

/* Is the element at the same distance from the edge, wherever both are? */
static bool is_always_there(const NbFact *fact, const NbOffsets *edge) {
  uint64_t step = nb_place_step(&fact->place);
  if (!edge->period)
    return !fact->place.period;
  return fact->field && step && edge->period % step == 0;
}

/* Does something else than such numbers lie there too: integers (`integers`), or anything but
 * them? */
static bool is_shared(const NbFacts *facts, const NbOffsets *place, LLVMTypeRef type, uint64_t size,
                      bool integers) {
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool other = fact->type != type && (fact->kind == NB_KIND_INTEGER) == integers;
    if (other && !fact->declared && nb_place_meets(&fact->place, fact->size, place, size))
      return true;
  }
  return facts->full;
}

/* Do numbers lie there that are not at multiples of their size, as in a stream of bytes? Then any
 * number there may be one of these. */
static bool is_stream(const NbTypes *types, const NbFacts *facts, const NbOffsets *place,
                      uint64_t extent) {
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = float_of(facts, i);
    uint64_t size = fact ? LLVMABISizeOfType(types->context->layout, fact->type) : 1;
    if (fact && (fact->place.base % (int64_t)size || nb_place_step(&fact->place) % size) &&
        nb_place_meets(&fact->place, fact->size, place, extent))
      return true;
  }
  return false;
}

NbCut nb_types_cut(NbTypes *types, LLVMValueRef pointer, uint64_t edge, uint64_t step) {
  NbClass *class = nb_class_find(nb_value_class(types->objects, pointer));
  const NbFacts *facts = nb_facts_of(types, class);
  NbOffsets at = edge_of(types, pointer, edge, step);
  NbCut cut = {NULL, 0, false, false};
  for (unsigned i = 0; !nb_types_is_mixed(types, class) && !cut.certain && i < facts->count; i++) {
    const NbFact *fact = float_of(facts, i);
    if (!fact || !is_cut(types, fact, &at))
      continue;
    uint64_t size = LLVMABISizeOfType(types->context->layout, fact->type);
    NbOffsets relative = nb_place_relative(fact->place, &at);
    int64_t inside = nb_place_inside(&relative, fact->size, 0);
    NbOffsets around = nb_place_shift(at, inside < 0 ? 1 - (int64_t)size : -inside);
    uint64_t extent = inside < 0 ? 2 * size : size;
    if (is_shared(facts, &around, fact->type, extent, false))
      return (NbCut){NULL, 0, false, false};
    cut.alone = !facts->untyped && !is_shared(facts, &around, fact->type, extent, true);
    cut.type = fact->type;
    cut.offset = (int64_t)edge - inside;
    cut.certain = inside > 0 && is_always_there(fact, &at);
    if (!cut.certain && is_stream(types, facts, &around, extent))
      return (NbCut){NULL, 0, false, false};
  }
  return cut;
}

uint64_t nb_types_factor(NbTypes *types, LLVMValueRef value) {
  return nb_integer_factor(types->places, value);
}
