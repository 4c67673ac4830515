// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The instructions of a function that change memory, by the memory that they may change: who asks
 * about one class of memory does not go through those of all others. */
#ifndef NABLA_EFFECTS_WRITERS_H
#define NABLA_EFFECTS_WRITERS_H

#include "objects/graph.h"
#include "objects/objects.h"
#include "prepare/prepare.h"

/* What a callee does that changes memory, or ends its life. */
enum {
  NB_WRITER_ENDS = NB_CLASS_FREED | NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE,
  NB_WRITER_CHANGES = NB_WRITER_ENDS | NB_CLASS_WRITTEN
};

typedef struct NbWriter {
  LLVMValueRef inst;
  NbWorkBlock *block;
  unsigned position; /* in its block */
  unsigned index;    /* among all writers */
} NbWriter;

/* Writers by class, each list in the order of the function: those of the class's own memory, those
 * of any that memory from outside may overlap, and those of which no more is known. */
typedef struct NbWriterIndex {
  NbMap *inside;
  NbList outside, anywhere;
} NbWriterIndex;

typedef struct NbWriters {
  NbWork *work;
  NbObjects *objects;
  NbMap *named;          /* see effects/named.h */
  NbMap *position;       /* instruction -> position in its block, plus one */
  NbWriterIndex written; /* by the pointer they write through; calls are anywhere */
  NbWriterIndex calls;   /* calls, by what their callees change */
  NbList enders;         /* calls that may end the life of memory */
  /* Calls that change a library's own memory alone: all, and those whose results lead there, so
   * that what code elsewhere hands on may be it. */
  NbList libraries, givers;
} NbWriters;

/* Finds those of the function. `spared`: writers that count as none. */
void nb_writers_find(NbWriters *writers, NbWork *work, NbObjects *objects, const NbMap *spared);
/* May two classes be the same memory? Arguments may overlap, whatever is known of them here. */
bool nb_writers_meet(const NbWriters *writers, NbClass *one, NbClass *other);

/* An iteration, in the order of the function. */
typedef struct NbCandidates {
  const NbList *lists[4];
  unsigned count, next[4];
} NbCandidates;

/* All writers that may change memory of the class, and maybe some others. `by_bodies`: without
 * calls of which the callee's body says that they do not. */
NbCandidates nb_writers_of(const NbWriters *writers, NbClass *class, bool by_bodies);
/* The next of them, NULL after the last. */
const NbWriter *nb_writers_next(NbCandidates *candidates);

#endif
