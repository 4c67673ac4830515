// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_report.h"

#include <math.h>

typedef struct __nabla_check_session Session;
typedef struct __nabla_check_cell Cell;

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

/* The same scalar with two shadows goes one way. */
static void unite_directions(const Session *session, Cell *const *primals) {
  for (size_t i = 1; i < session->count; i++) {
    if (primals[i]->primal == primals[i - 1]->primal)
      primals[i]->direction = primals[i - 1]->direction;
  }
}

double __nabla_check_size(const Cell *cell, double usual) {
  return fmax(fabs(cell->entry), usual / 64);
}

static size_t count_read(const Session *session) {
  size_t count = 0;
  for (size_t i = 0; i < session->count; i++)
    count += session->cells[i].read;
  return count;
}

void __nabla_check_choose_directions(Session *session, Cell *const *primals) {
  const struct __nabla_check_site *site = session->site;
  bool given = site->mode == __NABLA_CHECK_FORWARD && site->part == __NABLA_CHECK_WHOLE;
  double usual = usual_size(session);
  uint64_t state = session->site->row->checked + session->lane + 1;
  bool single = count_read(session) == 1;
  for (size_t i = 0; i < session->count; i++) {
    Cell *cell = &session->cells[i];
    double chosen = single ? 1 : random_number(&state) * __nabla_check_size(cell, usual);
    if (given)
      chosen = cell->weight;
    cell->direction = cell->read && isfinite(cell->entry) ? chosen : 0;
  }
  unite_directions(session, primals);
}

/* How much longer than its size an input's direction may be: what rounding leaves in the tangents
 * of parts that cancel grows as much. */
static double longest_of(const Session *session) {
  return session->site->precision == __NABLA_CHECK_DOUBLE ? 1e4 : 1e2;
}

static double greatest_part(const Session *session, double usual) {
  double greatest = 0;
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    if (cell->direction != 0)
      greatest = fmax(greatest, fabs(cell->gradient) * __nabla_check_size(cell, usual));
  }
  return greatest;
}

bool __nabla_check_choose_balanced(Session *session, Cell *const *primals) {
  double usual = usual_size(session), greatest = greatest_part(session, usual);
  uint64_t state = session->site->row->checked + session->lane + 1;
  if (greatest == 0 || !isfinite(greatest) || count_read(session) < 2)
    return false;
  session->reach = 0;
  for (size_t i = 0; i < session->count; i++) {
    Cell *cell = &session->cells[i];
    double size = __nabla_check_size(cell, usual), part = fabs(cell->gradient) * size;
    double length = random_number(&state) * fmin(longest_of(session), greatest / part);
    if (cell->direction != 0)
      cell->direction = length * size;
    session->reach = fmax(session->reach, cell->direction != 0 ? fabs(length) : 0);
  }
  unite_directions(session, primals);
  return true;
}
