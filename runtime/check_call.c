// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The check of one call of a derivative, from its beginning to its end. */
#include "check_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 1000, ENTRIES_MAX = 100000 };

/* glibc's: has the process had one thread only? */
extern char __libc_single_threaded __attribute__((weak));

typedef struct __nabla_check_session Session;
typedef struct __nabla_check_cell Cell;

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
    __nabla_check_add_cell(session, cell);
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

static void note_weights(Session *session) {
  for (size_t i = 0; i < session->count; i++) {
    Cell *cell = &session->cells[i];
    cell->weight = __nabla_check_get(cell->seed ? cell->seed : cell->shadow, cell->bytes);
  }
}

/* What the cells hold at entry: to be called when memory is restored. */
static void note_entry(Session *session) {
  for (size_t i = 0; i < session->count; i++) {
    Cell *cell = &session->cells[i];
    mark_moved(session, cell);
    if (!cell->unneeded && (cell->read || !cell->argument))
      cell->entry = __nabla_check_get(cell->primal, cell->bytes);
  }
  note_weights(session);
}

static bool gives_number(const Session *session) {
  for (size_t i = 0; i < __nabla_check_all(session); i++) {
    const Cell *cell = __nabla_check_nth(session, i);
    if (cell->written && isfinite(cell->output))
      return true;
  }
  return false;
}

/* Is a tangent given for an input that is no number? Differences cannot follow it. */
static bool moves_no_number(const Session *session) {
  bool given =
      session->site->mode == __NABLA_CHECK_FORWARD && session->site->part == __NABLA_CHECK_WHOLE;
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

/* The derivative itself, one input after the other, for tangents that come later; `entries` is how
 * many numbers it has. */
static bool find_columns(Session *session, size_t entries) {
  double *entry = __nabla_check_grow(NULL, entries + 1, sizeof *entry);
  session->columns = entry;
  for (size_t i = 0; i < session->count; i++)
    session->cells[i].direction = 0;
  for (size_t input = 0; input < session->count; input++) {
    if (!session->cells[input].read)
      continue;
    session->cells[input].direction = 1;
    if (!__nabla_check_run_base(session))
      return false;
    session->cells[input].direction = 0;
    for (size_t i = 0; i < session->count; i++) {
      if (session->cells[i].written)
        *entry++ = session->cells[i].tangent;
    }
  }
  return true;
}

/* The tangents along what the shadows hold now. */
static void combine_columns(Session *session) {
  const double *entry = session->columns;
  for (size_t i = 0; i < session->count; i++)
    session->cells[i].tangent = 0;
  for (size_t input = 0; input < session->count; input++) {
    double weight = session->cells[input].weight;
    for (size_t i = 0; session->cells[input].read && i < session->count; i++) {
      Cell *cell = &session->cells[i];
      if (cell->written)
        cell->tangent += weight != 0 ? weight * *entry : 0;
      entry += cell->written;
    }
  }
}

/* Tangents that come later are compared with what follows from the derivative at this time. */
static bool prepare_for_later(Session *session) {
  size_t read = 0, written = 0;
  for (size_t i = 0; i < session->count; i++) {
    read += session->cells[i].read;
    written += session->cells[i].written;
  }
  if (read <= COLUMNS_MAX && read * written <= ENTRIES_MAX)
    return find_columns(session, read * written);
  __nabla_check_unchecked(session->site->row,
                          "it has more than %d inputs, or %d entries of its derivative, and "
                          "tangents that come later",
                          COLUMNS_MAX, ENTRIES_MAX);
  return false;
}

/* The seeds are not known that come, between the halves, to memory that only the derivative itself
 * allocates; nor can numbers there be compared that were not followed. */
static bool tell_of_left(const Session *session) {
  bool seeded = session->site->part == __NABLA_CHECK_AUGMENTED;
  bool some = session->leaves || session->left_count;
  if (some && seeded)
    __nabla_check_unchecked(
        session->site->row,
        "it leaves numbers in memory that it allocates, whose seeds come later");
  else if (session->leaves)
    __nabla_check_remark(session->site->row,
                         "numbers in memory that it allocates and leaves are not compared");
  return !some || !seeded;
}

/* Everything before the user's derivative runs. False where the check ends here. The seeds, or
 * tangents, of an augmented forward come later. */
static bool prepare(Session *session, Cell **primals) {
  struct __nabla_check_row *row = session->site->row;
  note_entry(session);
  if (!__nabla_check_shadows_are_sound(session, primals))
    return false;
  const char *reason = obstacle(session, primals);
  if (!reason && !open_pages(session))
    reason = "an input lies in memory that cannot be written";
  if (reason) {
    __nabla_check_unchecked(row, "%s", reason);
    return false;
  }
  if (session->site->part == __NABLA_CHECK_WHOLE)
    __nabla_check_look_at_seeds(session);
  __nabla_check_choose_directions(session, primals);
  if (!__nabla_check_run_base(session))
    return false;
  if (moves_no_number(session))
    __nabla_check_unchecked(row, "an input that has a tangent is infinite or no number");
  else if (gives_number(session))
    __nabla_check_differences(session);
  bool later = session->site->part == __NABLA_CHECK_RECORDED;
  return tell_of_left(session) && (!later || prepare_for_later(session));
}

static void dispose_one(Session *session) {
  close_pages(session);
  free(session->words.slots);
  free(session->own.items);
  free(session->moved.items);
  free(session->copies.slots);
  free(session->opened.items);
  free(session->cells);
  free(session->left);
  free(session->index);
  free(session->kept);
  free(session->columns);
  free(session);
}

static void dispose(Session *session) {
  while (session) {
    Session *next = session->next;
    dispose_one(session);
    session = next;
  }
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

/* The check of one direction; NULL where it ends here. */
static Session *begin_lane(struct __nabla_check_site *site, char *frames, uint32_t lane) {
  Session *session = __nabla_check_grow(NULL, 1, sizeof *session);
  memset(session, 0, sizeof *session);
  session->site = site;
  session->single = site->precision == __NABLA_CHECK_SINGLE_UNSEEN;
  session->lane = lane;
  session->frame = frames + (size_t)lane * site->frame_bytes;
  bool going = discover_all(session);
  Cell **primals = __nabla_check_by_primal(session);
  going = going && prepare(session, primals);
  free(primals);
  close_pages(session);
  if (going)
    return session;
  dispose_one(session);
  return NULL;
}

static bool all_lanes_are_sound(const Session *session) {
  while (session && __nabla_check_lanes_are_sound(session))
    session = session->next;
  return !session;
}

static const char *reason_of(const struct __nabla_check_site *site) {
  if (!site->reason && __nabla_check_current)
    return "it runs within another check";
  if (!site->reason && !__libc_single_threaded && !__nabla_check_settings_get()->threads)
    return "the program runs in several threads";
  return site->reason;
}

/* Is this call to be checked? Why it cannot be is told. */
static bool is_wanted(struct __nabla_check_site *site) {
  bool wanted;
  struct __nabla_check_row *row = __nabla_check_row_of(site, &wanted);
  const char *reason = reason_of(site);
  if (wanted && reason)
    __nabla_check_unchecked(row, "%s", reason);
  return wanted && !reason;
}

Session *__nabla_check_begin(struct __nabla_check_site *site, char *frames) {
  Session *first = NULL, **last = &first;
  if (!is_wanted(site))
    return NULL;
  for (uint32_t lane = 0; lane < site->lanes; lane++) {
    *last = begin_lane(site, frames, lane);
    if (*last)
      last = &(*last)->next;
  }
  if (all_lanes_are_sound(first))
    return first;
  dispose(first);
  return NULL;
}

/* --- After the derivative --------------------------------------------------------------------- */

static bool tangents_are_numbers(const Session *session) {
  for (size_t i = 0; i < session->count; i++)
    if (session->cells[i].written && !isfinite(session->cells[i].tangent))
      return false;
  return true;
}

/* The tangents along a direction that does not let the greatest parts of the gradient hide the
 * others. Memory goes back to what it was before the derivative for this. */
static bool run_balanced(Session *session) {
  struct __nabla_check_words after = {0};
  Cell **primals = __nabla_check_by_primal(session);
  bool known = !session->freed && __nabla_check_choose_balanced(session, primals);
  free(primals);
  if (!known)
    return false;
  known = open_pages(session);
  if (known) {
    __nabla_check_words_keep_all(&after, &session->words);
    __nabla_check_restore(session);
    known = __nabla_check_run_base(session) && tangents_are_numbers(session);
    __nabla_check_words_restore(&after);
  }
  close_pages(session);
  free(after.slots);
  return known;
}

static void compare(Session *session) {
  if (session->site->mode != __NABLA_CHECK_REVERSE) {
    __nabla_check_compare_tangents(session);
    return;
  }
  __nabla_check_note_gradient(session);
  bool same = __nabla_check_compare_products(session, "");
  if (same && session->site->part == __NABLA_CHECK_WHOLE && run_balanced(session))
    __nabla_check_compare_products(session, " in parts that are small beside others");
}

/* --- Between the halves of split mode --------------------------------------------------------- */

/* The sessions that wait for a reverse, the last one first. */
__NABLA_CHECKED struct __nabla_check_session *__nabla_check_waiting;

/* The cells that lie in the frame move with it. */
static void move_frame(Session *session, char *frames) {
  char *frame = frames + (size_t)session->lane * session->site->frame_bytes;
  for (size_t i = 0; i < session->site->scalar_count; i++) {
    Cell *cell = &session->cells[i];
    cell->primal = frame + (cell->primal - session->frame);
    cell->shadow = frame + (cell->shadow - session->frame);
    cell->seed = cell->seed ? frame + (cell->seed - session->frame) : NULL;
  }
  session->frame = frame;
}

static void move_frames(Session *session, char *frames) {
  for (Session *lane = session; lane; lane = lane->next)
    move_frame(lane, frames);
}

/* FNV-1a. */
static uint64_t identity_of(const char *tape, uint64_t bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint64_t i = 0; i < bytes; i++)
    hash = (hash ^ (unsigned char)tape[i]) * 0x100000001b3u;
  return bytes ? hash : (uint64_t)(uintptr_t)tape;
}

/* The frames are those of a call that returns. */
static void shelve(Session *session, const char *frames) {
  size_t bytes = (size_t)session->site->lanes * session->site->frame_bytes;
  if (!session->kept)
    session->kept = __nabla_check_grow(NULL, bytes, 1);
  memcpy(session->kept, frames, bytes);
  move_frames(session, session->kept);
  __nabla_check_lock();
  session->waiting = __nabla_check_waiting;
  __nabla_check_waiting = session;
  __nabla_check_unlock();
}

/* Are all pointers' shadows the same? */
static bool has_same_shadows(const struct __nabla_check_site *site, const char *left,
                             const char *right) {
  for (uint32_t i = 0; i < site->pointer_count; i++) {
    uint32_t at = site->pointers[i].shadow;
    if (memcmp(left + at, right + at, sizeof(char *)) != 0)
      return false;
  }
  return true;
}

/* Are arguments and shadows the same in all directions? */
static bool is_given_the_same(const Session *session, const struct __nabla_check_site *site,
                              const char *frames) {
  const struct __nabla_check_site *other = session->site;
  bool same = other->lanes == site->lanes && other->frame_bytes == site->frame_bytes &&
              other->given_bytes == site->given_bytes &&
              strcmp(other->function, site->function) == 0;
  for (size_t lane = 0; same && lane < site->lanes; lane++) {
    size_t at = lane * site->frame_bytes;
    same = memcmp(session->kept + at, frames + at, site->given_bytes) == 0 &&
           has_same_shadows(site, session->kept + at, frames + at);
  }
  return same;
}

/* Takes the session that waits for this call; NULL where none does. */
static Session *unshelve(const struct __nabla_check_site *site, const char *frames, uint64_t tape) {
  __nabla_check_lock();
  Session **at = &__nabla_check_waiting;
  while (*at && ((*at)->tape != tape || !is_given_the_same(*at, site, frames)))
    at = &(*at)->waiting;
  Session *found = *at;
  if (found)
    *at = found->waiting;
  __nabla_check_unlock();
  return found;
}

void __nabla_check_wait(Session *session, char *frames, const char *tape, uint64_t bytes) {
  if (!session)
    return;
  session->site->row->checked++;
  session->tape = identity_of(tape, bytes);
  shelve(session, frames);
}

Session *__nabla_check_resume(struct __nabla_check_site *site, char *frames, const char *tape,
                              uint64_t bytes) {
  const struct __nabla_check_settings *settings = __nabla_check_settings_get();
  if (!is_wanted(site))
    return NULL;
  Session *session = unshelve(site, frames, identity_of(tape, bytes));
  site->row->alone += !session && !settings->limited && settings->every <= 1;
  if (session)
    move_frames(session, frames);
  for (Session *lane = session; lane; lane = lane->next) {
    lane->site = site;
    note_weights(lane);
    __nabla_check_look_at_seeds(lane);
    if (lane->columns)
      combine_columns(lane);
  }
  return session;
}

/* --- The end ---------------------------------------------------------------------------------- */

static void note_left(const Session *session) {
  for (size_t i = 0; i < session->count; i++)
    __nabla_check_left(session->cells[i].shadow, session->cells[i].bytes);
}

/* Is the tape there for another half? */
static bool is_kept(const struct __nabla_check_site *site) {
  return site->part == __NABLA_CHECK_REVERSED_AGAIN || site->part == __NABLA_CHECK_REPLAYED_AGAIN;
}

void __nabla_check_end(Session *session, char *frames) {
  if (!session)
    return;
  for (Session *lane = session; lane; lane = lane->next)
    compare(lane);
  for (Session *lane = session; lane; lane = lane->next)
    note_left(lane);
  session->site->row->checked++;
  if (is_kept(session->site))
    shelve(session, frames);
  else
    dispose(session);
}
