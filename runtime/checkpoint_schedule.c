// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The schemes that come with nabla: which states of a loop are kept.
 *
 * All three work alike. The slots are a stack of states, each of a later step than the one below.
 * To reverse the last step that is left, the scheme goes back to the topmost state and on from
 * there, and keeps a state wherever the way from the topmost one is divided; they differ only in
 * where that is. For a given number of slots, dividing it as Griewank and Walther do (Algorithm
 * 799, ACM TOMS 26, 2000) runs the fewest steps: t(l, s) = r * l - C(s + r, r - 1) to reverse l
 * steps with s slots, where r is the least with l <= C(s + r, s). */
#include "checkpoint.h"
#include "checkpoint_store.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The store's first two slots are the driver's. */
enum { DRIVER_SLOTS = 2, FIRST_STATES = 16, UNPLACED = -1 };

typedef struct Schedule {
  EnzymeCkptConfig config;
  EnzymeCkptStats stats;
  struct __nabla_checkpoint_store store;
  int64_t (*divide)(const struct Schedule *schedule, int64_t steps); /* how far to go on */
  int64_t slots;   /* most states; of a stack without bound, INT64_MAX */
  int64_t segment; /* periodic: steps of one */
  int64_t left;    /* steps that are not reversed yet */
  int64_t here;    /* the state is that before this step */
  int64_t *kept;   /* the steps of the states on the stack */
  int64_t count, room;
  int turned; /* was the last step reversed? */
} Schedule;

/* --- Where to divide --------------------------------------------------------------------------
 */

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

static void push(Schedule *schedule, int64_t step) {
  if (schedule->count == schedule->room) {
    int64_t room = schedule->room ? 2 * schedule->room : FIRST_STATES;
    int64_t *kept = __nabla_memory_new((uint64_t)room * sizeof *kept, "a checkpointed loop", NULL);
    if (schedule->count)
      memcpy(kept, schedule->kept, (uint64_t)schedule->count * sizeof *kept);
    free(schedule->kept);
    schedule->kept = kept;
    schedule->room = room;
  }
  schedule->kept[schedule->count++] = step;
  if (schedule->count > schedule->stats.max_slots)
    schedule->stats.max_slots = schedule->count;
}

static EnzymeCkptAction turn_here(Schedule *schedule) {
  EnzymeCkptAction action = {ENZYME_CKPT_UTURN, schedule->left, schedule->here, 0};
  if (!schedule->turned)
    action.flag = ENZYME_CKPT_FIRSTUTURN;
  if (schedule->count && schedule->kept[schedule->count - 1] == schedule->here)
    schedule->count--;
  schedule->turned = 1;
  schedule->left--;
  schedule->here = UNPLACED;
  schedule->stats.taped_steps++;
  return action;
}

static EnzymeCkptAction advance(Schedule *schedule) {
  int64_t steps = schedule->left - schedule->here;
  int64_t way = schedule->divide(schedule, steps);
  EnzymeCkptAction action = {ENZYME_CKPT_FORWARD, schedule->here + way, schedule->here, 0};
  schedule->here += way;
  schedule->stats.forward_steps += way;
  return action;
}

static EnzymeCkptAction next_action(Schedule *schedule) {
  if (schedule->left == 0)
    return (EnzymeCkptAction){ENZYME_CKPT_DONE, 0, 0, 0};
  if (schedule->here == UNPLACED) {
    int64_t slot = schedule->count - 1;
    schedule->here = schedule->kept[slot];
    schedule->stats.restores++;
    return (EnzymeCkptAction){ENZYME_CKPT_RESTORE, schedule->here, 0, slot};
  }
  if (schedule->here == schedule->left - 1)
    return turn_here(schedule);
  if (schedule->count && schedule->kept[schedule->count - 1] == schedule->here)
    return advance(schedule);
  push(schedule, schedule->here);
  schedule->stats.stores++;
  return (EnzymeCkptAction){ENZYME_CKPT_STORE, schedule->here, 0, schedule->count - 1};
}

/* --- What schemes offer -----------------------------------------------------------------------
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

static Schedule *open_schedule(const void *data, int64_t steps, uint64_t bytes) {
  Schedule *schedule = __nabla_memory_new(sizeof *schedule, "a checkpointed loop", NULL);
  *schedule = (Schedule){.left = steps, .slots = INT64_MAX};
  if (data)
    schedule->config = *(const EnzymeCkptConfig *)data;
  if (steps < 0)
    __nabla_checkpoint_fail("the scheme must know the number of steps");
  schedule->store.bytes = bytes;
  schedule->store.folder = schedule->config.spill_dir;
  schedule->store.budget = schedule->config.mem_budget;
  return schedule;
}

void *__nabla_checkpoint_revolve(void *data, int64_t steps, uint64_t bytes) {
  Schedule *schedule = open_schedule(data, steps, bytes);
  int64_t most = steps > 1 ? steps : 1;
  int64_t slots = schedule->config.snapshots;
  if (slots <= 0)
    slots = root(steps) > 2 ? root(steps) : 2;
  schedule->slots = slots < most ? slots : most;
  schedule->divide = divide_revolve;
  return schedule;
}

void *__nabla_checkpoint_periodic(void *data, int64_t steps, uint64_t bytes) {
  Schedule *schedule = open_schedule(data, steps, bytes);
  int64_t segments = schedule->config.snapshots;
  schedule->segment = segments > 0 ? steps / segments + (steps % segments != 0) : root(steps);
  if (schedule->segment < 1)
    schedule->segment = 1;
  schedule->divide = divide_periodic;
  return schedule;
}

void *__nabla_checkpoint_store_all(void *data, int64_t steps, uint64_t bytes) {
  Schedule *schedule = open_schedule(data, steps, bytes);
  schedule->divide = divide_all;
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
  *action = next_action(schedule);
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
  (void)state;
  (void)steps;
  __nabla_checkpoint_fail("the scheme must know the number of steps");
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
