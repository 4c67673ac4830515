// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that are checkpointed by a call, LOOP, or as they stand, by MARK; `budget` states are kept.
 * The reference runs the plain loops. */
#ifndef NB_LOOPS_OF_STEPS_H
#define NB_LOOPS_OF_STEPS_H

#include "cases.h"

#if defined(__cplusplus) && !defined(NB_SUBJECT)
#define MARK(budget)
template <typename Step, typename... Arguments>
static void repeat(Step step, int64_t count, int budget, Arguments... arguments) {
  (void)budget;
  for (int64_t i = 0; i < count; i++)
    step(i, arguments...);
}
#define LOOP(step, count, budget, ...) repeat(step, count, budget, __VA_ARGS__)
#else
#include <enzyme/checkpoint.h>
#define MARK(budget) __enzyme_set_checkpointing(ENZYME_CKPT_SCHEDULE_REVOLVE, budget)
#define LOOP(step, count, budget, ...)                                                             \
  EnzymeCkptConfig config = {.snapshots = budget};                                                 \
  __enzyme_checkpoint_for((void *)step, 0, count, enzyme_scheme, &EnzymeCkptRevolve, &config,      \
                          __VA_ARGS__)
#endif

#endif
