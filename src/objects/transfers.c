// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bytes that are moved between two memories, and the pointers among them. */
#include "objects/graph.h"

#include <string.h>

enum { POINTER_SIZE = 8, TRANSFER_ROUNDS = 16, MOST_TRANSFERS = 4096 };

/* The two memories hold the same pointers, anywhere. */
static void blur_transfer(const NbTransfer *transfer) {
  NbOffsets anywhere = nb_place_anywhere();
  NbClass *to = nb_class_field(nb_class_find(transfer->to), anywhere, POINTER_SIZE);
  NbClass *from = nb_class_field(nb_class_find(transfer->from), anywhere, POINTER_SIZE);
  nb_class_unify(to, from);
  nb_class_note_stored(transfer->to, anywhere, POINTER_SIZE);
}

bool nb_graph_keeps_transfers(const NbObjects *objects) {
  return objects->transfers.count < MOST_TRANSFERS;
}

void nb_graph_transfer(NbObjects *objects, NbTransfer transfer) {
  NbTransfer *kept = NB_NEW(objects->arena, NbTransfer);
  *kept = transfer;
  if (objects->guide && nb_graph_keeps_transfers(objects))
    nb_list_push(&objects->transfers, kept);
  else
    blur_transfer(kept);
}

bool nb_transfer_copies(const NbTransfer *transfer, NbOffsets place, uint64_t size,
                        NbOffsets *copied) {
  const NbOffsets start = nb_place_at(0), seen = nb_place_relative(place, &transfer->from_place);
  const uint64_t bytes = transfer->bytes == NB_UNKNOWN_SIZE ? INT64_MAX : transfer->bytes;
  *copied = nb_place_add(transfer->to_place, seen);
  return nb_place_meets(&seen, size, &start, bytes);
}

/* The place in the memory at `to` where a copy of `bytes` bytes puts what stands at `place` in the
 * memory at `from`; false where it does not copy it. */
static bool moved_place(NbOffsets place, uint64_t size, NbOffsets from, NbOffsets to,
                        uint64_t bytes, NbOffsets *moved) {
  NbOffsets seen = nb_place_relative(place, &from);
  NbOffsets start = nb_place_at(0);
  bool known = bytes != NB_UNKNOWN_SIZE;
  uint64_t most = known ? bytes : INT64_MAX;
  if (!nb_place_meets(&place, size, &from, most) || !nb_place_meets(&seen, size, &start, most))
    return false;
  if (known && seen.period) {
    seen.low = 1 - (int64_t)size;
    seen.high = (int64_t)bytes - 1;
  }
  *moved = nb_place_add(to, seen);
  return true;
}

/* Pointers that stand where the transfer reads lead where those lead that stand where it writes. */
static void move_fields(NbObjects *objects, const NbTransfer *transfer) {
  NbClass *source = nb_class_find(transfer->from);
  unsigned count = source->field_count;
  NbField *fields = NB_NEW_ARRAY(objects->arena, NbField, count + 1);
  memcpy(fields, source->fields, count * sizeof *fields);
  for (unsigned i = 0; i < count; i++) {
    NbOffsets place;
    if (!moved_place(fields[i].place, fields[i].size, transfer->from_place, transfer->to_place,
                     transfer->bytes, &place))
      continue;
    NbClass *field =
        nb_class_field_of(nb_class_find(transfer->to), place, fields[i].size, fields[i].kind);
    nb_class_unify(field, fields[i].target);
  }
}

static NbTransfer reversed(const NbTransfer *transfer) {
  NbTransfer back = *transfer;
  back.to = transfer->from;
  back.from = transfer->to;
  back.to_place = transfer->from_place;
  back.from_place = transfer->to_place;
  return back;
}

void nb_graph_solve_transfers(NbObjects *objects) {
  unsigned before = objects->changes - 1;
  for (unsigned round = 0; before != objects->changes && round < 2 * TRANSFER_ROUNDS; round++) {
    before = objects->changes;
    for (unsigned i = 0; i < objects->transfers.count; i++) {
      const NbTransfer *transfer = objects->transfers.items[i];
      if (round == TRANSFER_ROUNDS)
        blur_transfer(transfer);
      NbTransfer back = reversed(transfer);
      move_fields(objects, transfer);
      if (!transfer->word)
        move_fields(objects, &back);
    }
  }
}
