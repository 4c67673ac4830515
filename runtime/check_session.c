// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_report.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, NAME_SIZE = 96 };

/* The call that this thread checks. */
__NABLA_CHECKED _Thread_local struct __nabla_check_session *__nabla_check_current;

/* glibc's: has the process had one thread only? */
extern char __libc_single_threaded __attribute__((weak));

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

double __nabla_check_now(const Cell *cell) {
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

static Cell *find_cell(const Session *session, const char *shadow) {
  size_t number = session->index_size ? session->index[index_of(session, shadow)] : 0;
  return number ? &session->cells[number - 1] : NULL;
}

static Cell *add_cell(Session *session, Cell cell) {
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

/* Variables of the run's own functions, and what they have allocated. */
static bool is_own(const Session *session, const char *address) {
  const char *here = __builtin_frame_address(0);
  if (address >= here && address < session->stack)
    return true;
  return __nabla_check_blocks_find(&session->own, address) != NULL;
}

static void discover(Session *session, Cell cell, double value) {
  Cell *known = find_cell(session, cell.shadow);
  if (known && known->primal != cell.primal && !cell.unneeded)
    session->shared = cell.shadow;
  if (!known && (is_own(session, cell.primal) || is_own(session, cell.shadow)))
    return;
  if (!known && session->count >= __nabla_check_settings_get()->cells)
    session->overflow = true;
  else if (!known)
    known = add_cell(session, cell);
  if (!known)
    return;
  known->written |= cell.written;
  known->value = value;
}

/* A run that goes another way than the first may meet a scalar that was not met before: it is held
 * fixed, and its shadow is no tangent. */
static void follow(Session *session, Cell cell, double value) {
  Cell *known = find_cell(session, cell.shadow);
  if (known)
    known->value = value;
  if (known || !cell.read || cell.primal == cell.shadow || is_own(session, cell.shadow))
    return;
  cell.read = cell.written = false;
  add_cell(session, cell);
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
  return true;
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
  if (primal)
    __nabla_check_copies_keep(&session->copies, shadow,
                              (struct __nabla_check_origin){primal, from, access}, extent);
  else
    __nabla_check_copies_forget(&session->copies, shadow, extent);
  if (!is_own(session, shadow))
    __nabla_check_blocks_add(&session->moved, (struct __nabla_check_block){shadow, extent, NULL});
}

void __nabla_check_born(double value, const struct __nabla_check_place *place) {
  Session *session = __nabla_check_current;
  if (session && !session->born && !isfinite(value))
    session->born = place;
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
  if (session && memory)
    __nabla_check_blocks_add(&session->own,
                             (struct __nabla_check_block){memory, bytes ? bytes : 1, release});
}

char *__nabla_check_freed(char *memory) {
  Session *session = __nabla_check_current;
  struct __nabla_check_block *block =
      session ? __nabla_check_blocks_find(&session->own, memory) : NULL;
  if (!block || block->start != memory)
    return NULL;
  __nabla_check_blocks_remove(&session->own, block);
  return memory;
}

char *__nabla_check_resized(char *memory) {
  Session *session = __nabla_check_current;
  char *own = memory ? __nabla_check_freed(memory) : NULL;
  if (session && memory && !own) {
    session->resized = true;
    __nabla_check_leave();
  }
  return own;
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
  session->stack = __builtin_frame_address(0);
  __nabla_check_current = session;
  if (setjmp(session->leave) == 0) {
    session->site->observe(session->frame);
    session->finished = true;
  }
  __nabla_check_current = NULL;
  return session->finished;
}

void __nabla_check_restore(Session *session) {
  __nabla_check_words_restore(&session->words);
  for (size_t i = 0; i < session->own.count; i++) {
    const struct __nabla_check_block *block = &session->own.items[i];
    if (block->release)
      block->release(block->start);
  }
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
  for (size_t i = 0; finished && i < session->count; i++) {
    Cell *cell = &session->cells[i];
    if (!cell->written)
      continue;
    cell->output = __nabla_check_now(cell);
    cell->tangent = __nabla_check_get(cell->shadow, cell->bytes);
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
  else if (pointer)
    snprintf(text, size, "%s[%llu]", pointer->name, (unsigned long long)(distance / cell->bytes));
  else
    snprintf(text, size, "the float at %p", (void *)cell->primal);
}

/* --- Shadows ---------------------------------------------------------------------------------- */

static int by_primal(const void *left, const void *right) {
  const Cell *a = *(Cell *const *)left, *b = *(Cell *const *)right;
  if (a->primal != b->primal)
    return a->primal < b->primal ? -1 : 1;
  return a < b ? -1 : a > b;
}

static int by_shadow(const void *left, const void *right) {
  const Cell *a = *(Cell *const *)left, *b = *(Cell *const *)right;
  return a->shadow < b->shadow ? -1 : a->shadow > b->shadow;
}

static Cell **sorted(const Session *session, int (*order)(const void *, const void *)) {
  Cell **list = __nabla_check_grow(NULL, session->count + 1, sizeof *list);
  for (size_t i = 0; i < session->count; i++)
    list[i] = &session->cells[i];
  qsort(list, session->count, sizeof *list, order);
  return list;
}

/* A cell whose shadow overlaps the primal of some cell; NULL where there is none. */
static const Cell *overlapping(const Session *session, Cell *const *primals, Cell *const *shadows) {
  size_t next = 0;
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = shadows[i];
    while (next < session->count && primals[next]->primal + primals[next]->bytes <= cell->shadow)
      next++;
    bool overlaps = next < session->count && primals[next]->primal < cell->shadow + cell->bytes;
    if (overlaps && !primals[next]->unneeded)
      return cell;
  }
  return NULL;
}

/* Is some memory seen as scalars that overlap without being the same? */
static bool is_punned(const Session *session, Cell *const *primals) {
  for (size_t i = 1; i < session->count; i++) {
    const Cell *before = primals[i - 1], *cell = primals[i];
    bool same = before->primal == cell->primal && before->bytes == cell->bytes;
    if (!same && !cell->unneeded && before->primal + before->bytes > cell->primal)
      return true;
  }
  return false;
}

/* The same scalar with two shadows goes one way. */
static void unite_directions(const Session *session, Cell *const *primals) {
  for (size_t i = 1; i < session->count; i++) {
    if (primals[i]->primal == primals[i - 1]->primal)
      primals[i]->direction = primals[i - 1]->direction;
  }
}

/* A pointer argument that is its own shadow; NULL where there is none. */
static const char *own_shadow(const Session *session) {
  for (uint32_t i = 0; i < session->site->pointer_count; i++) {
    const struct __nabla_check_pointer *pointer = &session->site->pointers[i];
    const char *primal, *shadow;
    memcpy(&primal, session->frame + pointer->primal, sizeof primal);
    memcpy(&shadow, session->frame + pointer->shadow, sizeof shadow);
    if (primal && primal == shadow && !pointer->guarded)
      return pointer->name;
  }
  return NULL;
}

/* A shadow that nothing can be told by: a fault, if the user has not said that there are such. */
static void blame_shadow(const Session *session, const char *name, const char *what) {
  struct __nabla_check_row *row = session->site->row;
  if (session->site->shared)
    __nabla_check_unchecked(row, "shadows overlap, as -nabla-shadows-may-overlap says");
  else
    __nabla_check_fault(row, "the shadow of %s %s", name, what);
}

/* Is something its own shadow, an argument or what a pointer within a shadow leads to? */
static bool blame_itself(const Session *session) {
  char name[NAME_SIZE];
  const char *own = own_shadow(session);
  if (own) {
    snprintf(name, sizeof name, "is %s itself", own);
    blame_shadow(session, own, name);
  } else if (session->itself) {
    snprintf(name, sizeof name, "the float at %p", (void *)session->itself);
    blame_shadow(session, name, "is itself: a pointer within a shadow is still the primal's");
  }
  return own || session->itself;
}

static bool shadows_are_sound(const Session *session, Cell *const *primals) {
  char name[NAME_SIZE];
  if (blame_itself(session))
    return false;
  Cell **shadows = sorted(session, by_shadow);
  const Cell *bad = overlapping(session, primals, shadows);
  free(shadows);
  if (!bad && session->shared)
    bad = find_cell(session, session->shared);
  if (!bad)
    return true;
  __nabla_check_name(session, bad, name, sizeof name);
  blame_shadow(session, name,
               session->shared ? "is the shadow of something else too"
                               : "overlaps memory of the function itself");
  return false;
}

/* In reverse mode, shadows of what is only read begin as zeros, or go on from a former call. */
static void look_at_seeds(Session *session) {
  char name[NAME_SIZE];
  struct __nabla_check_row *row = session->site->row;
  bool reverse = session->site->mode == __NABLA_CHECK_REVERSE;
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    bool seed = reverse ? !cell->argument : cell->read;
    bool odd = reverse && !cell->written && cell->weight != 0;
    if (!seed || (isfinite(cell->weight) && !odd))
      continue;
    __nabla_check_name(session, cell, name, sizeof name);
    if (isfinite(cell->weight) && !__nabla_check_was_left(cell->shadow, cell->bytes))
      __nabla_check_remark(row, "the shadow of %s was not zero at entry", name);
    if (isfinite(cell->weight))
      continue;
    __nabla_check_fault(row, "the shadow of %s is %g at entry: was it never set?", name,
                        cell->weight);
    return;
  }
}

/* --- The steps of a check --------------------------------------------------------------------- */

static void add_arguments(Session *session) {
  const struct __nabla_check_site *site = session->site;
  for (uint32_t i = 0; i < site->scalar_count; i++) {
    const struct __nabla_check_scalar *scalar = &site->scalars[i];
    Cell cell = {.primal = session->frame + scalar->primal,
                 .shadow = session->frame + scalar->shadow,
                 .name = scalar->name,
                 .bytes = scalar->bytes,
                 .read = !scalar->result,
                 .written = scalar->result,
                 .seed = scalar->result ? session->frame + scalar->seed : NULL,
                 .argument = true};
    add_cell(session, cell);
  }
}

/* Makes the page of `memory` writable for a while. */
static bool open_page(Session *session, const struct __nabla_check_blocks *read_only,
                      const char *memory) {
  const struct __nabla_check_block *block = __nabla_check_blocks_find(read_only, memory);
  if (!block || __nabla_check_blocks_find(&session->opened, memory))
    return true;
  if (!__nabla_check_protect(block, true))
    return false;
  __nabla_check_blocks_add(&session->opened, *block);
  return true;
}

static bool open_pages(Session *session) {
  struct __nabla_check_blocks read_only = {0};
  bool open = true;
  __nabla_check_read_only(&read_only);
  for (size_t i = 0; open && i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    open = (!cell->read || open_page(session, &read_only, cell->primal)) &&
           open_page(session, &read_only, cell->shadow);
  }
  free(read_only.items);
  return open;
}

static void close_pages(Session *session) {
  for (size_t i = 0; i < session->opened.count; i++)
    __nabla_check_protect(&session->opened.items[i], false);
  session->opened.count = 0;
}

static void mark_moved(Session *session, Cell *cell) {
  for (size_t i = 0; !cell->written && i < session->moved.count; i++) {
    const struct __nabla_check_block *block = &session->moved.items[i];
    cell->written = cell->shadow >= block->start && cell->shadow < block->start + block->bytes;
  }
}

/* What the cells hold at entry: to be called when memory is restored. */
static void note_entry(Session *session) {
  for (size_t i = 0; i < session->count; i++) {
    Cell *cell = &session->cells[i];
    mark_moved(session, cell);
    if (!cell->unneeded && (cell->read || !cell->argument))
      cell->entry = __nabla_check_get(cell->primal, cell->bytes);
    cell->weight = __nabla_check_get(cell->seed ? cell->seed : cell->shadow, cell->bytes);
  }
}

/* The root of the mean square of the inputs; 1 where all are zero. */
static double usual_size(const Session *session) {
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    if (!cell->read || !isfinite(cell->entry) || fabs(cell->entry) > 1e100)
      continue;
    sum += cell->entry * cell->entry;
    count++;
  }
  return sum > 0 ? sqrt(sum / (double)count) : 1;
}

/* Random numbers in +-[1/2, 1], the same in every run. */
static double random_number(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  double fraction = (double)(*state >> 12) / (double)(UINT64_C(1) << 52);
  return fraction < 0.5 ? fraction - 1 : fraction;
}

static size_t count_read(const Session *session) {
  size_t count = 0;
  for (size_t i = 0; i < session->count; i++)
    count += session->cells[i].read;
  return count;
}

/* In forward mode the direction is the user's; in reverse mode one at random, of the inputs' size,
 * or 1 where there is only one. */
static void choose_directions(Session *session, Cell *const *primals) {
  bool reverse = session->site->mode == __NABLA_CHECK_REVERSE;
  double usual = usual_size(session);
  uint64_t state = session->site->row->checked + 1;
  bool single = count_read(session) == 1;
  for (size_t i = 0; i < session->count; i++) {
    Cell *cell = &session->cells[i];
    double size = fmax(fabs(cell->entry), usual / 64);
    double chosen = single ? 1 : random_number(&state) * size;
    if (!reverse)
      chosen = cell->weight;
    cell->direction = cell->read && isfinite(cell->entry) ? chosen : 0;
  }
  unite_directions(session, primals);
}

static bool is_finite_there(const Session *session) {
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    if ((cell->read && !isfinite(cell->entry)) || (cell->written && !isfinite(cell->output)))
      return false;
  }
  return true;
}

static bool gives_number(const Session *session) {
  for (size_t i = 0; i < session->count; i++)
    if (session->cells[i].written && isfinite(session->cells[i].output))
      return true;
  return false;
}

/* Is a tangent given for an input that is no number? Differences cannot follow it. */
static bool moves_no_number(const Session *session) {
  bool given = session->site->mode != __NABLA_CHECK_REVERSE;
  for (size_t i = 0; given && i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    if (cell->read && !isfinite(cell->entry) && cell->weight != 0)
      return true;
  }
  return false;
}

static const char *obstacle(const Session *session, Cell *const *primals) {
  if (session->overflow)
    return "it uses more scalars than NABLA_CHECK_CELLS allows";
  if (is_punned(session, primals))
    return "it uses the same memory as floats of several sizes";
  return NULL;
}

/* Everything before the user's derivative runs. False where the check ends here. */
static bool prepare(Session *session, Cell **primals) {
  struct __nabla_check_row *row = session->site->row;
  note_entry(session);
  if (!shadows_are_sound(session, primals))
    return false;
  const char *reason = obstacle(session, primals);
  if (!reason && !open_pages(session))
    reason = "an input lies in memory that cannot be written";
  if (reason) {
    __nabla_check_unchecked(row, "%s", reason);
    return false;
  }
  look_at_seeds(session);
  choose_directions(session, primals);
  if (!__nabla_check_run_base(session))
    return false;
  if (moves_no_number(session))
    __nabla_check_unchecked(row, "an input that has a tangent is infinite or no number");
  else if (gives_number(session))
    __nabla_check_differences(session);
  return true;
}

static void dispose(Session *session) {
  close_pages(session);
  free(session->words.slots);
  free(session->own.items);
  free(session->moved.items);
  free(session->copies.slots);
  free(session->opened.items);
  free(session->cells);
  free(session->index);
  free(session);
}

static bool discover_all(Session *session) {
  add_arguments(session);
  session->discovering = true;
  bool finished = __nabla_check_run(session);
  session->discovering = false;
  __nabla_check_restore(session);
  if (!finished)
    __nabla_check_unchecked(session->site->row, session->resized
                                                    ? "it resizes memory that was there before"
                                                    : "it throws, or ends the program");
  return finished;
}

Session *__nabla_check_begin(struct __nabla_check_site *site, char *frame) {
  bool wanted;
  struct __nabla_check_row *row = __nabla_check_row_of(site, &wanted);
  const char *reason = site->reason;
  if (!wanted)
    return NULL;
  if (!reason && __nabla_check_current)
    reason = "it runs within another check";
  if (!reason && !__libc_single_threaded && !__nabla_check_settings_get()->threads)
    reason = "the program runs in several threads";
  if (reason) {
    __nabla_check_unchecked(row, "%s", reason);
    return NULL;
  }
  Session *session = __nabla_check_grow(NULL, 1, sizeof *session);
  memset(session, 0, sizeof *session);
  session->site = site;
  session->frame = frame;
  bool going = discover_all(session);
  Cell **primals = sorted(session, by_primal);
  going = going && prepare(session, primals);
  free(primals);
  close_pages(session);
  if (going)
    return session;
  dispose(session);
  return NULL;
}

/* --- After the derivative --------------------------------------------------------------------- */

/* Where the first value was born that is no number, for a person. */
static const char *birthplace(const Session *session, char *text, size_t size) {
  const struct __nabla_check_place *place = session->born;
  text[0] = '\0';
  if (place && place->file)
    snprintf(text, size, "; the first that is no number is born at %s:%u", place->file,
             place->line);
  return text;
}

/* A derivative that is no number, where the function itself is one: a fault. */
static bool find_no_number(const Session *session, const Cell *cell, double value) {
  char name[NAME_SIZE], place[__NABLA_CHECK_TEXT];
  struct __nabla_check_row *row = session->site->row;
  if (isfinite(value))
    return false;
  __nabla_check_name(session, cell, name, sizeof name);
  if (is_finite_there(session))
    __nabla_check_fault(row, "the derivative in %s is %g%s", name, value,
                        birthplace(session, place, sizeof place));
  else
    __nabla_check_unchecked(row, "the function itself gives a value that is no number");
  return true;
}

/* <w, J v> must be <J^T w, v>, but for the rounding of what is much greater than they are. */
static void compare_products(Session *session) {
  struct __nabla_check_row *row = session->site->row;
  double forward = 0, reverse = 0, size = 0, spread = 0;
  double rounding = 1e3 * (session->site->single ? (double)FLT_EPSILON : DBL_EPSILON);
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    double now = __nabla_check_get(cell->shadow, cell->bytes);
    double before = cell->written || cell->argument ? 0 : cell->weight;
    if (find_no_number(session, cell, cell->read ? now : 0) ||
        find_no_number(session, cell, cell->written ? cell->tangent : 0))
      return;
    double given = cell->written ? cell->weight * cell->tangent : 0;
    double taken = cell->read ? (now - before) * cell->direction : 0;
    forward += given;
    reverse += taken;
    size += fabs(given) + fabs(taken);
    spread += rounding * fabs(before * cell->direction);
    if (cell->written && isfinite(cell->output))
      spread += rounding * fabs(cell->weight * cell->output) * session->reach;
  }
  double apart = fabs(forward - reverse);
  __nabla_check_note_error(row, __NABLA_CHECK_DOT, size > 0 ? apart / size : 0);
  if (!(apart <= __nabla_check_tolerance(session->site, __NABLA_CHECK_DOT) * size + spread))
    __nabla_check_fault(row,
                        "forward and reverse mode differ: <w, J v> is %.10g in forward mode, "
                        "<J^T w, v> is %.10g in reverse mode",
                        forward, reverse);
}

/* The tangents that the program computed must be those that were checked. */
static void compare_tangents(Session *session) {
  char name[NAME_SIZE];
  struct __nabla_check_row *row = session->site->row;
  double tolerance = __nabla_check_tolerance(session->site, __NABLA_CHECK_SAME), size = 0;
  for (size_t i = 0; i < session->count; i++)
    size = fmax(size, session->cells[i].written ? fabs(session->cells[i].tangent) : 0);
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    double now = cell->written ? __nabla_check_get(cell->shadow, cell->bytes) : 0;
    double checked = cell->written ? cell->tangent : 0;
    if (find_no_number(session, cell, now))
      return;
    double error = fabs(now - checked) / (size > 0 ? size : 1);
    __nabla_check_note_error(row, __NABLA_CHECK_SAME, fmin(error, tolerance));
    if (error <= tolerance)
      continue;
    __nabla_check_name(session, cell, name, sizeof name);
    __nabla_check_fault(row, "the tangent of %s is %.10g, and %.10g when it is computed again",
                        name, now, checked);
    return;
  }
}

void __nabla_check_end(Session *session, char *frame) {
  if (!session)
    return;
  session->frame = frame;
  if (session->site->mode == __NABLA_CHECK_REVERSE)
    compare_products(session);
  else
    compare_tangents(session);
  session->site->row->checked++;
  for (size_t i = 0; i < session->count; i++)
    __nabla_check_left(session->cells[i].shadow, session->cells[i].bytes);
  dispose(session);
}
