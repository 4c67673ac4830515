// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checkpoint.h"

#include "memory.h"
#include "regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slots of the driver's own, and the step at which the state is when nobody knows. */
enum { SLOT_LAST = -2, SLOT_BEHIND = -1, NOWHERE = -1, UNKNOWN = __NABLA_CHECKPOINT_UNKNOWN };

struct __nabla_checkpointed {
  const EnzymeCheckpointScheme *scheme;
  void *state;
  int64_t start, steps; /* UNKNOWN: not yet known */
  int until;            /* does the loop end where a step says so? */
  int64_t here;         /* the state is that before this step */
  int64_t left;         /* steps that are not reversed yet */
  uint64_t count;
  EnzymeCkptRegion regions[];
};

__attribute__((noinline, cold)) void __nabla_checkpoint_fail(const char *reason) {
  fputs("nabla: checkpointed loop: ", stderr);
  fputs(reason, stderr);
  fputs("\n", stderr);
  abort();
}

static void demand(int holds, const char *reason) {
  if (__builtin_expect(!holds, 0))
    __nabla_checkpoint_fail(reason);
}

void __nabla_checkpoint_check(const void *pointer, const EnzymeCkptRegion *regions,
                              uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    if ((uintptr_t)pointer - (uintptr_t)regions[i].ptr < regions[i].bytes)
      return;
  __nabla_checkpoint_fail("a step changes memory that is in none of its regions "
                          "(enzyme_checkpoint_region)");
}

void __nabla_checkpoint_apart(const void *primal, const void *shadow, const EnzymeCkptRegion *own,
                              const EnzymeCkptRegion *regions, uint64_t count) {
  uintptr_t low = (uintptr_t)shadow, bytes = 1;
  if (own) {
    low += (uintptr_t)own->ptr - (uintptr_t)primal;
    bytes = own->bytes;
  }
  if (primal == shadow)
    return;
  for (uint64_t i = 0; i < count; i++)
    if (bytes && low - (uintptr_t)regions[i].ptr + bytes - 1 < regions[i].bytes + bytes - 1 &&
        regions[i].bytes)
      __nabla_checkpoint_fail("a shadow lies between the elements of what the steps change");
}

static void store(struct __nabla_checkpointed *loop, int64_t slot, int64_t step) {
  loop->scheme->store(loop->state, slot, step, loop->regions, loop->count);
}

static void restore(struct __nabla_checkpointed *loop, int64_t slot, int64_t step) {
  loop->scheme->restore(loop->state, slot, step, loop->regions, loop->count);
  loop->here = step;
}

static void end_here(struct __nabla_checkpointed *loop) {
  loop->steps = loop->left = loop->here;
  if (loop->scheme->set_nsteps)
    loop->scheme->set_nsteps(loop->state, loop->steps);
}

static void go_on(struct __nabla_checkpointed *loop, const EnzymeCkptAction *action,
                  void *environment, __nabla_checkpoint_run *run) {
  demand(action->startiteration == loop->here && action->iteration < loop->left,
         "the scheme goes on from a state that is not there, or beyond the steps that are left");
  while (loop->here < action->iteration) {
    int more = run(environment, loop->start + loop->here++);
    if (!more && loop->steps == UNKNOWN) {
      end_here(loop);
      break;
    }
  }
}

/* What both sweeps do alike; false where it is another action. */
static int serve(struct __nabla_checkpointed *loop, const EnzymeCkptAction *action,
                 void *environment, __nabla_checkpoint_run *run) {
  switch (action->flag) {
  case ENZYME_CKPT_STORE:
    demand(action->iteration == loop->here && action->cpnum >= 0,
           "the scheme stores a state that is not there");
    store(loop, action->cpnum, loop->here);
    return 1;
  case ENZYME_CKPT_FORWARD:
    go_on(loop, action, environment, run);
    return 1;
  default:
    return 0;
  }
}

static void check_scheme(const EnzymeCheckpointScheme *scheme) {
  demand(scheme && scheme->version == ENZYME_CKPT_ABI_VERSION, "the scheme has another version");
  demand(scheme->init && scheme->next_action && scheme->store && scheme->restore &&
             scheme->finalize,
         "the scheme lacks a function");
  demand(!scheme->save_state && !scheme->load_state,
         "a scheme that copies the state itself (save_state) is not supported");
}

static struct __nabla_checkpointed *begin(const EnzymeCheckpointScheme *scheme, void *data,
                                          int64_t start, int64_t steps,
                                          const EnzymeCkptRegion *regions, uint64_t count) {
  check_scheme(scheme);
  uint64_t bytes = __nabla_regions_bytes(regions, count);
  demand(bytes != UINT64_MAX, "the state is larger than memory");
  uint64_t size = sizeof(struct __nabla_checkpointed) + count * sizeof *regions;
  struct __nabla_checkpointed *loop = __nabla_memory_new(size, "a checkpointed loop", NULL);
  *loop = (struct __nabla_checkpointed){
      .scheme = scheme, .start = start, .steps = steps, .left = steps, .count = count};
  loop->until = steps == UNKNOWN;
  if (loop->until)
    loop->left = INT64_MAX;
  memcpy(loop->regions, regions, count * sizeof *regions);
  loop->state = scheme->init(data, steps, bytes);
  return loop;
}

static void run_to_the_end(struct __nabla_checkpointed *loop, void *environment,
                           __nabla_checkpoint_run *run) {
  EnzymeCkptAction action = {0};
  while (loop->steps == UNKNOWN) {
    loop->scheme->next_action(loop->state, &action);
    demand(serve(loop, &action, environment, run),
           "the scheme does not go on, and the loop has not ended");
  }
}

struct __nabla_checkpointed *__nabla_checkpoint_forward(const EnzymeCheckpointScheme *scheme,
                                                        void *data, int64_t start, int64_t steps,
                                                        const EnzymeCkptRegion *regions,
                                                        uint64_t count, void *environment,
                                                        __nabla_checkpoint_run *run) {
  struct __nabla_checkpointed *loop = begin(scheme, data, start, steps, regions, count);
  EnzymeCkptAction action = {0};
  if (steps == 0)
    return loop;
  if (loop->until) {
    run_to_the_end(loop, environment, run);
    return loop;
  }
  for (scheme->next_action(loop->state, &action); serve(loop, &action, environment, run);)
    scheme->next_action(loop->state, &action);
  demand(action.flag == ENZYME_CKPT_FIRSTUTURN && action.iteration == steps &&
             loop->here == steps - 1,
         "the scheme does not come to the last step");
  store(loop, SLOT_LAST, loop->here);
  run(environment, start + loop->here);
  return loop;
}

static void turn_back(struct __nabla_checkpointed *loop, void *environment,
                      __nabla_checkpoint_turn *turn) {
  demand(loop->here == loop->left - 1, "the scheme reverses a step out of turn");
  turn(environment, loop->start + loop->here);
  loop->left--;
  loop->here = NOWHERE;
}

static void reverse_others(struct __nabla_checkpointed *loop, void *environment,
                           __nabla_checkpoint_run *run, __nabla_checkpoint_turn *turn) {
  EnzymeCkptAction action = {0};
  for (;;) {
    loop->scheme->next_action(loop->state, &action);
    if (serve(loop, &action, environment, run))
      continue;
    if (action.flag == ENZYME_CKPT_DONE)
      break;
    if (action.flag == ENZYME_CKPT_RESTORE) {
      demand(action.iteration >= 0 && action.iteration < loop->left && action.cpnum >= 0,
             "the scheme goes back to a state that is not wanted");
      restore(loop, action.cpnum, action.iteration);
    } else {
      int first = loop->left == loop->steps;
      demand(action.flag == (first ? ENZYME_CKPT_FIRSTUTURN : ENZYME_CKPT_UTURN) &&
                 action.iteration == loop->left,
             "the scheme asks for what the protocol does not know here");
      turn_back(loop, environment, turn);
    }
  }
  demand(loop->left == 0, "the scheme ends before all steps are reversed");
}

void __nabla_checkpoint_reverse(struct __nabla_checkpointed *loop, void *environment,
                                __nabla_checkpoint_run *run, __nabla_checkpoint_turn *turn) {
  if (loop->steps) {
    store(loop, SLOT_BEHIND, loop->steps);
    if (!loop->until) {
      restore(loop, SLOT_LAST, loop->steps - 1);
      turn_back(loop, environment, turn);
    }
    reverse_others(loop, environment, run, turn);
    restore(loop, SLOT_BEHIND, loop->steps);
  }
  loop->scheme->finalize(loop->state);
  free(loop);
}
