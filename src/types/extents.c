// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Facts end where their object does: what a copy of unknown length, or one within an object, would
 * carry beyond it speaks of no byte. */
#include "types/facts.h"

/* The bytes of a local variable; NB_UNKNOWN_SIZE where they are not known. */
static uint64_t extent_of_member(const NbContext *context, LLVMValueRef member) {
  if (!LLVMIsAAllocaInst(member) || !LLVMIsAConstantInt(LLVMGetOperand(member, 0)))
    return NB_UNKNOWN_SIZE;
  LLVMTypeRef type = LLVMGetAllocatedType(member);
  uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(member, 0));
  if (LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind || count > INT32_MAX)
    return NB_UNKNOWN_SIZE;
  return count * LLVMABISizeOfType(context->layout, type);
}

uint64_t nb_facts_extent(const NbTypes *types, NbClass *class) {
  uint64_t most = 0;
  class = nb_class_find(class);
  LLVMValueRef member = types->places->member;
  if (types->class && types->places->kind != NB_PLACES_ALL)
    return member ? extent_of_member(types->context, member) : NB_UNKNOWN_SIZE;
  if (!nb_class_member_count(class) || nb_class_is_external(class))
    return NB_UNKNOWN_SIZE;
  for (unsigned i = 0; i < nb_class_member_count(class); i++) {
    uint64_t extent = extent_of_member(types->context, nb_class_member(class, i));
    most = extent > most ? extent : most;
  }
  return most;
}

/* The elements of the array that lie in [0, extent) remain; false where there is none. */
static bool clip_array(NbFact *fact, int64_t extent) {
  NbOffsets *place = &fact->place;
  int64_t inner = place->count > 1 ? (int64_t)place->inner : 1;
  int64_t below = place->base < 0 ? (-place->base + inner - 1) / inner : 0;
  int64_t last = extent - (int64_t)fact->size - place->base;
  int64_t count = last < 0 ? 0 : last / inner + 1;
  count = (count < (int64_t)place->count ? count : (int64_t)place->count) - below;
  if (count <= 0)
    return false;
  place->base += below * inner;
  place->count = (uint64_t)count;
  place->low = place->base;
  place->high = place->base + (count - 1) * inner;
  return true;
}

bool nb_facts_clip(NbFact *fact, uint64_t extent) {
  bool ends = !fact->place.period && extent <= INT32_MAX;
  return !ends || clip_array(fact, (int64_t)extent);
}
