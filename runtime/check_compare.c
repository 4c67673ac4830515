// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the program's own derivative has computed, against what was checked before it. */
#include "check_report.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { NAME_SIZE = 96 };

typedef struct __nabla_check_session Session;
typedef struct __nabla_check_cell Cell;

static bool is_finite_there(const Session *session) {
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    if ((cell->read && !isfinite(cell->entry)) || (cell->written && !isfinite(cell->output)))
      return false;
  }
  return true;
}

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

static bool find_no_number_left(const Session *session) {
  bool found = false;
  for (size_t i = 0; i < session->left_count && !found; i++)
    found = find_no_number(session, &session->left[i], session->left[i].tangent);
  return found;
}

void __nabla_check_note_gradient(Session *session) {
  for (size_t i = 0; i < session->count; i++) {
    Cell *cell = &session->cells[i];
    double before = cell->written || cell->argument ? 0 : cell->weight;
    cell->gradient = cell->read ? __nabla_check_get(cell->shadow, cell->bytes) - before : 0;
  }
}

/* <w, J v> must be <J^T w, v>, but for the rounding of what is much greater than they are. */
bool __nabla_check_compare_products(const Session *session, const char *where) {
  struct __nabla_check_row *row = session->site->row;
  double forward = 0, reverse = 0, size = 0, spread = 0;
  double rounding = 1e3 * (session->single ? (double)FLT_EPSILON : DBL_EPSILON);
  if (find_no_number_left(session))
    return false;
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    double before = cell->written || cell->argument ? 0 : cell->weight;
    if (find_no_number(session, cell, cell->gradient) ||
        find_no_number(session, cell, cell->written ? cell->tangent : 0))
      return false;
    double given = cell->written ? cell->weight * cell->tangent : 0;
    double taken = cell->gradient * cell->direction;
    forward += given;
    reverse += taken;
    size += fabs(given) + fabs(taken);
    spread += rounding * fabs(before * cell->direction);
    if (cell->written && isfinite(cell->output))
      spread += rounding * fabs(cell->weight * cell->output) * session->reach;
  }
  double apart = fabs(forward - reverse);
  __nabla_check_note_error(row, __NABLA_CHECK_DOT, size > 0 ? apart / size : 0);
  if (apart <= __nabla_check_tolerance(session->single, __NABLA_CHECK_DOT) * size + spread)
    return true;
  __nabla_check_fault(row,
                      "forward and reverse mode differ%s: <w, J v> is %.10g in forward mode, "
                      "<J^T w, v> is %.10g in reverse mode",
                      where, forward, reverse);
  return false;
}

void __nabla_check_compare_tangents(const Session *session) {
  char name[NAME_SIZE];
  struct __nabla_check_row *row = session->site->row;
  double tolerance = __nabla_check_tolerance(session->single, __NABLA_CHECK_SAME), size = 0;
  for (size_t i = 0; i < session->count; i++)
    size = fmax(size, session->cells[i].written ? fabs(session->cells[i].tangent) : 0);
  if (find_no_number_left(session))
    return;
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
