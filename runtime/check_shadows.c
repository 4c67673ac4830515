// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Are shadows what they should be: memory of their own, with numbers in it? */
#include "check_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 96 };

typedef struct __nabla_check_session Session;
typedef struct __nabla_check_cell Cell;

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

Cell **__nabla_check_by_primal(const Session *session) { return sorted(session, by_primal); }

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

bool __nabla_check_shadows_are_sound(const Session *session, Cell *const *primals) {
  char name[NAME_SIZE];
  if (blame_itself(session))
    return false;
  Cell **shadows = sorted(session, by_shadow);
  const Cell *bad = overlapping(session, primals, shadows);
  free(shadows);
  if (!bad && session->shared)
    bad = __nabla_check_find_cell(session, session->shared);
  if (!bad)
    return true;
  __nabla_check_name(session, bad, name, sizeof name);
  blame_shadow(session, name,
               session->shared ? "is the shadow of something else too"
                               : "overlaps memory of the function itself");
  return false;
}

/* Is the shadow of the cell used in the direction of `other` too, so that one would change what the
 * other sees? */
static bool is_of_both(const Session *other, const Cell *cell) {
  const Cell *same = __nabla_check_find_cell(other, cell->shadow);
  bool reverse = other->site->mode == __NABLA_CHECK_REVERSE;
  return same && !same->argument && (reverse || same->written || cell->written);
}

bool __nabla_check_lanes_are_sound(const Session *session) {
  char name[NAME_SIZE];
  for (const Session *other = session->next; other; other = other->next) {
    for (size_t i = 0; i < session->count; i++) {
      const Cell *cell = &session->cells[i];
      if (cell->argument || !is_of_both(other, cell))
        continue;
      __nabla_check_name(session, cell, name, sizeof name);
      blame_shadow(session, name, "is that in another direction too");
      return false;
    }
  }
  return true;
}

void __nabla_check_look_at_seeds(const Session *session) {
  char name[NAME_SIZE];
  struct __nabla_check_row *row = session->site->row;
  bool reverse = session->site->mode == __NABLA_CHECK_REVERSE;
  bool sampled = __nabla_check_settings_get()->every > 1;
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    bool seed = reverse ? !cell->argument : cell->read;
    bool odd = reverse && !cell->written && cell->weight != 0;
    if (!seed || (isfinite(cell->weight) && !odd))
      continue;
    __nabla_check_name(session, cell, name, sizeof name);
    if (isfinite(cell->weight) && !sampled && !__nabla_check_was_left(cell->shadow, cell->bytes))
      __nabla_check_remark(row, "the shadow of %s was not zero at entry", name);
    if (isfinite(cell->weight))
      continue;
    __nabla_check_fault(row, "the shadow of %s is %g at entry: was it never set?", name,
                        cell->weight);
    return;
  }
}
