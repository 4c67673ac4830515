// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Records that are read in the order in which they were written: what a run of a function leaves
 * for forward mode that comes later (__enzyme_fwdsplit). They never move. */
#ifndef NABLA_RUNTIME_QUEUE_H
#define NABLA_RUNTIME_QUEUE_H

#include "memory.h"

struct __nabla_queue_segment;

/* One who writes, or one who reads. The engine knows the layout: six pointers. To start, all are
 * zero but: to write, `function` and `budget` (memory.h); to read, `first`. When all is written,
 * `first` is what to keep; NULL where nothing was. */
struct __nabla_queue {
  struct __nabla_queue_segment *first, *current;
  char *cursor, *end;
  const char *function;
  uint64_t *budget;
};

/* Room for a new record, uninitialised, aligned to 8. */
void *__nabla_queue_push(struct __nabla_queue *queue, uint64_t bytes);
/* The next record, which was pushed with the same `bytes`. */
void *__nabla_queue_next(struct __nabla_queue *queue, uint64_t bytes);
/* Frees all records. */
void __nabla_queue_free(struct __nabla_queue_segment *first);

#endif
