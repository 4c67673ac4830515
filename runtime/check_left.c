// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers in memory that the function allocates and leaves to its caller. Each run has that memory
 * elsewhere, and frees it: so a number is known by the order of the allocations, its own and its
 * shadow's, and by where it lies in them. */
#include "check_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct __nabla_check_session Session;
typedef struct __nabla_check_cell Cell;
typedef struct __nabla_check_block Block;

enum { WIDEST = 16 };

/* --- What is written -------------------------------------------------------------------------- */

/* The number at the offset is the last one written to any of its bytes. */
static void mark(Block *shadow, size_t offset, uint32_t bytes) {
  if (!shadow->marks) {
    shadow->marks = __nabla_check_grow(NULL, shadow->bytes, 1);
    memset(shadow->marks, 0, shadow->bytes);
  }
  for (size_t before = 1; before < WIDEST && before <= offset; before++)
    if (shadow->marks[offset - before] > before)
      shadow->marks[offset - before] = 0;
  memset(shadow->marks + offset, 0, bytes);
  shadow->marks[offset] = (unsigned char)bytes;
}

void __nabla_check_left_write(Session *session, const Cell *cell) {
  Block *primal = __nabla_check_blocks_find(&session->own, cell->primal);
  Block *shadow = __nabla_check_blocks_find(&session->own, cell->shadow);
  if (primal)
    primal->numbers = true;
  if (!primal || !shadow) {
    if (primal)
      primal->odd = true;
    return;
  }
  size_t offset = (size_t)(cell->shadow - shadow->start);
  bool fits = offset + cell->bytes <= shadow->bytes && !cell->unneeded &&
              offset == (size_t)(cell->primal - primal->start);
  if (!fits || (shadow->twin && shadow->twin != primal->order)) {
    shadow->odd = true;
    return;
  }
  shadow->twin = primal->order;
  mark(shadow, offset, cell->bytes);
}

void __nabla_check_left_forget(Block *block) {
  free(block->marks);
  block->marks = NULL;
}

void __nabla_check_left_carry(Session *session, const Block *block) {
  __nabla_check_left_forget(&session->carried);
  session->carried = *block;
}

void __nabla_check_left_arrive(Session *session, Block *block) {
  const Block *old = &session->carried;
  block->order = ++session->allocated;
  if (!old->order)
    return;
  block->order = old->order;
  block->numbers = old->numbers;
  block->odd = old->odd;
  block->twin = old->twin;
  if (old->marks) {
    size_t kept = old->bytes < block->bytes ? old->bytes : block->bytes;
    block->marks = __nabla_check_grow(old->marks, block->bytes, 1);
    memset(block->marks + kept, 0, block->bytes - kept);
  }
  session->carried = (Block){0};
}

/* --- What is left ----------------------------------------------------------------------------- */

/* The block of each order, NULL where it is gone; the caller frees the list. */
static const Block **by_order(const Session *session) {
  const Block **list = __nabla_check_grow(NULL, session->allocated + 1, sizeof *list);
  memset(list, 0, (session->allocated + 1) * sizeof *list);
  for (size_t i = 0; i < session->own.count; i++)
    list[session->own.items[i].order] = &session->own.items[i];
  return list;
}

static size_t count_marks(const Block *shadow) {
  size_t count = 0;
  for (size_t i = 0; shadow->marks && i < shadow->bytes; i++)
    count += shadow->marks[i] != 0;
  return count;
}

static void add_numbers(Session *session, const Block *primal, const Block *shadow) {
  size_t count = session->left_count + count_marks(shadow);
  session->left = __nabla_check_grow(session->left, count + 1, sizeof *session->left);
  for (size_t i = 0; i < shadow->bytes; i++) {
    if (shadow->marks[i])
      session->left[session->left_count++] = (Cell){.bytes = shadow->marks[i],
                                                    .written = true,
                                                    .primal_order = primal->order,
                                                    .shadow_order = shadow->order,
                                                    .offset = i};
  }
}

/* Numbers of memory that is left whose shadows are not followed. */
static bool is_lost(const Block *block, const bool *followed) {
  return block->odd || (block->numbers && !followed[block->order]);
}

void __nabla_check_left_find(Session *session) {
  const Block **blocks = by_order(session);
  bool *followed = __nabla_check_grow(NULL, session->allocated + 1, sizeof *followed);
  memset(followed, 0, session->allocated + 1);
  for (size_t i = 0; i < session->own.count; i++) {
    const Block *shadow = &session->own.items[i], *primal = blocks[shadow->twin];
    if (!shadow->twin || !shadow->marks || !primal || shadow->odd)
      continue;
    followed[primal->order] = true;
    if (session->count + session->left_count + count_marks(shadow) >
        __nabla_check_settings_get()->cells)
      session->overflow = true;
    else
      add_numbers(session, primal, shadow);
  }
  for (size_t i = 0; i < session->own.count; i++)
    session->leaves |= is_lost(&session->own.items[i], followed);
  session->usual_allocated = session->allocated;
  free(followed);
  free(blocks);
}

static char *place_in(const Block *block, const Cell *cell) {
  bool holds = block && cell->offset + cell->bytes <= block->bytes;
  return holds ? block->start + cell->offset : NULL;
}

void __nabla_check_left_locate(Session *session) {
  bool same = session->finished && session->allocated == session->usual_allocated;
  if (!session->left_count)
    return;
  const Block **blocks = by_order(session);
  for (size_t i = 0; i < session->left_count; i++) {
    Cell *cell = &session->left[i];
    bool known = same && cell->primal_order <= session->allocated &&
                 cell->shadow_order <= session->allocated;
    cell->primal = known ? place_in(blocks[cell->primal_order], cell) : NULL;
    cell->shadow = known ? place_in(blocks[cell->shadow_order], cell) : NULL;
    if (!cell->shadow)
      cell->primal = NULL;
  }
  free(blocks);
}
