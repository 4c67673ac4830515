// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the schemes of nabla's own keep states: in memory, and beyond a budget in a file. */
#ifndef NABLA_RUNTIME_CHECKPOINT_STORE_H
#define NABLA_RUNTIME_CHECKPOINT_STORE_H

#include "nabla/checkpoint.h"

/* Slots count from 0 here. To start, all is zero but `bytes`, `folder` and `budget`. */
struct __nabla_checkpoint_store {
  uint64_t bytes;     /* of a state */
  const char *folder; /* NULL: no file */
  uint64_t budget;    /* slots that begin behind so many bytes lie in the file */
  int64_t room;       /* of the two arrays */
  void **memory;      /* by slot; NULL: none yet */
  uint8_t *filled;    /* by slot */
  int file;           /* the descriptor, plus one */
};

void __nabla_checkpoint_store_put(struct __nabla_checkpoint_store *store, uint64_t slot,
                                  const EnzymeCkptRegion *regions, uint64_t count);
void __nabla_checkpoint_store_get(struct __nabla_checkpoint_store *store, uint64_t slot,
                                  const EnzymeCkptRegion *regions, uint64_t count);
void __nabla_checkpoint_store_free(struct __nabla_checkpoint_store *store);

#endif
