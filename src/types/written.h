// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What was last written to the bytes that a call copies. Internal to the stage. */
#ifndef NABLA_TYPES_WRITTEN_H
#define NABLA_TYPES_WRITTEN_H

#include "types/facts.h"

enum { NB_MOST_WRITTEN = 256 };

typedef enum NbWrittenKind {
  NB_WRITTEN_OPEN,    /* no write was found */
  NB_WRITTEN_FRESH,   /* none since the memory was allocated */
  NB_WRITTEN_ZERO,    /* null bytes, of anything */
  NB_WRITTEN_NUMBER,  /* an integer, and no bits of a float */
  NB_WRITTEN_REST,    /* what is left of something of which a part was overwritten */
  NB_WRITTEN_POINTER, /* a whole one */
  NB_WRITTEN_FLOAT,   /* the same, of `type` */
  NB_WRITTEN_LOST     /* it is not known */
} NbWrittenKind;

/* What one byte is of. */
typedef struct NbWritten {
  NbWrittenKind kind;
  LLVMTypeRef type;
  uint64_t inside; /* how far behind its start */
} NbWritten;

/* Finds out for each byte that the call, which copies a constant number of them, reads: by the
 * writes that come last on all ways that lead there. False where one of the bytes is lost or open;
 * `hidden` is a call, to a function with a body, if what it writes is asked for. */
bool nb_types_find_written(NbTypes *types, LLVMValueRef call, const NbCall *what,
                           NbWritten written[NB_MOST_WRITTEN], LLVMValueRef *hidden);

#endif
