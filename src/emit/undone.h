// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies of derivatives of the user's that leave the primal's memory as it was. */
#ifndef NABLA_EMIT_UNDONE_H
#define NABLA_EMIT_UNDONE_H

#include "request/request.h"

/* Where a pointer may lead. */
typedef enum NbWhere {
  NB_WHERE_OWN = 1,    /* what the function allocates, on the stack or the heap */
  NB_WHERE_TAPE = 2,   /* and the place of its tape */
  NB_WHERE_SHADOW = 4, /* in the direction that it is called for */
  NB_WHERE_PRIMAL = 8, /* and memory of the primal */
  NB_WHERE_UNKNOWN = 16
} NbWhere;

enum { NB_WHERES = 5 };

/* Where pointers lead that lie there, for each of them; of one pair of halves, the first of which
 * was looked at before. */
typedef struct NbWhereHeld {
  unsigned in[NB_WHERES];
} NbWhereHeld;

/* A copy of `function`, whose parameters lead to `places`, with one parameter more: what is
 * overwritten of the primal's memory is noted there (runtime/undo.h). The function itself where
 * that is nothing; `*reason` and NULL where it cannot be told or put back. */
LLVMValueRef nb_undone_copy(NbContext *context, LLVMValueRef function, const unsigned *places,
                            NbWhereHeld *held, const char **reason);
/* What is held when nothing was looked at. */
NbWhereHeld nb_where_held(void);

#endif
