// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The schemes that come with nabla: which states of a loop are kept.
 *
 * All three work alike. The slots are a stack of states, each of a later step than the one below.
 * To reverse the last step that is left, the scheme goes back to the topmost state and on from
 * there, and keeps a state wherever the way from the topmost one is divided; they differ only in
 * where that is. For a given number of slots, dividing it as Griewank and Walther do (Algorithm
 * 799, ACM TOMS 26, 2000) runs the fewest steps: t(l, s) = r * l - C(s + r, r - 1) to reverse l
 * steps with s slots, where r is the least with l <= C(s + r, s).
 *
 * While nobody knows how many steps there are, a state that is no longer wanted gives its slot to a
 * later one. Which one that is, Wang, Moin and Iaccarino ("Minimal repetition dynamic checkpointing
 * algorithm for unsteady adjoint calculation", SIAM J. Sci. Comput. 31, 2009) tell from levels. */
#include "checkpoint.h"
#include "checkpoint_store.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The store's first two slots are the driver's. */
enum { DRIVER_SLOTS = 2, FIRST_STATES = 16, UNPLACED = -1, FIRST_LEVEL = INT32_MAX };

typedef struct Kept {
  int64_t step, slot;
  int32_t level; /* while the number of steps is not known */
} Kept;

typedef struct Schedule {
  EnzymeCkptConfig config;
  EnzymeCkptStats stats;
  struct __nabla_checkpoint_store store;
  int64_t (*divide)(const struct Schedule *schedule, int64_t steps); /* how far to go on */
  /* Is the state that is there to be kept? Then there is a place for it. NULL: the number of steps
   * is known. */
  int (*take)(struct Schedule *schedule);
  int64_t slots;   /* most states; of a stack without bound, INT64_MAX */
  int64_t segment; /* periodic: steps of one */
  int64_t left;    /* steps that are not reversed yet */
  int64_t here;    /* the state is that before this step */
  Kept *kept;      /* the stack of states; behind it stand the free slots */
  int64_t count, room;
  int64_t raised; /* revolve: those right below this one, of lower levels, are not wanted */
  int turned;     /* was the last step reversed? */
} Schedule;

/* --- Where to divide --------------------------------------------------------------------------
 */

static int64_t root(int64_t steps) {
  int64_t low = 0, high = INT64_C(3037000500);
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (middle * middle <= steps)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* C(slots + runs, slots), or `limit` where it is not less. */
static int64_t reach(int64_t slots, int64_t runs, int64_t limit) {
  int64_t smaller = slots < runs ? slots : runs, larger = slots < runs ? runs : slots;
  __int128 product = 1;
  if (smaller < 0)
    return 0;
  for (int64_t i = 1; i <= smaller && product < limit; i++)
    product = product * (larger + i) / i;
  return product < limit ? (int64_t)product : limit;
}

/* Both parts must be such that no step runs more often than it has to. */
static int64_t divide_revolve(const Schedule *schedule, int64_t steps) {
  int64_t slots = schedule->slots - schedule->count + 1;
  if (slots == 1)
    return steps - 1;
  int64_t runs = 1;
  while (reach(slots, runs, steps) < steps)
    runs++;
  int64_t most = reach(slots, runs - 1, steps);
  int64_t least_behind = reach(slots - 1, runs - 1, steps);
  return most < steps - least_behind ? most : steps - least_behind;
}

/* Up to the next segment, or within the last one step by step. */
static int64_t divide_periodic(const Schedule *schedule, int64_t steps) {
  return steps > schedule->segment ? schedule->segment : 1;
}

static int64_t divide_all(const Schedule *schedule, int64_t steps) {
  (void)schedule;
  (void)steps;
  return 1;
}

/* --- The stack --------------------------------------------------------------------------------
 */

static void push(Schedule *schedule, int64_t step, int32_t level) {
  if (schedule->count == schedule->room) {
    int64_t room = schedule->room ? 2 * schedule->room : FIRST_STATES;
    Kept *kept = __nabla_memory_new((uint64_t)room * sizeof *kept, "a checkpointed loop", NULL);
    if (schedule->count)
      memcpy(kept, schedule->kept, (uint64_t)schedule->count * sizeof *kept);
    for (int64_t i = schedule->count; i < room; i++)
      kept[i].slot = i;
    free(schedule->kept);
    schedule->kept = kept;
    schedule->room = room;
  }
  Kept *top = &schedule->kept[schedule->count++];
  top->step = step;
  top->level = level;
  schedule->stats.stores++;
  if (schedule->count > schedule->stats.max_slots)
    schedule->stats.max_slots = schedule->count;
}

static void drop(Schedule *schedule, int64_t index) {
  Kept old = schedule->kept[index];
  int64_t above = --schedule->count - index;
  memmove(&schedule->kept[index], &schedule->kept[index + 1], (uint64_t)above * sizeof old);
  schedule->kept[schedule->count] = old;
}

static int is_kept(const Schedule *schedule) {
  return schedule->count && schedule->kept[schedule->count - 1].step == schedule->here;
}

static EnzymeCkptAction turn_here(Schedule *schedule) {
  EnzymeCkptAction action = {ENZYME_CKPT_UTURN, schedule->left, schedule->here, 0};
  if (!schedule->turned)
    action.flag = ENZYME_CKPT_FIRSTUTURN;
  if (is_kept(schedule))
    schedule->count--;
  schedule->turned = 1;
  schedule->left--;
  schedule->here = UNPLACED;
  schedule->stats.taped_steps++;
  return action;
}

static EnzymeCkptAction advance(Schedule *schedule, int64_t way) {
  EnzymeCkptAction action = {ENZYME_CKPT_FORWARD, schedule->here + way, schedule->here, 0};
  schedule->here += way;
  schedule->stats.forward_steps += way;
  return action;
}

static EnzymeCkptAction store_here(const Schedule *schedule) {
  return (EnzymeCkptAction){ENZYME_CKPT_STORE, schedule->here, 0,
                            schedule->kept[schedule->count - 1].slot};
}

static EnzymeCkptAction next_action(Schedule *schedule) {
  if (schedule->left == 0)
    return (EnzymeCkptAction){ENZYME_CKPT_DONE, 0, 0, 0};
  if (schedule->here == UNPLACED) {
    const Kept *top = &schedule->kept[schedule->count - 1];
    schedule->here = top->step;
    schedule->stats.restores++;
    return (EnzymeCkptAction){ENZYME_CKPT_RESTORE, schedule->here, 0, top->slot};
  }
  if (schedule->here == schedule->left - 1)
    return turn_here(schedule);
  if (is_kept(schedule))
    return advance(schedule, schedule->divide(schedule, schedule->left - schedule->here));
  push(schedule, schedule->here, 0);
  return store_here(schedule);
}

/* --- Before the number of steps is known ------------------------------------------------------
 */

/* A state is wanted no more when a later one has a higher level. Where none is, the last one goes,
 * and what comes in its place is one level higher. */
static int take_by_level(Schedule *schedule) {
  int64_t here = schedule->here;
  Kept *last = schedule->count ? &schedule->kept[schedule->count - 1] : NULL;
  int64_t unwanted = schedule->raised - 1;
  if (schedule->config.snapshots <= 0)
    schedule->slots = root(here) > 2 ? root(here) : 2;
  if (!last || schedule->count < schedule->slots) {
    push(schedule, here, last ? 0 : FIRST_LEVEL);
  } else if (unwanted > 0 && schedule->kept[unwanted].level < schedule->kept[unwanted + 1].level) {
    drop(schedule, unwanted);
    schedule->raised--;
    push(schedule, here, 0);
  } else if (last->level == FIRST_LEVEL) {
    return 0;
  } else {
    int32_t level = last->level + 1;
    schedule->raised = --schedule->count;
    push(schedule, here, level);
  }
  return 1;
}

/* Segments grow to twice their length where there would be too many. */
static int take_by_segment(Schedule *schedule) {
  int64_t most = schedule->config.snapshots > 0 ? schedule->config.snapshots : 0;
  while (schedule->count == (most ? most : 2 * schedule->segment) &&
         schedule->here % schedule->segment == 0) {
    schedule->segment *= 2;
    for (int64_t i = schedule->count - 1; i >= 0; i--)
      if (schedule->kept[i].step % schedule->segment)
        drop(schedule, i);
  }
  if (schedule->here % schedule->segment)
    return 0;
  push(schedule, schedule->here, 0);
  return 1;
}

static int take_all(Schedule *schedule) {
  push(schedule, schedule->here, 0);
  return 1;
}

static EnzymeCkptAction next_online(Schedule *schedule) {
  if (!is_kept(schedule) && schedule->take(schedule))
    return store_here(schedule);
  return advance(schedule, schedule->segment - schedule->here % schedule->segment);
}

/* --- What schemes offer -----------------------------------------------------------------------
 */

static Schedule *open_schedule(const void *data, int64_t steps, uint64_t bytes) {
  Schedule *schedule = __nabla_memory_new(sizeof *schedule, "a checkpointed loop", NULL);
  *schedule = (Schedule){.left = steps, .slots = INT64_MAX, .segment = 1};
  if (data)
    schedule->config = *(const EnzymeCkptConfig *)data;
  schedule->store.bytes = bytes;
  schedule->store.folder = schedule->config.spill_dir;
  schedule->store.budget = schedule->config.mem_budget;
  return schedule;
}

void *__nabla_checkpoint_revolve(void *data, int64_t steps, uint64_t bytes) {
  Schedule *schedule = open_schedule(data, steps, bytes);
  int64_t most = steps > 1 ? steps : 1;
  int64_t slots = schedule->config.snapshots;
  schedule->divide = divide_revolve;
  schedule->slots = slots;
  schedule->take = steps < 0 ? take_by_level : NULL;
  if (steps < 0)
    return schedule;
  if (slots <= 0)
    slots = root(steps) > 2 ? root(steps) : 2;
  schedule->slots = slots < most ? slots : most;
  return schedule;
}

void *__nabla_checkpoint_periodic(void *data, int64_t steps, uint64_t bytes) {
  Schedule *schedule = open_schedule(data, steps, bytes);
  int64_t segments = schedule->config.snapshots;
  schedule->divide = divide_periodic;
  schedule->take = steps < 0 ? take_by_segment : NULL;
  if (steps < 0)
    return schedule;
  schedule->segment = segments > 0 ? steps / segments + (steps % segments != 0) : root(steps);
  if (schedule->segment < 1)
    schedule->segment = 1;
  return schedule;
}

void *__nabla_checkpoint_store_all(void *data, int64_t steps, uint64_t bytes) {
  Schedule *schedule = open_schedule(data, steps, bytes);
  schedule->divide = divide_all;
  schedule->take = steps < 0 ? take_all : NULL;
  return schedule;
}

static void show(const EnzymeCkptAction *action) {
  static const char *const names[] = {"none",         "store",  "restore", "forward",
                                      "first u-turn", "u-turn", "error",   "done"};
  fprintf(stderr, "nabla: checkpointed loop: %s, step %lld, from %lld, slot %lld\n",
          names[action->flag], (long long)action->iteration, (long long)action->startiteration,
          (long long)action->cpnum);
}

void __nabla_checkpoint_next(void *state, EnzymeCkptAction *action) {
  Schedule *schedule = state;
  *action = schedule->take ? next_online(schedule) : next_action(schedule);
  if (schedule->config.verbose > 1)
    show(action);
}

void __nabla_checkpoint_put(void *state, int64_t slot, int64_t step,
                            const EnzymeCkptRegion *regions, uint64_t count) {
  (void)step;
  Schedule *schedule = state;
  __nabla_checkpoint_store_put(&schedule->store, (uint64_t)(slot + DRIVER_SLOTS), regions, count);
}

void __nabla_checkpoint_get(void *state, int64_t slot, int64_t step,
                            const EnzymeCkptRegion *regions, uint64_t count) {
  (void)step;
  Schedule *schedule = state;
  __nabla_checkpoint_store_get(&schedule->store, (uint64_t)(slot + DRIVER_SLOTS), regions, count);
}

void __nabla_checkpoint_steps_known(void *state, int64_t steps) {
  Schedule *schedule = state;
  schedule->stats.forward_steps -= schedule->here - steps;
  schedule->left = steps;
  schedule->here = UNPLACED;
  schedule->take = NULL;
}

void __nabla_checkpoint_finish(void *state) {
  Schedule *schedule = state;
  EnzymeCkptStats *stats = &schedule->stats;
  stats->max_bytes = (uint64_t)stats->max_slots * schedule->store.bytes;
  if (schedule->config.verbose)
    fprintf(stderr,
            "nabla: checkpointed loop: %lld steps run, %lld reversed, %lld stores, %lld restores, "
            "%lld slots (%llu bytes)\n",
            (long long)stats->forward_steps, (long long)stats->taped_steps,
            (long long)stats->stores, (long long)stats->restores, (long long)stats->max_slots,
            (unsigned long long)stats->max_bytes);
  if (schedule->config.stats)
    *schedule->config.stats = *stats;
  __nabla_checkpoint_store_free(&schedule->store);
  free(schedule->kept);
  free(schedule);
}
