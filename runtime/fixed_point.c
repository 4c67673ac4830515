// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixed_point.h"

#include "memory.h"
#include "regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The defaults of the interface; how often a sum may be as large as the first one before it counts
 * as one that does not fall. */
enum { LIMIT = 1000, PATIENCE = 10 };
static const double REDUCTION = 1e-12;
/* To which part of the first sum rounding may keep it. */
static const double FLOOR_DOUBLE = 1e-20, FLOOR_FLOAT = 1e-10;

struct __nabla_fixed_point {
  int64_t last; /* the number of the step that ended the loop */
  uint64_t count;
  char *kept; /* what the regions held behind it, one behind the other */
  EnzymeCkptRegion regions[];
};

typedef struct Search {
  const struct __nabla_fixed_point *loop;
  const __nabla_fixed_point_part *parts;
  uint64_t count;
  const __nabla_fixed_point_test *test;
  unsigned char *iterated; /* of each number, in the order of `visit_all` */
  double reduction;
  double named, all; /* sums of squares: over the named state, over all that is iterated */
  double first;      /* the latter, of the first derivative */
  int64_t limit, done;
  uint64_t numbers; /* how many there are */
  int single;       /* is one of the numbers in single precision? */
} Search;

__attribute__((noinline, cold)) static _Noreturn void give_up(const char *reason) {
  fputs("nabla: fixed-point loop: ", stderr);
  fputs(reason, stderr);
  fputs("\n", stderr);
  abort();
}

static const char IDLE[] = "a step does nothing where the loop has ended, so that its derivative "
                           "there says nothing: it must iterate whenever it is called";

static void *allocate(uint64_t bytes) {
  return __nabla_memory_new(bytes ? bytes : 1, "a fixed-point loop", NULL);
}

/* --- Regions ---------------------------------------------------------------------------------- */

static char *copy_of(const struct __nabla_fixed_point *loop) {
  uint64_t bytes = __nabla_regions_bytes(loop->regions, loop->count);
  if (bytes == UINT64_MAX)
    give_up("the state is larger than memory");
  char *copy = allocate(bytes);
  __nabla_regions_read(loop->regions, loop->count, copy);
  return copy;
}

static void put_back(const struct __nabla_fixed_point *loop, const char *copy) {
  __nabla_regions_write(loop->regions, loop->count, copy);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

typedef struct Number {
  char *primal, *shadow;
  uint64_t size;
  uint64_t index; /* among all */
  uint64_t kept;  /* where it lies in a copy of the regions */
  int named;
} Number;

typedef void visit(void *user, const Number *number);

/* The first number of a piece that does not lie before the region, `low` bytes behind the base.
 * What repeats does so on both sides. */
static int64_t first_in(const __nabla_fixed_point_piece *piece, int64_t low) {
  int64_t at = (int64_t)piece->offset, period = (int64_t)piece->period;
  if (period)
    at -= (at - low) / period * period;
  return period && at < low ? at + period : at;
}

/* Those of a piece that lie in the region. */
static void visit_piece(const __nabla_fixed_point_part *part,
                        const __nabla_fixed_point_piece *piece, const EnzymeCkptRegion *region,
                        Number *next, visit *each, void *user) {
  int64_t low = (char *)region->ptr - part->base, end = low + (int64_t)region->bytes;
  uint64_t kept = next->kept;
  for (int64_t at = first_in(piece, low); at >= low && at + (int64_t)piece->size <= end;
       at += (int64_t)piece->period) {
    next->primal = part->base + at;
    next->shadow = part->shadow + at;
    next->size = piece->size;
    next->kept = kept + (uint64_t)(at - low);
    each(user, next);
    next->index++;
    if (!piece->period)
      break;
  }
  next->kept = kept;
}

static void visit_all(const Search *search, visit *each, void *user) {
  Number next = {0};
  for (uint64_t i = 0; i < search->count; i++) {
    const __nabla_fixed_point_part *part = &search->parts[i];
    if (part->base == part->shadow)
      continue;
    next.named = part->named != 0;
    next.kept = __nabla_regions_bytes(search->loop->regions, part->region);
    for (uint64_t k = 0; k < part->count; k++)
      visit_piece(part, &part->pieces[k], &search->loop->regions[part->region], &next, each, user);
  }
}

static long double read_number(const char *at, uint64_t size) {
  float single;
  double number;
  long double extended;
  switch (size) {
  case sizeof single:
    memcpy(&single, at, sizeof single);
    return single;
  case sizeof number:
    memcpy(&number, at, sizeof number);
    return number;
  default:
    memcpy(&extended, at, sizeof extended);
    return extended;
  }
}

static void write_number(char *at, uint64_t size, long double value) {
  float single = (float)value;
  double number = (double)value;
  const void *from = size == sizeof single   ? (const void *)&single
                     : size == sizeof number ? (const void *)&number
                                             : (const void *)&value;
  memcpy(at, from, size);
}

/* --- What is iterated ------------------------------------------------------------------------- */

static void count_number(void *user, const Number *number) {
  Search *search = user;
  search->numbers = number->index + 1;
  search->single |= number->size == sizeof(float);
}

/* In [1, 2). */
static long double some_number(uint64_t index) {
  return 1 + (long double)(uint32_t)((uint32_t)(index + 1) * 2654435761u) * 0x1p-32L;
}

/* By as little as the format can tell for sure, and each by another part of it: else numbers that a
 * step computes by a product from others might come out as they were moved. */
static void move_number(void *user, const Number *number) {
  (void)user;
  int single = number->size == sizeof(float);
  long double value = read_number(number->primal, number->size);
  long double change = value * (single ? 0x1p-16L : 0x1p-40L);
  if (change == 0)
    change = single ? 0x1p-100L : 0x1p-900L;
  write_number(number->primal, number->size, value + change * some_number(number->index));
}

typedef struct Comparison {
  Search *search;
  const char *moved; /* what the regions held */
  int named;         /* is any of the named state iterated? */
} Comparison;

static void compare_number(void *user, const Number *number) {
  Comparison *comparison = user;
  unsigned char changed =
      memcmp(number->primal, comparison->moved + number->kept, number->size) != 0;
  comparison->search->iterated[number->index] = changed;
  comparison->named |= changed && number->named;
}

/* Where numbers are not quite what they were, a step puts back those that it iterates, or brings
 * them nearer, and leaves the others. */
static void find_iterated(Search *search, void *environment, __nabla_checkpoint_run *run) {
  visit_all(search, count_number, search);
  search->iterated = allocate(search->numbers);
  put_back(search->loop, search->loop->kept);
  visit_all(search, move_number, NULL);
  Comparison comparison = {search, copy_of(search->loop), 0};
  run(environment, search->loop->last);
  visit_all(search, compare_number, &comparison);
  free((char *)comparison.moved);
  put_back(search->loop, search->loop->kept);
  if (search->numbers && !comparison.named)
    give_up(IDLE);
}

/* --- Shadows ---------------------------------------------------------------------------------- */

typedef struct Shadows {
  const Search *search;
  long double *numbers; /* of all */
  double named, all;
  long double put;
} Shadows;

static void put_number(void *user, const Number *number) {
  Shadows *shadows = user;
  if (shadows->search->iterated[number->index])
    write_number(number->shadow, number->size, shadows->put);
}

static void fill_shadows(const Search *search, long double value) {
  Shadows shadows = {.search = search, .put = value};
  visit_all(search, put_number, &shadows);
}

static void add_square(void *user, const Number *number) {
  Shadows *shadows = user;
  if (!shadows->search->iterated[number->index])
    return;
  double change = (double)read_number(number->shadow, number->size);
  if (shadows->numbers)
    change -= (double)shadows->numbers[number->index];
  shadows->all += change * change;
  shadows->named += number->named ? change * change : 0;
}

/* `before`: what the shadows were; NULL: zero. */
static Shadows sums_of(const Search *search, long double *before) {
  Shadows shadows = {.search = search, .numbers = before};
  visit_all(search, add_square, &shadows);
  return shadows;
}

static void take_number(void *user, const Number *number) {
  long double *to = user;
  to[number->index] = read_number(number->shadow, number->size);
}

/* --- When to end ------------------------------------------------------------------------------ */

/* What is still to come, if all sums fall as the last one did. Where they fall slowly, that is much
 * more than the next one. */
static double rest_of(const Search *search, double before) {
  double rate = search->done > 1 && before > 0 ? __builtin_sqrt(search->all / before) : 0;
  double factor = rate < 1 ? rate / (1 - rate) : __builtin_inf();
  return search->all > 0 && factor > 1 ? search->all * factor * factor : search->all;
}

/* By the sums behind the last derivative of a step, and that of the one before. */
static int is_reduced(const Search *search, double before) {
  double floor = search->single ? FLOOR_FLOAT : FLOOR_DOUBLE;
  if (!(rest_of(search, before) > search->reduction * search->first))
    return 1;
  return search->done > 1 && search->all >= before && search->all < floor * search->first;
}

static void check(const Search *search, int ended) {
  if (!(search->all - search->all == 0))
    give_up("its derivative is not finite");
  if (ended && search->done >= PATIENCE && search->all >= search->first && search->first > 0)
    give_up(
        "its derivative does not converge: a step must come closer to the fixed point whenever it "
        "is called");
}

/* Is the derivative of another step wanted? */
static int goes_on(Search *search, double before) {
  int limited = search->limit && search->done >= search->limit;
  int more = search->done == 0 || !is_reduced(search, before);
  if (search->test->control)
    more = search->test->control(&search->named, &search->reduction);
  if (search->done)
    check(search, limited || !more);
  if (more && limited && !search->test->control && search->test->limit < 0)
    give_up(
        "its derivative has not converged in 1000 iterations: enzyme_fp_max_iters allows more (0: "
        "any number), or says that so many are enough");
  return more && !limited;
}

static void note(Search *search, Shadows sums) {
  search->named = sums.named;
  search->all = sums.all;
  if (search->done++ == 0)
    search->first = sums.all;
}

static Search begin(const struct __nabla_fixed_point *loop, const __nabla_fixed_point_part *parts,
                    uint64_t count, const __nabla_fixed_point_test *test) {
  Search search = {.loop = loop,
                   .parts = parts,
                   .count = count,
                   .test = test,
                   .reduction = test->reduction < 0 ? REDUCTION : test->reduction,
                   .named = -1,
                   .all = -1,
                   .limit = test->limit < 0 ? LIMIT : test->limit};
  return search;
}

/* --- The sweeps ------------------------------------------------------------------------------- */

struct __nabla_fixed_point *__nabla_fixed_point_forward(const EnzymeCkptRegion *regions,
                                                        uint64_t count, void *environment,
                                                        __nabla_checkpoint_run *run) {
  struct __nabla_fixed_point *loop =
      allocate(sizeof(struct __nabla_fixed_point) + count * sizeof *regions);
  for (loop->last = 0; run(environment, loop->last);)
    loop->last++;
  loop->count = count;
  memcpy(loop->regions, regions, count * sizeof *regions);
  loop->kept = copy_of(loop);
  return loop;
}

/* Where a step does nothing any more, its adjoint leaves what it gets: the terms of the series do
 * not fall. */
static void check_first_term(const Search *search, long double *before) {
  if (search->done == 1 && search->all != 0 && sums_of(search, before).all == 0)
    give_up(IDLE);
}

void __nabla_fixed_point_reverse(struct __nabla_fixed_point *loop, void *environment,
                                 __nabla_checkpoint_run *run, __nabla_checkpoint_turn *turn,
                                 const __nabla_fixed_point_part *parts, uint64_t count,
                                 const __nabla_fixed_point_test *test) {
  char *behind = copy_of(loop);
  Search search = begin(loop, parts, count, test);
  find_iterated(&search, environment, run);
  long double *shadows = allocate(search.numbers * sizeof(long double));
  visit_all(&search, take_number, shadows);
  for (double before = 0; goes_on(&search, before);) {
    before = search.all;
    put_back(loop, loop->kept);
    turn(environment, loop->last);
    note(&search, sums_of(&search, NULL));
    check_first_term(&search, shadows);
  }
  fill_shadows(&search, 0);
  put_back(loop, behind);
  free(behind);
  free(shadows);
  free(search.iterated);
  free(loop->kept);
  free(loop);
}

/* The tangent of a step at the state in which the loop ended, which stays as it is. */
static void turn_here(const struct __nabla_fixed_point *loop, void *environment,
                      __nabla_checkpoint_turn *turn) {
  turn(environment, loop->last);
  put_back(loop, loop->kept);
}

/* Where a step does nothing any more, its tangent leaves what it gets, and that was zero. So it is
 * asked for the tangent of something else. */
static void check_first_tangent(const Search *search, void *environment,
                                __nabla_checkpoint_turn *turn, long double *shadows) {
  if (search->done != 1 || search->all != 0 || !search->numbers)
    return;
  fill_shadows(search, 1);
  visit_all(search, take_number, shadows);
  turn_here(search->loop, environment, turn);
  if (sums_of(search, shadows).all == 0)
    give_up(IDLE);
  fill_shadows(search, 0);
  turn_here(search->loop, environment, turn);
}

void __nabla_fixed_point_tangent(const EnzymeCkptRegion *regions, uint64_t region_count,
                                 void *environment, __nabla_checkpoint_run *run,
                                 __nabla_checkpoint_turn *turn,
                                 const __nabla_fixed_point_part *parts, uint64_t count,
                                 const __nabla_fixed_point_test *test) {
  struct __nabla_fixed_point *loop =
      __nabla_fixed_point_forward(regions, region_count, environment, run);
  Search search = begin(loop, parts, count, test);
  find_iterated(&search, environment, run);
  long double *shadows = allocate(search.numbers * sizeof(long double));
  fill_shadows(&search, 0);
  for (double before = 0; goes_on(&search, before);) {
    before = search.all;
    visit_all(&search, take_number, shadows);
    turn_here(loop, environment, turn);
    note(&search, sums_of(&search, shadows));
    check_first_tangent(&search, environment, turn, shadows);
  }
  free(shadows);
  free(search.iterated);
  free(loop->kept);
  free(loop);
}
