// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPOT_SIZE = 256, LEFT_LIMIT = 1 << 20 };

/* All that outlives a call. Rows are added under the lock; a row's numbers belong to whoever checks
 * its site, which happens in one thread at a time unless the user asks for more. */
struct __nabla_check_state {
  struct __nabla_check_settings settings;
  struct __nabla_check_row *rows, **last;
  struct __nabla_check_words left; /* in shadows, by the derivatives checked so far */
  FILE *file;                      /* where the table goes */
  bool started;
  char locked;
};

__NABLA_CHECKED struct __nabla_check_state __nabla_check_state;

void __nabla_check_lock(void) {
  while (__atomic_test_and_set(&__nabla_check_state.locked, __ATOMIC_ACQUIRE))
    continue;
}

void __nabla_check_unlock(void) { __atomic_clear(&__nabla_check_state.locked, __ATOMIC_RELEASE); }

/* --- Settings --------------------------------------------------------------------------------- */

static uint64_t number_of(const char *variable, uint64_t usual) {
  const char *text = getenv(variable);
  return text && *text ? strtoull(text, NULL, 10) : usual;
}

static bool is_set(const char *variable) {
  const char *text = getenv(variable);
  return text && *text;
}

static double real_of(const char *variable, double usual) {
  const char *text = getenv(variable);
  return text && *text ? strtod(text, NULL) : usual;
}

/* What the system keeps of it; what it would cut down to none is 1. */
static int status_of(uint64_t wanted) {
  enum { STATUSES = 256 };
  return wanted && wanted % STATUSES == 0 ? 1 : (int)(wanted % STATUSES);
}

static void read_settings(struct __nabla_check_settings *settings) {
  const char *table = getenv("NABLA_CHECK_TABLE"), *path = getenv("NABLA_CHECK_FILE");
  FILE *file = path && *path ? fopen(path, "a") : NULL;
  __nabla_check_state.file = file ? file : stderr;
  setvbuf(__nabla_check_state.file, NULL, _IOLBF, 0);
  settings->every = number_of("NABLA_CHECK_EVERY", 1);
  settings->calls = number_of("NABLA_CHECK_CALLS", 100);
  settings->limited = is_set("NABLA_CHECK_CALLS");
  settings->cells = number_of("NABLA_CHECK_CELLS", 1000000);
  settings->threads = number_of("NABLA_CHECK_THREADS", 0) != 0;
  settings->status = status_of(number_of("NABLA_CHECK_STATUS", 99));
  settings->tolerance[__NABLA_CHECK_DOT] = real_of("NABLA_CHECK_DOT", 0);
  settings->tolerance[__NABLA_CHECK_DIFFERENCES] = real_of("NABLA_CHECK_DIFFERENCES", 0);
  settings->always = table && strcmp(table, "always") == 0;
}

const struct __nabla_check_settings *__nabla_check_settings_get(void) {
  return &__nabla_check_state.settings;
}

double __nabla_check_tolerance(bool single, enum __nabla_check_kind kind) {
  static const double usual[__NABLA_CHECK_KINDS][2] = {{1e-7, 2e-3}, {1e-5, 2e-2}, {1e-7, 2e-3}};
  double wanted = __nabla_check_state.settings.tolerance[kind];
  return wanted > 0 ? wanted : usual[kind][single];
}

/* --- The table -------------------------------------------------------------------------------- */

static const char *spot_of(const struct __nabla_check_site *site, char *text) {
  if (site->place.file)
    snprintf(text, SPOT_SIZE, "%s:%u", site->place.file, site->place.line);
  else
    snprintf(text, SPOT_SIZE, "(compiled without lines)");
  return text;
}

static const char *mode_of(const struct __nabla_check_site *site) {
  if (site->part == __NABLA_CHECK_AUGMENTED || site->part == __NABLA_CHECK_RECORDED)
    return "augment";
  return site->mode == __NABLA_CHECK_REVERSE ? "reverse" : "forward";
}

/* Is there something that was not verified, or worth a word? */
static bool has_gaps(const struct __nabla_check_row *row) {
  return row->unchecked[0] || row->note[0] || row->undecided || row->beyond || row->alone;
}

static const char *verdict_of(const struct __nabla_check_row *row) {
  if (row->faults)
    return "DIFFERS";
  if (row->checked == 0)
    return "not checked";
  return has_gaps(row) ? "ok, but" : "ok";
}

static void print_row(const struct __nabla_check_row *row) {
  char spot[SPOT_SIZE];
  fprintf(__nabla_check_state.file,
          "  %-28s %-7s of %-20s %8" PRIu64 " %8" PRIu64 "  %8.1e %8.1e  %s\n",
          spot_of(row->site, spot), mode_of(row->site), row->site->function, row->calls,
          row->checked, row->worst[__NABLA_CHECK_DOT], row->worst[__NABLA_CHECK_DIFFERENCES],
          verdict_of(row));
  if (row->unchecked[0])
    fprintf(__nabla_check_state.file, "    not checked: %s\n", row->unchecked);
  if (row->beyond)
    fprintf(__nabla_check_state.file,
            "    not checked: %" PRIu64 " calls beyond the first %" PRIu64
            " (NABLA_CHECK_CALLS=0 checks all)\n",
            row->beyond, __nabla_check_state.settings.calls);
  if (row->alone)
    fprintf(__nabla_check_state.file,
            "    not checked: %" PRIu64 " calls whose augmented forward was not\n", row->alone);
  if (row->undecided)
    fprintf(__nabla_check_state.file, "    differences decide nothing for %" PRIu64 " outputs\n",
            row->undecided);
  if (row->note[0])
    fprintf(__nabla_check_state.file, "    note: %s\n", row->note);
}

static void print_table(void) {
  fprintf(__nabla_check_state.file, "nabla check:\n  %-28s %-31s %8s %8s  %8s %8s\n", "call",
          "derivative", "calls", "checked", "dot", "slopes");
  for (const struct __nabla_check_row *row = __nabla_check_state.rows; row; row = row->next)
    print_row(row);
}

/* Prints the table where it has something to say. Where something is wrong, the handlers that are
 * left run with another status, as glibc has it. */
static void finish(void) {
  bool faults = false, remarkable = __nabla_check_state.settings.always;
  for (const struct __nabla_check_row *row = __nabla_check_state.rows; row; row = row->next) {
    faults = faults || row->faults;
    remarkable = remarkable || row->faults || has_gaps(row);
  }
  if (remarkable)
    print_table();
  if (faults && __nabla_check_state.settings.status)
    exit(__nabla_check_state.settings.status);
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Is the row that of the same line of the source, which the optimiser may have copied? */
static bool is_row_of(const struct __nabla_check_row *row, const struct __nabla_check_site *site) {
  const struct __nabla_check_site *other = row->site;
  return site->place.file && other->place.file && site->place.line == other->place.line &&
         site->mode == other->mode && site->part == other->part &&
         strcmp(site->function, other->function) == 0 &&
         strcmp(site->place.file, other->place.file) == 0;
}

static struct __nabla_check_row *find_row(const struct __nabla_check_site *site) {
  struct __nabla_check_row *row = __nabla_check_state.rows;
  while (row && !is_row_of(row, site))
    row = row->next;
  return row;
}

static struct __nabla_check_row *new_row(struct __nabla_check_site *site) {
  struct __nabla_check_state *state = &__nabla_check_state;
  struct __nabla_check_row *row = __nabla_check_grow(NULL, 1, sizeof *row);
  memset(row, 0, sizeof *row);
  row->site = site;
  if (!state->started) {
    state->started = true;
    state->last = &state->rows;
    read_settings(&state->settings);
    atexit(finish);
  }
  *state->last = row;
  state->last = &row->next;
  return row;
}

struct __nabla_check_row *__nabla_check_row_of(struct __nabla_check_site *site, bool *wanted) {
  const struct __nabla_check_settings *settings = &__nabla_check_state.settings;
  __nabla_check_lock();
  if (!site->row)
    site->row = find_row(site);
  if (!site->row)
    site->row = new_row(site);
  struct __nabla_check_row *row = site->row;
  uint64_t every = settings->every ? settings->every : 1;
  bool half = site->part >= __NABLA_CHECK_REVERSED;
  bool due = row->calls++ % every == 0, within = !settings->calls || row->checked < settings->calls;
  *wanted = half || (due && within);
  row->beyond += !half && due && !within && !settings->limited;
  __nabla_check_unlock();
  return row;
}

void __nabla_check_left(const char *shadow, uint32_t bytes) {
  __nabla_check_lock();
  if (__nabla_check_state.left.count < LEFT_LIMIT)
    __nabla_check_words_renew(&__nabla_check_state.left, shadow, bytes);
  __nabla_check_unlock();
}

bool __nabla_check_was_left(const char *shadow, uint32_t bytes) {
  __nabla_check_lock();
  bool left = __nabla_check_words_same(&__nabla_check_state.left, shadow, bytes);
  __nabla_check_unlock();
  return left;
}

void __nabla_check_note_error(struct __nabla_check_row *row, enum __nabla_check_kind kind,
                              double error) {
  if (error > row->worst[kind])
    row->worst[kind] = error;
}

void __nabla_check_fault(struct __nabla_check_row *row, const char *format, ...) {
  char spot[SPOT_SIZE];
  va_list arguments;
  if (row->faults++)
    return;
  fprintf(__nabla_check_state.file, "%s: nabla check: %s mode of '%s': ", spot_of(row->site, spot),
          mode_of(row->site), row->site->function);
  va_start(arguments, format);
  vfprintf(__nabla_check_state.file, format, arguments);
  va_end(arguments);
  fputc('\n', __nabla_check_state.file);
}

void __nabla_check_unchecked(struct __nabla_check_row *row, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (!row->unchecked[0])
    vsnprintf(row->unchecked, sizeof row->unchecked, format, arguments);
  va_end(arguments);
}

void __nabla_check_remark(struct __nabla_check_row *row, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (!row->note[0])
    vsnprintf(row->note, sizeof row->note, format, arguments);
  va_end(arguments);
}
