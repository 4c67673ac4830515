// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, NAME_SIZE = 96 };

__NABLA_CHECKED _Thread_local struct __nabla_check_session *__nabla_check_current;

typedef struct __nabla_check_session Session;
typedef struct __nabla_check_cell Cell;

/* A long double in memory, without the padding. */
enum { LONG_BYTES = 10 };

double __nabla_check_get(const char *memory, uint32_t bytes) {
  _Float16 half;
  float single;
  double value;
  long double extended = 0;
  if (bytes == sizeof half) {
    memcpy(&half, memory, sizeof half);
    return (double)half;
  }
  if (bytes == sizeof single) {
    memcpy(&single, memory, sizeof single);
    return (double)single;
  }
  if (bytes == LONG_BYTES) {
    memcpy(&extended, memory, LONG_BYTES);
    return (double)extended;
  }
  memcpy(&value, memory, sizeof value);
  return value;
}

void __nabla_check_put(Session *session, char *memory, double value, uint32_t bytes) {
  _Float16 half = (_Float16)value;
  float single = (float)value;
  long double extended = value;
  __nabla_check_words_keep(&session->words, memory, bytes);
  if (bytes == sizeof half)
    memcpy(memory, &half, sizeof half);
  else if (bytes == sizeof single)
    memcpy(memory, &single, sizeof single);
  else if (bytes == LONG_BYTES)
    memcpy(memory, &extended, LONG_BYTES);
  else
    memcpy(memory, &value, sizeof value);
}

size_t __nabla_check_all(const Session *session) { return session->left_count + session->count; }

Cell *__nabla_check_nth(const Session *session, size_t number) {
  bool left = number < session->left_count;
  return left ? &session->left[number] : &session->cells[number - session->left_count];
}

double __nabla_check_now(const Cell *cell) {
  if (!cell->primal)
    return (double)NAN;
  return cell->unneeded ? cell->value : __nabla_check_get(cell->primal, cell->bytes);
}

/* --- Cells ------------------------------------------------------------------------------------ */

static size_t index_of(const Session *session, const char *shadow) {
  size_t mask = session->index_size - 1;
  size_t slot = (size_t)(((uintptr_t)shadow / 4) * 0x9e3779b97f4a7c15u >> 20) & mask;
  while (session->index[slot] && session->cells[session->index[slot] - 1].shadow != shadow)
    slot = (slot + 1) & mask;
  return slot;
}

static void reindex(Session *session) {
  session->index_size = session->index_size ? 2 * session->index_size : 4 * FIRST_CAPACITY;
  session->index = __nabla_check_grow(session->index, session->index_size, sizeof(size_t));
  memset(session->index, 0, session->index_size * sizeof(size_t));
  for (size_t i = 0; i < session->count; i++)
    session->index[index_of(session, session->cells[i].shadow)] = i + 1;
}

Cell *__nabla_check_find_cell(const Session *session, const char *shadow) {
  size_t number = session->index_size ? session->index[index_of(session, shadow)] : 0;
  return number ? &session->cells[number - 1] : NULL;
}

Cell *__nabla_check_add_cell(Session *session, Cell cell) {
  if (session->count == session->capacity) {
    session->capacity = session->capacity ? 2 * session->capacity : FIRST_CAPACITY;
    session->cells = __nabla_check_grow(session->cells, session->capacity, sizeof cell);
  }
  session->cells[session->count++] = cell;
  if (2 * session->count > session->index_size)
    reindex(session);
  else
    session->index[index_of(session, cell.shadow)] = session->count;
  return &session->cells[session->count - 1];
}

/* AddressSanitizer's, where the program has it: variables may lie on a stack of its own. */
extern void *__asan_get_current_fake_stack(void) __attribute__((weak));
extern void *__asan_addr_is_in_fake_stack(void *stack, void *address, void **begin, void **end)
    __attribute__((weak));

/* Where on the stack the frame of the variable is; the address itself where it is no variable of
 * AddressSanitizer's. */
static const char *in_frame(const char *address) {
  void *stack = __asan_get_current_fake_stack ? __asan_get_current_fake_stack() : NULL;
  void *frame = stack ? __asan_addr_is_in_fake_stack(stack, (void *)address, NULL, NULL) : NULL;
  return frame ? frame : address;
}

/* Variables of the run's own functions, and what they have allocated. */
static bool is_own(const Session *session, const char *address) {
  const char *here = __builtin_frame_address(0), *at = in_frame(address);
  if (at >= here && at < session->stack)
    return true;
  return __nabla_check_blocks_find(&session->own, address) != NULL;
}

static void discover(Session *session, Cell cell, double value) {
  Cell *known = __nabla_check_find_cell(session, cell.shadow);
  if (known && known->primal != cell.primal && !cell.unneeded)
    session->shared = cell.shadow;
  if (cell.written)
    __nabla_check_left_write(session, &cell);
  if (!known && (is_own(session, cell.primal) || is_own(session, cell.shadow)))
    return;
  if (!known && session->count >= __nabla_check_settings_get()->cells)
    session->overflow = true;
  else if (!known)
    known = __nabla_check_add_cell(session, cell);
  if (!known)
    return;
  known->written |= cell.written;
  known->value = value;
}

/* A run that goes another way than the first may meet a scalar that was not met before: it is held
 * fixed, and its shadow is no tangent. */
static void follow(Session *session, Cell cell, double value) {
  Cell *known = __nabla_check_find_cell(session, cell.shadow);
  if (known)
    known->value = value;
  if (known || !cell.read || cell.primal == cell.shadow || is_own(session, cell.shadow))
    return;
  cell.read = cell.written = false;
  __nabla_check_add_cell(session, cell);
  __nabla_check_put(session, cell.shadow, 0, cell.bytes);
}

/* In the first run. What is its own shadow has no derivative, where that may be. */
static void meet(Session *session, Cell cell, double value, uint32_t access) {
  if (cell.primal != cell.shadow)
    discover(session, cell, value);
  else if (!(access & __NABLA_CHECK_SENTINEL))
    session->itself = cell.primal;
}

/* What was copied here without saying as what is read where it comes from. Returns whether it was.
 */
static bool meet_origin(Session *session, Cell cell) {
  struct __nabla_check_origin from = __nabla_check_copies_find(&session->copies, cell.shadow);
  if (!from.primal || !cell.read)
    return false;
  cell.primal = from.primal;
  cell.shadow = from.shadow;
  cell.written = false;
  cell.unneeded = from.access & __NABLA_CHECK_UNNEEDED;
  meet(session, cell, 0, from.access);
  Cell *known = __nabla_check_find_cell(session, from.shadow);
  if (known)
    known->read = true;
  return true;
}

/* What has been written before it is copied is no input. */
static void forget_written(Session *session, const char *to, const char *from, uint64_t extent) {
  enum { SHORTEST = 2 };
  for (uint64_t at = 0; at < extent; at += SHORTEST) {
    const Cell *cell = __nabla_check_find_cell(session, from + at);
    if (cell && cell->written)
      __nabla_check_copies_forget(&session->copies, to + at, cell->bytes);
  }
}

void __nabla_check_cell(char *primal, char *shadow, double value, uint32_t bytes, uint32_t access) {
  Session *session = __nabla_check_current;
  bool unneeded = access & __NABLA_CHECK_UNNEEDED;
  Cell cell = {.primal = primal, .shadow = shadow, .bytes = bytes, .unneeded = unneeded};
  cell.read = access & __NABLA_CHECK_READ;
  cell.written = access & __NABLA_CHECK_WRITE;
  if (!session)
    return;
  if (!session->discovering) {
    follow(session, cell, value);
    return;
  }
  if (meet_origin(session, cell))
    cell.read = false;
  meet(session, cell, value, access);
  if (cell.written)
    __nabla_check_copies_forget(&session->copies, shadow, bytes);
}

void __nabla_check_cells(char *primal, char *shadow, char *from, uint64_t extent, uint64_t first,
                         uint64_t period, uint32_t bytes, uint32_t access) {
  uint64_t step = period ? period : extent;
  for (uint64_t at = first; at + bytes <= extent; at += step)
    __nabla_check_cell(primal + at, shadow + at, from ? __nabla_check_get(from + at, bytes) : 0.0,
                       bytes, access);
}

void __nabla_check_moved(char *shadow, uint64_t extent, char *primal, char *from, uint32_t access) {
  Session *session = __nabla_check_current;
  if (!session || !session->discovering)
    return;
  if (primal) {
    __nabla_check_copies_keep(&session->copies, shadow,
                              (struct __nabla_check_origin){primal, from, access}, extent);
    forget_written(session, shadow, from, extent);
  } else {
    __nabla_check_copies_forget(&session->copies, shadow, extent);
  }
  struct __nabla_check_block *own = __nabla_check_blocks_find(&session->own, shadow);
  if (own)
    own->odd = true;
  if (!is_own(session, shadow))
    __nabla_check_blocks_add(&session->moved,
                             (struct __nabla_check_block){.start = shadow, .bytes = extent});
}

void __nabla_check_born(double value, const struct __nabla_check_place *place) {
  Session *session = __nabla_check_current;
  if (session && !session->born && !isfinite(value))
    session->born = place;
}

void __nabla_check_single(double tangent) {
  Session *session = __nabla_check_current;
  if (session && tangent != 0)
    session->single = true;
}

/* --- Memory ----------------------------------------------------------------------------------- */

void __nabla_check_log(char *memory, uint64_t bytes) {
  Session *session = __nabla_check_current;
  if (!session || __nabla_check_words_have(&session->words, memory, bytes))
    return;
  if (!is_own(session, memory))
    __nabla_check_words_keep(&session->words, memory, bytes);
}

void __nabla_check_allocated(char *memory, uint64_t bytes, void (*release)(void *memory)) {
  Session *session = __nabla_check_current;
  struct __nabla_check_block block = {
      .start = memory, .bytes = bytes ? bytes : 1, .release = release};
  if (!session || !memory)
    return;
  __nabla_check_left_arrive(session, &block);
  __nabla_check_blocks_add(&session->own, block);
}

/* Takes the block out of the run's own, with what is known of it; one without a start where it is
 * none of these. */
static struct __nabla_check_block take_own(Session *session, const char *memory) {
  struct __nabla_check_block *block = __nabla_check_blocks_find(&session->own, memory), taken = {0};
  if (!block || block->start != memory)
    return taken;
  taken = *block;
  __nabla_check_blocks_remove(&session->own, block);
  return taken;
}

char *__nabla_check_freed(char *memory) {
  Session *session = __nabla_check_current;
  if (!session || !memory)
    return NULL;
  struct __nabla_check_block own = take_own(session, memory);
  __nabla_check_left_forget(&own);
  session->freed |= !own.start;
  return own.start;
}

char *__nabla_check_resized(char *memory) {
  Session *session = __nabla_check_current;
  if (!session || !memory)
    return NULL;
  struct __nabla_check_block own = take_own(session, memory);
  if (!own.start) {
    session->freed = session->resized = true;
    __nabla_check_leave();
  }
  __nabla_check_left_carry(session, &own);
  return own.start;
}

void __nabla_check_leave(void) {
  Session *session = __nabla_check_current;
  if (!session)
    abort();
  longjmp(session->leave, 1);
}

/* --- Runs ------------------------------------------------------------------------------------- */

bool __nabla_check_run(Session *session) {
  session->born = NULL;
  session->finished = false;
  session->allocated = 0;
  session->stack = __builtin_frame_address(0);
  __nabla_check_current = session;
  if (setjmp(session->leave) == 0) {
    const struct __nabla_check_site *site = session->site;
    bool apart = session->discovering && site->discover;
    (apart ? site->discover : site->observe)[session->lane](session->frame);
    session->finished = true;
  }
  __nabla_check_current = NULL;
  if (session->discovering)
    __nabla_check_left_find(session);
  else
    __nabla_check_left_locate(session);
  return session->finished;
}

void __nabla_check_restore(Session *session) {
  __nabla_check_words_restore(&session->words);
  for (size_t i = 0; i < session->own.count; i++) {
    struct __nabla_check_block *block = &session->own.items[i];
    __nabla_check_left_forget(block);
    if (block->release)
      block->release(block->start);
  }
  __nabla_check_left_forget(&session->carried);
  session->carried = (struct __nabla_check_block){0};
  session->own.count = 0;
}

void __nabla_check_place_inputs(Session *session, double step) {
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    double moved = cell->entry + cell->aside + step * cell->direction;
    if (cell->read && moved != cell->entry && isfinite(moved))
      __nabla_check_put(session, cell->primal, moved, cell->bytes);
    __nabla_check_put(session, cell->shadow, cell->read ? cell->direction : 0, cell->bytes);
  }
}

bool __nabla_check_run_base(Session *session) {
  __nabla_check_place_inputs(session, 0);
  bool finished = __nabla_check_run(session);
  for (size_t i = 0; finished && i < __nabla_check_all(session); i++) {
    Cell *cell = __nabla_check_nth(session, i);
    if (!cell->written)
      continue;
    cell->output = __nabla_check_now(cell);
    cell->tangent = cell->shadow ? __nabla_check_get(cell->shadow, cell->bytes) : 0;
  }
  __nabla_check_restore(session);
  return finished;
}

/* The pointer argument that a cell is reached by: its shadow lies as far behind the argument's
 * shadow as it itself lies behind the argument. The nearest one counts. */
static const struct __nabla_check_pointer *pointer_of(const Session *session, const Cell *cell,
                                                      uint64_t *distance) {
  const struct __nabla_check_pointer *best = NULL;
  for (uint32_t i = 0; i < session->site->pointer_count; i++) {
    const struct __nabla_check_pointer *pointer = &session->site->pointers[i];
    const char *primal, *shadow;
    memcpy(&primal, session->frame + pointer->primal, sizeof primal);
    memcpy(&shadow, session->frame + pointer->shadow, sizeof shadow);
    uint64_t offset = (uint64_t)((uintptr_t)cell->primal - (uintptr_t)primal);
    bool fits = (uintptr_t)cell->shadow - (uintptr_t)shadow == offset && offset < INT64_MAX;
    if (!fits || (best && offset >= *distance))
      continue;
    best = pointer;
    *distance = offset;
  }
  return best;
}

void __nabla_check_name(const Session *session, const Cell *cell, char *text, size_t size) {
  uint64_t distance = 0;
  const struct __nabla_check_pointer *pointer = pointer_of(session, cell, &distance);
  if (cell->name)
    snprintf(text, size, "%s", cell->name);
  else if (cell->primal_order)
    snprintf(text, size, "the float at byte %zu of memory that it allocates", cell->offset);
  else if (pointer)
    snprintf(text, size, "%s[%llu]", pointer->name, (unsigned long long)(distance / cell->bytes));
  else
    snprintf(text, size, "the float at %p", (void *)cell->primal);
}
