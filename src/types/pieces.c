// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types/pieces.h"

#include "../../runtime/words.h"

#include "objects/place.h"

void nb_pieces_add(NbPieces *pieces, NbPiece piece) {
  pieces->items =
      nb_arena_grow(pieces->arena, pieces->items, pieces->count, &pieces->capacity, sizeof piece);
  pieces->items[pieces->count++] = piece;
}

void nb_pieces_compress(NbPieces *pieces, uint64_t size) {
  NbPiece *first = pieces->items;
  if (pieces->count < 2 || first->offset || first->size * pieces->count != size)
    return;
  for (unsigned i = 0; i < pieces->count; i++) {
    const NbPiece *piece = &pieces->items[i];
    if (piece->kind != first->kind || piece->type != first->type || piece->size != first->size ||
        piece->offset != i * first->size)
      return;
  }
  pieces->count = 1;
  first->period = first->size;
}

/* Do the pieces repeat every `count` of them, `distance` bytes apart? */
static bool repeats_by(const NbPieces *pieces, unsigned count, uint64_t distance) {
  for (unsigned i = 0; i + count < pieces->count; i++) {
    const NbPiece *piece = &pieces->items[i];
    const NbPiece *next = &pieces->items[i + count];
    if (piece->kind != next->kind || piece->type != next->type || piece->size != next->size ||
        piece->offset + distance != next->offset)
      return false;
  }
  return true;
}

void nb_pieces_shorten(NbPieces *pieces, uint64_t period) {
  for (unsigned count = 1; count < pieces->count; count++) {
    unsigned groups = pieces->count / count;
    uint64_t shorter = period / groups;
    if (groups * count != pieces->count || period != shorter * groups ||
        !repeats_by(pieces, count, shorter))
      continue;
    pieces->count = count;
    for (unsigned i = 0; i < count; i++)
      pieces->items[i].period = shorter;
    return;
  }
}

bool nb_pieces_may_cut(const NbPieces *pieces, uint64_t factor) {
  for (unsigned i = 0; factor && i < pieces->count; i++) {
    const NbPiece *piece = &pieces->items[i];
    uint64_t step = nb_gcd(factor, piece->period);
    uint64_t before = piece->offset - piece->offset % step;
    if (piece->kind != NB_KIND_INTEGER && before + step < piece->offset + piece->size)
      return true;
  }
  return false;
}

bool nb_piece_may_be_pointer(const NbPiece *piece) {
  bool word = piece->kind == NB_KIND_WORD && (piece->may & __NABLA_MAY_POINTER);
  return piece->kind == NB_KIND_POINTER || word;
}

bool nb_layout_is_known(const NbLayout *layout) {
  for (unsigned i = 0; i < layout->count; i++) {
    if (layout->pieces[i].kind == NB_KIND_CONFLICT || layout->pieces[i].kind == NB_KIND_UNKNOWN)
      return false;
  }
  return !layout->unknown;
}

enum { CLEARED = 4 /* bytes at once: no float or pointer begins between them */ };

/* The layout while it is made: all before `at` is covered, every `period` bytes. */
typedef struct Cover {
  NbPieces pieces;
  LLVMTypeRef type;
  uint64_t at, end, period;
} Cover;

static void cover_until(Cover *cover, uint64_t end) {
  for (; cover->at + CLEARED <= end; cover->at += CLEARED)
    nb_pieces_add(&cover->pieces,
                  (NbPiece){cover->at, CLEARED, cover->period, NB_KIND_FLOAT, cover->type, 0});
  cover->at = end;
}

/* The first piece that repeats begins what does. */
static void begin_period(Cover *cover, const NbPiece *piece, bool first) {
  if (!first)
    cover_until(cover, piece->offset);
  cover->period = piece->period;
  cover->end = cover->at + piece->period;
}

NbLayout nb_layout_between_pointers(const NbContext *context, const NbLayout *layout,
                                    LLVMValueRef extent) {
  Cover cover = {.pieces.arena = context->arena, .type = LLVMFloatTypeInContext(context->llvm)};
  bool pointers = false;
  for (unsigned i = 0; i < layout->count; i++) {
    const NbPiece *piece = &layout->pieces[i];
    if (piece->period && !cover.period)
      begin_period(&cover, piece, i == 0);
    if (!cover.period)
      cover.end = piece->offset + piece->size;
    if (!nb_piece_may_be_pointer(piece))
      continue;
    cover_until(&cover, piece->offset);
    nb_pieces_add(&cover.pieces, *piece);
    cover.at = piece->offset + piece->size;
    pointers = true;
  }
  if (!pointers)
    return (NbLayout){NULL, 0, true};
  if (!cover.period && LLVMIsAConstantInt(extent))
    cover.end = LLVMConstIntGetZExtValue(extent);
  cover_until(&cover, cover.end);
  return (NbLayout){cover.pieces.items, cover.pieces.count, false};
}
