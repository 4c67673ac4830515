// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The working copy of a primal, in canonical form.
 *
 * Canonical: reducible, loop-simplify and LCSSA form, at most one return, no switch-made
 * irreducibility; each loop has an i64 counter (0 in the first instance of its header); affine
 * integer and pointer recurrences are expressions of that counter; where a loop's trip count is
 * known at entry it is a value, as far out as it is invariant; the counter's value at each exit is
 * a value; where control flow joins, the decision which way was taken is a value. */
#ifndef NABLA_PREPARE_H
#define NABLA_PREPARE_H

#include "request/request.h"

typedef struct NbWorkLoop {
  LLVMBasicBlockRef header, preheader, latch;
  struct NbWorkLoop *parent;
  unsigned depth;       /* 1: outermost */
  unsigned index;       /* in NbWork.loops; outer before inner */
  LLVMValueRef counter; /* i64 phi of the header */
  LLVMValueRef trips;   /* instances of the header, i64, known at entry; else NULL */
} NbWorkLoop;

typedef struct NbWorkBlock {
  LLVMBasicBlockRef block;
  unsigned index;
  NbWorkLoop *loop; /* innermost; NULL */
  bool returns;     /* can the return be reached from here? */
  unsigned count;   /* predecessors, each once */
  struct NbWorkBlock **predecessors;
  /* With two or more predecessors, in a block that is no loop header: the integer which says
   * where control came from; `cases[i]` is its value for predecessor i. */
  LLVMValueRef decision;
  uint64_t *cases;
  /* Counters' values on leaving loops into this block, outer loops first. */
  unsigned exit_count;
  NbWorkLoop **exit_loops;
  LLVMValueRef *exit_counts;
} NbWorkBlock;

typedef struct NbWork {
  NbContext *context;
  const NbRequest *request;
  LLVMValueRef function;
  unsigned block_count, loop_count;
  NbWorkBlock *blocks; /* in reverse postorder: every definition's block before its uses' */
  NbWorkLoop *loops;
  NbMap *block_of;          /* LLVMBasicBlockRef -> NbWorkBlock */
  LLVMValueRef return_inst; /* the one `ret`; NULL where the function never returns */
  unsigned inlined;         /* calls, by nb_prepare_inline */
  NbMap *unwinds;           /* for prepare/unwind.c: condition -> NbUnwind */
  NbMap *landings;          /* LLVMBasicBlockRef -> NbLanding */
  NbMap *invokes;           /* calls to the invokes that they became again */
  struct NbReplay *replay;  /* for emit/replay.c; NULL: the primal runs with its derivative */
} NbWork;

/* Makes the working copy: a new internal function with the primal's parameters and result; behind
 * the parameters stand their shadows and, in reverse mode, the tape, all without uses yet. NULL
 * where the function is refused. */
NbWork *nb_prepare(NbContext *context, const NbRequest *request);
/* Must calls of the function with a body, in a copy of `function`, stay calls? */
bool nb_prepare_stays(NbContext *context, LLVMValueRef function, LLVMValueRef callee);
/* Inlines those of the calls whose callees do not call themselves, and simplifies the working copy
 * again; says whether there were any. False where the copy is refused now. */
bool nb_prepare_inline(NbWork *work, const NbList *calls, bool *inlined);
/* The second half, after nb_types_rewrite_carriers: finds blocks and loops, inserts counters, trip
 * counts, exits and decisions. Changes no block. */
void nb_prepare_flow(NbWork *work);
NbWorkBlock *nb_work_block(const NbWork *work, LLVMBasicBlockRef block);
NbWorkBlock *nb_work_block_of(const NbWork *work, LLVMValueRef instruction);
/* Does `outer` contain `inner`? NULL stands for the function, which contains every loop. */
bool nb_work_loop_contains(const NbWorkLoop *outer, const NbWorkLoop *inner);
/* Is the block the header of its innermost loop? */
bool nb_work_is_header(const NbWorkBlock *block);
bool nb_work_is_innermost(const NbWork *work, const NbWorkLoop *loop);
/* Is an innermost loop left from its latch alone, so that all iterations are complete? */
bool nb_work_is_left_at_end(const NbWork *work, const NbWorkLoop *loop);
/* The block's first instruction that is no phi. */
LLVMValueRef nb_work_first_after_phis(LLVMBasicBlockRef block);
/* The first instruction that something may stand before that is computed from phis of the block. */
LLVMValueRef nb_work_place_after_phis(LLVMBasicBlockRef block);
/* Is it a stack array of the function's frame: of a size known now, and there from the entry on?
 * Any other alloca gives a new array whenever it runs. */
bool nb_work_is_frame_array(const NbWork *work, LLVMValueRef value);
/* Index of a predecessor in `block`. */
unsigned nb_work_predecessor(const NbWorkBlock *block, const NbWorkBlock *predecessor);

#endif
