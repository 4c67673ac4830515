// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The pieces of a layout, while it is made. */
#ifndef NABLA_TYPES_PIECES_H
#define NABLA_TYPES_PIECES_H

#include "types/types.h"

typedef struct NbPieces {
  NbArena *arena;
  NbPiece *items;
  unsigned count, capacity;
} NbPieces;

void nb_pieces_add(NbPieces *pieces, NbPiece piece);
/* Joins equal pieces that lie side by side and fill `size` bytes into one that repeats. */
void nb_pieces_compress(NbPieces *pieces, uint64_t size);
/* Brings pieces that repeat every `period` bytes to their shortest period: elements of one kind are
 * then moved in one go, whatever the distance. */
void nb_pieces_shorten(NbPieces *pieces, uint64_t period);
/* May a region whose size is a multiple of `factor` (0: of what it holds) end within a piece that
 * is no integer? */
bool nb_pieces_may_cut(const NbPieces *pieces, uint64_t factor);

#endif
