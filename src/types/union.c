// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Unions: what accesses find in one element says nothing of another, and a declaration names but
 * one of the members. A copy of what is read as a pointer elsewhere may move a number. */
#include "types/facts.h"
#include "types/pieces.h"

static bool meets_union(NbTypes *types, LLVMValueRef pointer, const NbOffsets *place,
                        uint64_t size) {
  const NbFacts *unions = nb_facts_of_unions(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < unions->count; i++)
    if (nb_place_meets(&unions->items[i].place, unions->items[i].size, place, size))
      return true;
  return unions->full;
}

bool nb_types_in_union(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbOffsets place = nb_places_of(types->places, pointer);
  return meets_union(types, pointer, &place, size);
}

bool nb_types_moves_union(NbTypes *types, LLVMValueRef end, const NbLayout *layout) {
  for (unsigned i = 0; i < layout->count; i++) {
    const NbPiece *piece = &layout->pieces[i];
    NbOffsets place = nb_types_piece_place(types, end, piece);
    if (piece->kind == NB_KIND_POINTER && meets_union(types, end, &place, piece->size))
      return true;
  }
  return false;
}
