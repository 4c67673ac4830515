// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The tangents of all outputs against central differences along the same direction.
 *
 * No single step is right for every function, so a ladder of steps is taken. A tangent agrees where
 * the quotient of any step is close enough to it. It differs only where the quotients have settled
 * elsewhere: two neighbouring steps agree with each other much better than with the tangent, and
 * no rounding explains it; and where much smaller steps do not come back to the tangent, as they do
 * where the function oscillates or goes in steps of its own. At a kink or a jump there is no slope
 * to compare with, and along a line through it that need not show (the median of numbers that are
 * all the same). So where not all outputs agree, the whole is done again at a point beside this
 * one, which decides. What is not decided there either is counted, and the table says so. */
#include "check_report.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 6, FINER = 8, SIDES = 2, NAME_SIZE = 96 };

typedef struct __nabla_check_session Session;
typedef struct __nabla_check_cell Cell;

/* One rung of the ladder, and what became of the outputs there. */
typedef struct {
  double step;
  bool finished;
  double *outputs[SIDES]; /* above and below */
} Rung;

typedef struct {
  Session *session;
  double epsilon, tolerance;
  double most; /* the longest direction of an input, relative to its size */
  Rung rungs[STEPS], finer[FINER];
  bool has_finer;
  double usual;    /* the greatest tangent */
  double rounding; /* of a tangent, relative to its output */
  double least;    /* what is as good as zero among these tangents */
} Ladder;

typedef enum { AGREES, DIFFERS, UNDECIDED } Verdict;

/* What the quotients of one output say. */
typedef struct {
  double quotients[STEPS], noise[STEPS];
  bool valid[STEPS];
  int best; /* the rung whose error is estimated to be least; -1: none */
  double error;
  double grace; /* what rounding may be, of the output and beside the greatest tangent */
} Estimate;

static bool moves(const Cell *cell) { return cell->read && cell->direction != 0; }

/* The root of the mean square of the inputs; 1 where all are zero. */
static double usual_size(const Session *session) {
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    sum += moves(cell) ? cell->entry * cell->entry : 0;
    count += moves(cell);
  }
  return sum > 0 ? sqrt(sum / (double)count) : 1;
}

/* How much of the direction one unit of step may be, so that no input moves by more than it is
 * big. */
static double longest(const Session *session) {
  double usual = usual_size(session), most = 0;
  for (size_t i = 0; i < session->count; i++) {
    const Cell *cell = &session->cells[i];
    if (moves(cell))
      most = fmax(most, fabs(cell->direction) / __nabla_check_size(cell, usual));
  }
  return most;
}

static size_t written_cells(const Session *session) {
  size_t count = 0;
  for (size_t i = 0; i < __nabla_check_all(session); i++)
    count += __nabla_check_nth(session, i)->written;
  return count;
}

static bool run_side(Session *session, double step, double *outputs) {
  size_t next = 0;
  __nabla_check_place_inputs(session, step);
  bool finished = __nabla_check_run(session);
  for (size_t i = 0; finished && i < __nabla_check_all(session); i++) {
    const Cell *cell = __nabla_check_nth(session, i);
    if (cell->written)
      outputs[next++] = __nabla_check_now(cell);
  }
  __nabla_check_restore(session);
  return finished;
}

/* `first`: how many rungs are above these. */
static void climb(const Ladder *ladder, Rung *rungs, int first, int number) {
  Session *session = ladder->session;
  bool single = session->single;
  size_t count = written_cells(session);
  for (int i = 0; i < number; i++) {
    Rung *rung = &rungs[i];
    int rank = first + i;
    rung->step = ldexp(1, single ? -4 - rank : -5 - 3 * rank) / ladder->most;
    for (int side = 0; side < SIDES; side++)
      rung->outputs[side] = __nabla_check_grow(NULL, count + 1, sizeof(double));
    rung->finished = run_side(session, rung->step, rung->outputs[0]) &&
                     run_side(session, -rung->step, rung->outputs[1]);
  }
}

static void forget(Rung *rungs, int number) {
  for (int i = 0; i < number; i++)
    for (int side = 0; side < SIDES; side++)
      free(rungs[i].outputs[side]);
}

static void estimate(const Ladder *ladder, size_t output, double base, Estimate *found) {
  found->best = -1;
  found->grace = ladder->least;
  for (int i = 0; i < STEPS; i++) {
    const Rung *rung = &ladder->rungs[i];
    double above = rung->outputs[0][output], below = rung->outputs[1][output];
    double size = fmax(fabs(base), fmax(fabs(above), fabs(below)));
    if (i == STEPS / 2)
      found->grace += isfinite(size) ? ladder->rounding * size : 0;
    found->valid[i] = rung->finished && isfinite(above) && isfinite(below);
    found->quotients[i] = (above - below) / (2 * rung->step);
    found->noise[i] = 8 * ladder->epsilon * size / rung->step;
    if (i == 0 || !found->valid[i] || !found->valid[i - 1])
      continue;
    double error = fabs(found->quotients[i] - found->quotients[i - 1]) + found->noise[i];
    if (found->best >= 0 && error >= found->error)
      continue;
    found->best = i;
    found->error = error;
  }
}

/* Do the slopes to both sides stay apart as the step shrinks? By as much as would explain the
 * difference, or the quotient itself: an iteration that doubles what changes is all kinks. */
static bool has_kink(const Ladder *ladder, const Estimate *found, size_t output, double base,
                     double difference) {
  double gaps[2];
  for (int i = 0; i < 2; i++) {
    const Rung *rung = &ladder->rungs[found->best - 1 + i];
    double bend = rung->outputs[0][output] + rung->outputs[1][output] - 2 * base;
    gaps[i] = fabs(bend) / rung->step;
  }
  double ratio = ladder->rungs[found->best].step / ladder->rungs[found->best - 1].step;
  double least = fmax(fabs(found->quotients[found->best]) / 2, 4 * found->noise[found->best]);
  return gaps[1] > gaps[0] * (1 + ratio) / 2 && gaps[1] > fmin(0.2 * difference, least);
}

/* Does a smaller step tell something else again, which is no noise? */
static bool goes_on(const Estimate *found) {
  double best = found->quotients[found->best];
  for (int i = found->best + 1; i < STEPS; i++) {
    double allowed = 2 * (found->error + found->noise[i]) + fabs(best);
    if (found->valid[i] && fabs(found->quotients[i] - best) > allowed)
      return true;
  }
  return false;
}

static bool is_close(const Ladder *ladder, const Estimate *found, double tangent, double grace) {
  for (int i = 0; i < STEPS; i++) {
    double size = fmax(fabs(tangent), fabs(found->quotients[i]));
    double allowed = ladder->tolerance * size + grace;
    if (found->valid[i] && fabs(found->quotients[i] - tangent) <= allowed)
      return true;
  }
  return false;
}

/* Is the tangent, which is none of the small ones, close to the quotients only because what these
 * may be wrong by, for rounding of the outputs, is as much as the tangent itself? */
static bool is_lost_in_rounding(const Ladder *ladder, const Estimate *found, double tangent) {
  double size = fabs(tangent);
  return size > 1e-3 * ladder->usual && found->grace - ladder->least > size / 2 &&
         !is_close(ladder, found, tangent, ladder->least);
}

/* What is close only by grace, where the quotients settled elsewhere, is not decided. */
static Verdict judge(const Ladder *ladder, const Estimate *found, size_t output, const Cell *cell) {
  bool in_grace = is_close(ladder, found, cell->tangent, found->grace);
  if (in_grace && is_lost_in_rounding(ladder, found, cell->tangent))
    return UNDECIDED;
  if (found->best < 0)
    return in_grace ? AGREES : UNDECIDED;
  double difference = fabs(found->quotients[found->best] - cell->tangent);
  bool elsewhere = difference > 10 * found->error;
  if (in_grace)
    return elsewhere && !is_close(ladder, found, cell->tangent, 0) ? UNDECIDED : AGREES;
  if (goes_on(found) || has_kink(ladder, found, output, cell->output, difference))
    return UNDECIDED;
  if (elsewhere)
    return DIFFERS;
  return found->error <= 0.01 * ladder->usual ? AGREES : UNDECIDED;
}

/* Do much smaller steps, where rounding lets them tell, lead back to the tangent, or show that the
 * function stands still between steps of its own? */
static bool comes_back(Ladder *ladder, const Estimate *found, size_t output, double tangent) {
  double best = found->quotients[found->best], difference = fabs(best - tangent);
  if (!ladder->has_finer)
    climb(ladder, ladder->finer, STEPS, FINER);
  ladder->has_finer = true;
  for (int i = 0; i < FINER; i++) {
    const Rung *rung = &ladder->finer[i];
    double above = rung->outputs[0][output], below = rung->outputs[1][output];
    double quotient = (above - below) / (2 * rung->step);
    double noise = 8 * ladder->epsilon * fmax(fabs(above), fabs(below)) / rung->step;
    if (!rung->finished || !isfinite(quotient) || 16 * noise > difference)
      continue;
    if (fabs(quotient - tangent) < fabs(quotient - best) || (quotient == 0 && best != 0))
      return true;
  }
  return false;
}

static double relative_error(const Estimate *found, double tangent) {
  double least = INFINITY;
  for (int i = 0; i < STEPS; i++) {
    double size = fmax(fabs(tangent), fabs(found->quotients[i]));
    double error = fabs(found->quotients[i] - tangent);
    if (found->valid[i])
      least = fmin(least, size > 0 ? error / size : 0);
  }
  return least;
}

/* What became of all outputs at one point. */
typedef struct {
  size_t outputs, agreeing, undecided;
  bool differs;
  size_t cell; /* the number of that which differs, with what both say */
  double tangent, quotient;
} Outcome;

static Verdict judge_output(Ladder *ladder, const Cell *cell, size_t output, Outcome *outcome) {
  Estimate found;
  estimate(ladder, output, cell->output, &found);
  if (!isfinite(cell->tangent))
    return UNDECIDED;
  if (!isfinite(cell->output))
    return cell->tangent == 0 ? AGREES : UNDECIDED;
  Verdict verdict = judge(ladder, &found, output, cell);
  if (verdict == DIFFERS && comes_back(ladder, &found, output, cell->tangent))
    verdict = UNDECIDED;
  if (verdict == AGREES && is_close(ladder, &found, cell->tangent, found.grace))
    __nabla_check_note_error(ladder->session->site->row, __NABLA_CHECK_DIFFERENCES,
                             relative_error(&found, cell->tangent));
  if (verdict != DIFFERS)
    return verdict;
  outcome->differs = true;
  outcome->tangent = cell->tangent;
  outcome->quotient = found.quotients[found.best];
  return DIFFERS;
}

static Outcome judge_all(Ladder *ladder) {
  const Session *session = ladder->session;
  Outcome outcome = {0};
  for (size_t i = 0; i < __nabla_check_all(session) && !outcome.differs; i++) {
    const Cell *cell = __nabla_check_nth(session, i);
    if (!cell->written)
      continue;
    outcome.cell = i;
    Verdict verdict = judge_output(ladder, cell, outcome.outputs++, &outcome);
    outcome.agreeing += verdict == AGREES;
    outcome.undecided += verdict == UNDECIDED;
  }
  return outcome;
}

/* Climbs the ladder at the point, and judges. */
static Outcome compare(Session *session, double most) {
  Ladder ladder = {.session = session, .most = most};
  ladder.epsilon = session->single ? (double)FLT_EPSILON : DBL_EPSILON;
  ladder.tolerance = __nabla_check_tolerance(session->single, __NABLA_CHECK_DIFFERENCES);
  ladder.rounding = 1e4 * ladder.epsilon * most;
  for (size_t i = 0; i < __nabla_check_all(session); i++) {
    const Cell *cell = __nabla_check_nth(session, i);
    if (cell->written && isfinite(cell->tangent))
      ladder.usual = fmax(ladder.usual, fabs(cell->tangent));
  }
  ladder.least = 1e3 * ladder.epsilon * ladder.usual;
  ladder.least += session->single ? (double)FLT_MIN : DBL_MIN;
  climb(&ladder, ladder.rungs, 0, STEPS);
  Outcome outcome = judge_all(&ladder);
  forget(ladder.rungs, STEPS);
  forget(ladder.finer, FINER);
  return outcome;
}

/* Moves the point: each input by a part of its size, up or down as the digits of its number have
 * it; what is near zero moves away from it. */
static void step_aside(Session *session) {
  bool single = session->single;
  double usual = usual_size(session);
  for (size_t i = 0; i < session->count; i++) {
    Cell *cell = &session->cells[i];
    uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u;
    double part = 1 + (double)(mixed >> 40) / (double)(1 << 24);
    double size = fmax(ldexp(fabs(cell->entry), single ? -3 : -6), usual / 64);
    cell->aside = moves(cell) ? (mixed >> 39 & 1 ? part : -part) * size : 0;
  }
}

/* Outputs and tangents at the point itself, which a run beside it overwrites. */
static void swap_results(Session *session, double *results, size_t count) {
  for (size_t i = 0; i < count; i++) {
    Cell *cell = __nabla_check_nth(session, i);
    double output = cell->output, tangent = cell->tangent;
    cell->output = results[2 * i];
    cell->tangent = results[2 * i + 1];
    results[2 * i] = output;
    results[2 * i + 1] = tangent;
  }
}

static Outcome compare_beside(Session *session, double most) {
  Outcome outcome = {0};
  size_t count = __nabla_check_all(session);
  double *results = __nabla_check_grow(NULL, 2 * count + 1, sizeof *results);
  memset(results, 0, 2 * count * sizeof *results);
  swap_results(session, results, count);
  step_aside(session);
  if (__nabla_check_run_base(session))
    outcome = compare(session, most);
  for (size_t i = 0; i < session->count; i++)
    session->cells[i].aside = 0;
  swap_results(session, results, count);
  free(results);
  return outcome;
}

/* A derivative that is another at this very point: of a branch that is taken for one value, or on
 * one side of a kink. `decided`: differences agree with it beside the point. */
static void remark_point(const Session *session, const Outcome *outcome, bool decided) {
  char name[NAME_SIZE];
  __nabla_check_name(session, __nabla_check_nth(session, outcome->cell), name, sizeof name);
  __nabla_check_remark(session->site->row,
                       "the slope of %s is %.10g by the derivative, %.10g by differences, %s", name,
                       outcome->tangent, outcome->quotient,
                       decided ? "at one point alone: a kink, or a branch for one value"
                               : "and beside this point they decide nothing");
}

static void report(const Session *session, const Outcome *outcome, const char *where) {
  char name[NAME_SIZE];
  struct __nabla_check_row *row = session->site->row;
  double size = fmax(fabs(outcome->tangent), fabs(outcome->quotient));
  __nabla_check_note_error(row, __NABLA_CHECK_DIFFERENCES,
                           fabs(outcome->tangent - outcome->quotient) / size);
  __nabla_check_name(session, __nabla_check_nth(session, outcome->cell), name, sizeof name);
  __nabla_check_fault(row, "the slope of %s%s is %.10g by the derivative, %.10g by differences",
                      name, where, outcome->tangent, outcome->quotient);
}

/* A tangent where no input moves may come from memory that only a function reads of which no
 * derivative is made. */
static void tell_of_tangent(const Session *session) {
  char name[NAME_SIZE];
  for (size_t i = 0; i < __nabla_check_all(session); i++) {
    const Cell *cell = __nabla_check_nth(session, i);
    if (!cell->written || cell->tangent == 0 || !isfinite(cell->tangent))
      continue;
    __nabla_check_name(session, cell, name, sizeof name);
    __nabla_check_unchecked(session->site->row,
                            "the slope of %s is %.10g, and no input that was seen has a tangent",
                            name, cell->tangent);
    return;
  }
}

void __nabla_check_differences(Session *session) {
  const struct __nabla_check_place *born = session->born;
  struct __nabla_check_row *row = session->site->row;
  double most = longest(session);
  session->reach = most;
  if (most == 0) {
    tell_of_tangent(session);
    return;
  }
  Outcome here = compare(session, most), beside = here;
  if (here.agreeing < here.outputs)
    beside = compare_beside(session, most);
  session->born = born;
  row->undecided += beside.undecided;
  if (here.differs && beside.differs)
    report(session, &here, "");
  else if (beside.differs)
    report(session, &beside, " near this point");
  else if (here.differs)
    remark_point(session, &here, beside.agreeing > 0);
  else if (!beside.agreeing && beside.outputs)
    __nabla_check_unchecked(row, "differences do not settle: a kink, a jump or too much noise");
}
