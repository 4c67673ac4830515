// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a function overwrites of the memory of others, so that it can be put back: where a
 * derivative of the user's is called for each of several directions, all but the last call leave
 * the primal's memory as it was. */
#ifndef NABLA_RUNTIME_UNDO_H
#define NABLA_RUNTIME_UNDO_H

#include "memory.h"

/* The engine knows the layout: two pointers, two sizes. To start, all are zero but `function`
 * (memory.h). */
struct __nabla_undo {
  const char *function;
  char *bytes;
  uint64_t size, capacity;
};

/* Before `bytes` bytes are overwritten. */
void __nabla_undo_note(struct __nabla_undo *undo, void *memory, uint64_t bytes);
/* Puts all of them back, the last first, and keeps nothing. */
void __nabla_undo_all(struct __nabla_undo *undo);

#endif
