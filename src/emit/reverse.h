// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Shared by the files that print the reverse sweep only. */
#ifndef NABLA_EMIT_REVERSE_H
#define NABLA_EMIT_REVERSE_H

#include "emit/tangent.h"
#include "emit/tape.h"

/* The way into the reverse of a loop. Where there is only one, what does not change in the loop is
 * looked up there, once. */
typedef struct NbLoopEntry {
  unsigned count;         /* of edges that lead there */
  LLVMBasicBlockRef edge; /* NULL: not printed yet */
  NbMap *memo;
} NbLoopEntry;

typedef struct NbReverse {
  const NbPlan *plan;
  NbLinear *linear;
  NbContext *context;
  LLVMValueRef function;
  LLVMBuilderRef builder; /* where the sweep is printed */
  LLVMBuilderRef entry;   /* variables: allocated and cleared at the function's entry */
  NbTapeView view;
  const NbWorkLoop *place;        /* the innermost loop around what is being printed */
  NbLoopEntry *entries;           /* by NbWorkLoop.index */
  NbMap *memo;                    /* primal value -> the same value in the block being printed */
  NbMap *adjoints;                /* primal value -> its variable (emit/adjoint.c) */
  LLVMBasicBlockRef *blocks;      /* by NbWorkBlock.index */
  LLVMValueRef *counter, *total;  /* variables by NbWorkLoop.index; NULL: none yet */
  LLVMValueRef *base[NB_ROOMS];   /* the same, of each room */
  LLVMValueRef *stacks[NB_ROOMS]; /* by NbWorkLoop.index: where the stacks of records are read */
  LLVMValueRef *last;             /* the same: of a loop that runs upward, its last counter */
  LLVMValueRef released; /* variable: the shadows of what the primal freed; NULL: none yet */
  LLVMBasicBlockRef end;
  bool again; /* the tape is left as it was */
  bool ok;
} NbReverse;

/* The one door: the primal value `value` at the place that is being printed, as the plan says. */
LLVMValueRef nb_reverse_value(NbReverse *reverse, LLVMValueRef value);
/* Forgets what was looked up: another block is being printed. */
void nb_reverse_forget(NbReverse *reverse);

/* Flags for adding to an adjoint: contributions commute, since their order is nobody's. */
unsigned nb_adjoint_flags(LLVMValueRef origin);
/* The type of the adjoint of a value of type `type`. */
LLVMTypeRef nb_adjoint_type(const NbReverse *reverse, LLVMTypeRef type);
/* The adjoint of an active value; zero for others. */
LLVMValueRef nb_adjoint_get(NbReverse *reverse, LLVMValueRef value);
/* Reads it and sets it to zero. */
LLVMValueRef nb_adjoint_take(NbReverse *reverse, LLVMValueRef value);
/* Adds to it; nothing for values that are NULL or inactive. */
void nb_adjoint_add(NbReverse *reverse, LLVMValueRef value, LLVMValueRef amount);
/* The same for what was moved, of which the run may have to tell what it is: the linear program's
 * words. What is computed with is what it seems to be. */
void nb_adjoint_move(NbReverse *reverse, LLVMValueRef value, LLVMValueRef amount);
/* Adds the adjoint of a number that is one of the linear program's words to that in memory. */
void nb_adjoint_give(NbReverse *reverse, LLVMValueRef value, const LLVMValueRef *addresses,
                     LLVMValueRef amount);
/* When all is printed: those that one block knows are cleared there, no longer at the entry. */
void nb_adjoints_clear_late(NbReverse *reverse);

/* A variable of the reverse function, cleared at its entry. */
LLVMValueRef nb_reverse_variable(NbReverse *reverse, LLVMTypeRef type, const char *name);

/* Prints the transpose of the statement. */
void nb_transpose(NbReverse *reverse, const NbStatement *statement);

#endif
