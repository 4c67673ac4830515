// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Checkpointed loops. A call of __enzyme_checkpoint_for or __enzyme_checkpoint_while becomes a call
 * of a function of its own, the loop function, whose body is the plain loop: that is what the
 * primal and forward mode run. In reverse mode a scheme decides which states are kept, and each
 * step is reversed right behind its forward sweep (runtime/checkpoint.h).
 *
 * A call of __enzyme_fixed_point is such a loop, too: there the state in which it ends is kept, and
 * both modes repeat the derivative of a step at that state (runtime/fixed_point.h).
 *
 * Parameters of a loop function: `i64 start, i64 count, ptr scheme, ptr data`, for each region that
 * the user gave `ptr, i64 bytes`, then those of the step behind its first, then the sizes of what
 * these lead into, where the caller knows them. Where a step says when the loop ends, the count is
 * NB_CHECKPOINT_UNKNOWN. Of a loop to a fixed point there are, behind the count, `ptr control,
 * double reduction, i64 limit`, and its states are the first of the regions. */
#ifndef NABLA_CHECKPOINT_CHECKPOINT_H
#define NABLA_CHECKPOINT_CHECKPOINT_H

#include "linear/linear.h"
#include "request/request.h"

enum {
  NB_CHECKPOINT_START,
  NB_CHECKPOINT_COUNT,
  NB_CHECKPOINT_SCHEME,
  NB_CHECKPOINT_DATA,
  NB_CHECKPOINT_REGIONS
};

enum {
  NB_FIXED_CONTROL = NB_CHECKPOINT_COUNT + 1,
  NB_FIXED_REDUCTION,
  NB_FIXED_LIMIT,
  NB_FIXED_REGIONS
};

enum { NB_CHECKPOINT_UNKNOWN = -1 };

/* A parameter leads so many bytes behind the start of a variable or an allocation of the caller's,
 * of which another one says how many bytes it has. */
typedef struct NbCheckpointObject {
  unsigned parameter, bytes;
  int64_t offset;
} NbCheckpointObject;

typedef struct NbCheckpoint {
  LLVMValueRef function; /* the loop function */
  LLVMValueRef step;
  unsigned regions; /* that the user gave */
  bool until;       /* does a step say when the loop ends? */
  bool fixed;       /* does it come to a fixed point? */
  unsigned states;  /* of which so many regions, the first, are the state */
  NbLayout *behind; /* each parameter, as the code around the call knows it; else: no pieces */
  bool marked;      /* does the loop stand in the source as one? */
  NbCheckpointObject *objects;
  unsigned object_count;
} NbCheckpoint;

/* At the start of the pipeline: marked loops become calls of __enzyme_checkpoint_for or
 * __enzyme_checkpoint_while. Returns true where there were any. */
bool nb_checkpoint_collect(NbContext *context);
/* Replaces the collected calls by calls of loop functions. Returns true where there were any. */
bool nb_checkpoint_serve(NbContext *context);
/* What is known of a loop function or a copy of one; NULL for every other function. */
const NbCheckpoint *nb_checkpoint_of(const NbContext *context, LLVMValueRef function);
/* The same of the function of a request; NULL where its loops are to be as any other. */
const NbCheckpoint *nb_checkpoint_asked(const NbContext *context, const NbRequest *request);
/* The call of the loop function in the user's code, which stages may write anew; where it is gone,
 * the step. */
LLVMValueRef nb_checkpoint_call(const NbContext *context, const NbCheckpoint *loop);
/* Is the function the body of a loop that stands in the source as one? */
bool nb_checkpoint_is_marked(LLVMValueRef step);
/* The bytes of the variable or the allocation that the pointer leads into, `*offset` bytes behind
 * its start; NULL where that is not known. What has to be computed is before the builder's place.
 */
LLVMValueRef nb_checkpoint_bytes(const NbContext *context, LLVMBuilderRef builder,
                                 LLVMValueRef pointer, int64_t *offset);
/* The same of what a parameter of the loop function leads into, as a constant or a value of
 * `function`, which has the parameters of that one. */
LLVMValueRef nb_checkpoint_bytes_behind(const NbContext *context, const NbCheckpoint *loop,
                                        unsigned parameter, LLVMValueRef function, int64_t *offset);
/* What a call of the step says of how its integers are passed. */
void nb_checkpoint_copy_extension(LLVMValueRef call, LLVMValueRef step);
/* The parameter of the loop function that is the step's parameter `index`, which is not 0. */
unsigned nb_checkpoint_parameter(const NbCheckpoint *checkpoint, unsigned index);
/* The parameter of the loop function that leads to region `index`; its bytes come next. */
unsigned nb_checkpoint_region(const NbCheckpoint *checkpoint, unsigned index);

/* A part of the state: what a step may change, or what may change behind the loop. */
typedef struct NbStateRegion {
  LLVMValueRef global; /* the whole of it; NULL */
  unsigned pointer;    /* else that parameter of the loop function, and */
  unsigned bytes;      /* this one, NB_STATE_MEASURED: as the measuring function says */
  uint64_t extent;     /* how far that goes behind the parameter at most; NB_UNKNOWN_SIZE */
  bool written;        /* do steps change it? */
} NbStateRegion;

#define NB_STATE_MEASURED (~0u)

typedef struct NbState {
  unsigned count;
  NbStateRegion *regions;
  /* Of a pointer whose extent is not known: it must lead into what the user gave. */
  unsigned unknown_count;
  unsigned *unknown;
  /* Takes what the loop function does, and as parameter `out` memory for all regions, of which it
   * fills in those that are to be measured; its others are not used. NULL where there are none. */
  LLVMValueRef measure;
  unsigned out;
} NbState;

/* A region as the runtime has it (EnzymeCkptRegion). */
LLVMTypeRef nb_checkpoint_region_type(NbContext *context);
/* The state of the loop function that the request is for; NULL where it was refused: steps do what
 * cannot be done again, or what they change cannot be known. */
NbState *nb_checkpoint_state(NbContext *context, const NbRequest *request);
/* Before the derivative of what `call` calls is asked for: if that is a loop to a fixed point,
 * notes what is known of its regions. False where it was refused. */
bool nb_fixed_note_regions(const NbLinear *linear, LLVMValueRef call);
/* Writes the augmented forward and the reverse of a loop function whose linear program is given, or
 * the forward derivative of a loop to a fixed point; false where it was refused. `*empty`: nothing
 * in it has a derivative, and nothing was written. */
bool nb_checkpoint_emit(NbContext *context, NbDerivative *derivative, const NbLinear *linear,
                        bool *empty);

/* Is no derivative of a loop to a fixed point a part of `function`? False where that was refused:
 * it has no derivative. */
bool nb_fixed_allows(NbContext *context, LLVMValueRef function);
/* A derivative of `function` was refused: says so where it runs gradients of checkpointed loops. */
void nb_checkpoint_explain(NbContext *context, LLVMValueRef function);

#endif
