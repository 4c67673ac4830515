// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops whose gradient takes little memory: of the states of a time loop only some are kept, and
 * the reverse sweep runs steps again from these (docs/checkpointing.md).
 *
 *   __enzyme_checkpoint_for(step, start, n, enzyme_scheme, &EnzymeCkptRevolve, &config,
 *                           arguments...);
 *
 * runs `for (i = start; i < start + n; i++) step(i, arguments...)`, and
 *
 *   __enzyme_checkpoint_while(step, enzyme_scheme, &EnzymeCkptRevolve, &config, arguments...);
 *
 * runs `i = 0; while (step(i++, arguments...));`. The names and layouts are those that existing
 * code uses. */
#ifndef NABLA_CHECKPOINT_H
#define NABLA_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ENZYME_CKPT_ABI_VERSION 1

/* What a scheme asks for next. Steps count from 0; step s is called with i = start + s. */
enum {
  ENZYME_CKPT_NONE = 0,
  ENZYME_CKPT_STORE = 1,      /* keep the state, that before step `iteration`, as `cpnum` */
  ENZYME_CKPT_RESTORE = 2,    /* go back to what `cpnum` holds, the state before `iteration` */
  ENZYME_CKPT_FORWARD = 3,    /* run the steps from `startiteration` up to, without, `iteration` */
  ENZYME_CKPT_FIRSTUTURN = 4, /* run and reverse step `iteration` - 1, the last of the loop */
  ENZYME_CKPT_UTURN = 5,      /* run and reverse step `iteration` - 1 */
  ENZYME_CKPT_ERROR = 6,
  ENZYME_CKPT_DONE = 7
};

typedef struct EnzymeCkptAction {
  int32_t flag;
  int64_t iteration;
  int64_t startiteration;
  int64_t cpnum;
} EnzymeCkptAction;

/* A part of the state. */
typedef struct EnzymeCkptRegion {
  void *ptr;
  uint64_t bytes;
  uint32_t addrspace;
  uint32_t flags;
} EnzymeCkptRegion;

/* Who decides which states are kept, and keeps them. Slots count from 0; besides those that it asks
 * for itself, a scheme must keep slot -2, the state before the last step, and slot -1, the state
 * behind the loop. */
typedef struct EnzymeCheckpointScheme {
  uint32_t version; /* ENZYME_CKPT_ABI_VERSION */
  /* `data` stands behind the scheme in the call; `nsteps` is -1 where it is not known yet; a state
   * has `snapshot_bytes`. What it returns is the `state` of all others. */
  void *(*init)(void *data, int64_t nsteps, uint64_t snapshot_bytes);
  void (*next_action)(void *state, EnzymeCkptAction *out);
  void (*store)(void *state, int64_t slot, int64_t step, const EnzymeCkptRegion *regions,
                uint64_t nregions);
  void (*restore)(void *state, int64_t slot, int64_t step, const EnzymeCkptRegion *regions,
                  uint64_t nregions);
  /* The loop has ended, and the state is that behind it: what comes next leads to the last step.
   * May be NULL. */
  void (*set_nsteps)(void *state, int64_t nsteps);
  void (*finalize)(void *state);
  /* NULL: nabla knows the state, and a scheme cannot bring its own. */
  void (*save_state)(void *state, int64_t slot, int64_t step, void *env);
  void (*load_state)(void *state, int64_t slot, int64_t step, void *env);
  void (*set_paths)(void *state, const int64_t *paths, uint64_t len);
} EnzymeCheckpointScheme;

/* What a run took. */
typedef struct EnzymeCkptStats {
  int64_t forward_steps; /* steps run because the scheme asked to go on */
  int64_t taped_steps;   /* steps reversed */
  int64_t stores;
  int64_t restores;
  int64_t max_slots; /* most slots in use at once, without -1 and -2 */
  uint64_t max_bytes;
} EnzymeCkptStats;

/* The `data` of the three schemes below. */
typedef struct EnzymeCkptConfig {
  int64_t snapshots; /* Revolve: most slots; periodic: most segments; 0: the root of the steps */
  int verbose;       /* 1: a summary, 2: each action, on the standard error output */
  const char *spill_dir;  /* NULL: all slots lie in memory */
  uint64_t mem_budget;    /* else those that begin behind so many bytes lie in a file there */
  EnzymeCkptStats *stats; /* NULL, or where to put what the run took, when it is done */
} EnzymeCkptConfig;

void *__nabla_checkpoint_revolve(void *data, int64_t steps, uint64_t bytes);
void *__nabla_checkpoint_periodic(void *data, int64_t steps, uint64_t bytes);
void *__nabla_checkpoint_store_all(void *data, int64_t steps, uint64_t bytes);
void __nabla_checkpoint_next(void *state, EnzymeCkptAction *action);
void __nabla_checkpoint_put(void *state, int64_t slot, int64_t step,
                            const EnzymeCkptRegion *regions, uint64_t count);
void __nabla_checkpoint_get(void *state, int64_t slot, int64_t step,
                            const EnzymeCkptRegion *regions, uint64_t count);
void __nabla_checkpoint_steps_known(void *state, int64_t steps);
void __nabla_checkpoint_finish(void *state);

#define NABLA_CHECKPOINT_SCHEME(init)                                                              \
  {ENZYME_CKPT_ABI_VERSION,                                                                        \
   init,                                                                                           \
   __nabla_checkpoint_next,                                                                        \
   __nabla_checkpoint_put,                                                                         \
   __nabla_checkpoint_get,                                                                         \
   __nabla_checkpoint_steps_known,                                                                 \
   __nabla_checkpoint_finish,                                                                      \
   NULL,                                                                                           \
   NULL,                                                                                           \
   NULL}

/* Fewest steps for a number of slots (Griewank and Walther, "Algorithm 799: revolve", ACM TOMS 26,
 * 2000); little more where the number of steps is known only when the loop ends. */
__attribute__((unused)) static const EnzymeCheckpointScheme EnzymeCkptRevolve =
    NABLA_CHECKPOINT_SCHEME(__nabla_checkpoint_revolve);
/* The state at the start of each segment, and each state of the segment being reversed. */
__attribute__((unused)) static const EnzymeCheckpointScheme EnzymeCkptPeriodic =
    NABLA_CHECKPOINT_SCHEME(__nabla_checkpoint_periodic);
/* Every state: no step runs again. */
__attribute__((unused)) static const EnzymeCheckpointScheme EnzymeCkptStoreAll =
    NABLA_CHECKPOINT_SCHEME(__nabla_checkpoint_store_all);

extern int enzyme_scheme;
extern int enzyme_checkpoint_region;

void __enzyme_checkpoint_for(void *step, int64_t start, int64_t n, ...);
void __enzyme_checkpoint_while(void *step, ...);

/* Stands at the top of the body of a loop, which is checkpointed as it stands: one of the schedules
 * below; `budget` is the `snapshots` of a configuration. */
void __enzyme_set_checkpointing(int64_t schedule, int64_t budget);

enum {
  ENZYME_CKPT_SCHEDULE_NONE = 0, /* as if nothing stood there */
  ENZYME_CKPT_SCHEDULE_PERIODIC = 1,
  ENZYME_CKPT_SCHEDULE_REVOLVE = 2,
  ENZYME_CKPT_SCHEDULE_STORE_ALL = 3,
  ENZYME_CKPT_SCHEDULE_BINOMIAL = 4 /* revolve, too */
};

#ifdef __cplusplus
}
#endif

#endif
