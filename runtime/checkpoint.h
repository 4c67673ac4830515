// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The two sweeps over a loop that keeps some of its states. A scheme (nabla/checkpoint.h) says what
 * comes next; what it asks for is checked, so that a wrong one ends the program, not in a wrong
 * gradient.
 *
 * `run` runs a step and returns whether to go on, `turn` runs it and adds to the adjoints; both get
 * `environment` and the number of the step, counted from `start`. */
#ifndef NABLA_RUNTIME_CHECKPOINT_H
#define NABLA_RUNTIME_CHECKPOINT_H

#include "nabla/checkpoint.h"

typedef int32_t __nabla_checkpoint_run(void *environment, int64_t index);
typedef void __nabla_checkpoint_turn(void *environment, int64_t index);

/* Of a loop that ends where a step says so. */
enum { __NABLA_CHECKPOINT_UNKNOWN = -1 };

struct __nabla_checkpointed;

/* Runs all steps. What it returns is for the reverse sweep, which frees it. The regions are copied,
 * the memory that they name must be there, and hold the same, in the reverse sweep. */
struct __nabla_checkpointed *__nabla_checkpoint_forward(const EnzymeCheckpointScheme *scheme,
                                                        void *data, int64_t start, int64_t steps,
                                                        const EnzymeCkptRegion *regions,
                                                        uint64_t count, void *environment,
                                                        __nabla_checkpoint_run *run);
/* Reverses all steps, and leaves the state as it found it. */
void __nabla_checkpoint_reverse(struct __nabla_checkpointed *loop, void *environment,
                                __nabla_checkpoint_run *run, __nabla_checkpoint_turn *turn);
/* Fails where the pointer leads into none of the regions. */
void __nabla_checkpoint_check(const void *pointer, const EnzymeCkptRegion *regions, uint64_t count);
/* Fails where the shadow lies between the elements of the state, which would be put back over it.
 * `own` is the region that was measured behind `primal`; NULL: none was. */
void __nabla_checkpoint_apart(const void *primal, const void *shadow, const EnzymeCkptRegion *own,
                              const EnzymeCkptRegion *regions, uint64_t count);
/* Says why, and aborts. */
_Noreturn void __nabla_checkpoint_fail(const char *reason);

#endif
