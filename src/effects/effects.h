// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which memory of the primal still holds at the reverse sweep what a load or a callee saw.
 *
 * The reverse sweep writes no primal memory, so the answer is a property of the load alone: nothing
 * after it, in this iteration, a later one, or the caller after a split return, writes or frees
 * what it read. */
#ifndef NABLA_EFFECTS_H
#define NABLA_EFFECTS_H

#include "activity/activity.h"
#include "objects/objects.h"
#include "prepare/prepare.h"

typedef struct NbEffects NbEffects;

/* What becomes of memory that a load reads before the reverse sweep. */
typedef enum NbLossKind {
  NB_LOSS_NONE,
  NB_LOSS_VOLATILE,    /* volatile or atomic accesses are not repeated */
  NB_LOSS_OVERWRITTEN, /* by `writer` */
  NB_LOSS_ARGUMENT,    /* by callers, to which it belongs, after the forward sweep */
  NB_LOSS_REACHED,     /* the same; it is global, or found through other memory */
  NB_LOSS_GONE,        /* a stack array that is made anew in each iteration */
  NB_LOSS_BUDGET,      /* too much writes to memory for all to be looked at */
  NB_LOSS_UNASKED      /* the load was made later, or nobody wants to know */
} NbLossKind;

typedef struct NbLoss {
  NbLossKind kind;
  LLVMValueRef writer;
} NbLoss;

/* Answers for the loads and calls that the working copy has now. */
NbEffects *nb_effects_of(NbWork *work, NbObjects *objects, NbActivity *activity);
/* The allocas that run more than once or whose size is known only at run time, and whose memory
 * lives until the reverse sweep comes back to them: the keys. */
const NbMap *nb_effects_kept_arrays(const NbEffects *effects);
/* The call that frees what `call` allocates, or that allocates what `call` frees, where the free
 * waits for the reverse sweep; else NULL. */
LLVMValueRef nb_effects_delayed(const NbEffects *effects, LLVMValueRef call);
/* May `load` be repeated in the reverse sweep? False for loads made later. */
bool nb_effects_reloadable(const NbEffects *effects, LLVMValueRef load);
/* Why it may not, what the function does before what its callers may do; NB_LOSS_NONE: it may. */
NbLoss nb_effects_loss(NbEffects *effects, LLVMValueRef load);
/* The load, made since, may be repeated. */
void nb_effects_note_lasting(NbEffects *effects, LLVMValueRef load);
/* Does what `load` reads stay as it is while the loop runs once, wherever it is read there? */
bool nb_effects_lasts_in(NbEffects *effects, LLVMValueRef load, const NbWorkLoop *loop);
/* Is there an instruction that may change what `load` reads, at any time, and of which `matters`
 * says so? True also where that would take too long to find out. Those in blocks of which `stands`,
 * which takes no time, says that they do not are not looked at. NULL: all do. */
bool nb_effects_changed_by(NbEffects *effects, LLVMValueRef load,
                           bool (*stands)(const void *data, const NbWorkBlock *block),
                           bool (*matters)(const void *data, LLVMValueRef writer),
                           const void *data);
/* Does the memory behind the argument stay as `call` leaves it until the reverse sweep? */
bool nb_effects_survives(const NbEffects *effects, LLVMValueRef call, unsigned argument);
/* Is the memory behind the argument still there at the reverse sweep, whatever it holds then? */
bool nb_effects_lasts(NbEffects *effects, LLVMValueRef call, unsigned argument);
/* A line a load and call: what may be read again, what survives, which frees wait. */
void nb_effects_print(const NbEffects *effects);
/* Can control go on from the end of the one block to the other? */
bool nb_effects_goes_on(const NbEffects *effects, const NbWorkBlock *from, const NbWorkBlock *to);

#endif
