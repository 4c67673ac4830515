// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the primal reads from memory, what it gets from calls and where its own memory lies are the
 * points of a record: all else follows from them and the arguments. The forward derivative is
 * emitted as always; then what the primal does to memory is taken out of it, and of the points
 * those that still have a use are read from the record. Both functions have the same control flow,
 * so a point outside of loops has its place in a struct, the tape, and the others lie in a queue,
 * which is read in the order in which it was written. In a cycle of the call graph all of them do,
 * for the type of the tape must be known before.
 *
 * Whether a call has thrown is such a point, and so is what its landing is told. The derivative
 * never throws for the primal: where an exception left a callee, its derivative returns, and the
 * caller's reads that the call has thrown. So in the record, too, every call that may throw has a
 * landing, which leaves there what is read in that order. */
#include "emit/replay.h"

#include "emit/emit.h"
#include "emit/runtime.h"
#include "objects/graph.h"
#include "prepare/unwind.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define MARK "nabla.point"

enum { RECORD_ALIGNMENT = 8 };

typedef struct Point {
  LLVMValueRef there; /* in the recorded function */
  LLVMValueRef here;  /* in the derivative; NULL where it is gone */
  LLVMValueRef call;  /* of the callee's derivative, in place of it; NULL */
  const NbDerivative *callee;
  bool repeated;    /* in a loop */
  NbUnwind *unwind; /* in the recorded function, of the condition of its branch; NULL */
  unsigned field;   /* of the tape */
} Point;

typedef struct NbReplay {
  NbContext *context;
  LLVMValueRef recorded;
  Point *points;
  unsigned count;
  unsigned mark; /* metadata: the number of the point */
  NbDerivative *derivative;
  LLVMTypeRef tape;
  bool queues;  /* all points */
  NbWork *twin; /* the recorded function, for its invokes */
} NbReplay;

/* --- The points ------------------------------------------------------------------------------- */

/* Is what the load reads a constant of the program? */
static bool reads_constant(LLVMValueRef inst) {
  LLVMValueRef pointer = LLVMIsALoadInst(inst) ? LLVMGetOperand(inst, 0) : inst;
  while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAConstantExpr(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAGlobalVariable(pointer) && LLVMIsGlobalConstant(pointer);
}

static bool is_point(LLVMValueRef inst) {
  if (LLVMIsATerminatorInst(inst) || reads_constant(inst))
    return false;
  if (nb_unwind_is_told(inst))
    return true;
  LLVMValueRef callee = nb_is_call(inst) ? nb_callee(inst) : NULL;
  if (callee && LLVMCountBasicBlocks(callee))
    return true;
  return LLVMIsAAllocaInst(inst) || nb_memory_may_read_any(inst) || nb_memory_may_write_any(inst);
}

static void set_mark(const NbReplay *replay, LLVMValueRef inst, unsigned number) {
  LLVMContextRef llvm = replay->context->llvm;
  LLVMValueRef value = LLVMConstInt(LLVMInt32TypeInContext(llvm), number, false);
  LLVMMetadataRef item = LLVMValueAsMetadata(value);
  LLVMSetMetadata(inst, replay->mark,
                  LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, &item, 1)));
}

/* The point that the instruction is; NULL where it is none, as a copy of one that kept its mark. */
static Point *point_of(const NbReplay *replay, LLVMValueRef inst) {
  LLVMValueRef node = LLVMGetMetadata(inst, replay->mark), value = NULL;
  if (!node)
    return NULL;
  LLVMGetMDNodeOperands(node, &value);
  Point *point = &replay->points[LLVMConstIntGetZExtValue(value)];
  return point->here == inst ? point : NULL;
}

void nb_replay_start(NbWork *work, LLVMValueRef recorded) {
  NbContext *context = work->context;
  unsigned count = LLVMCountParams(work->function), total = 0;
  NbReplay *replay = NB_NEW(context->arena, NbReplay);
  replay->context = context;
  replay->recorded = recorded;
  replay->mark = LLVMGetMDKindIDInContext(context->llvm, MARK, strlen(MARK));
  LLVMValueRef *parameters = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    parameters[i] = i < work->request->count
                        ? LLVMGetParam(recorded, i)
                        : LLVMGetPoison(LLVMTypeOf(LLVMGetParam(work->function, i)));
  nb_clone_body(recorded, work->function, parameters);
  NbMap *twins = nb_map_new(context->arena);
  LLVMValueRef there = nb_instruction_first(recorded), twin = there;
  for (LLVMValueRef at = nb_instruction_first(work->function); at; at = nb_instruction_next(at)) {
    nb_map_set(twins, at, twin);
    twin = nb_instruction_next(twin);
    total++;
  }
  replay->twin = nb_unwind_twin(work, recorded, twins);
  replay->points = NB_NEW_ARRAY(context->arena, Point, total + 1);
  for (LLVMValueRef here = nb_instruction_first(work->function); here;
       here = nb_instruction_next(here), there = nb_instruction_next(there)) {
    if (!is_point(here))
      continue;
    bool repeated = nb_work_block_of(work, here)->loop != NULL;
    set_mark(replay, here, replay->count);
    NbUnwind *unwind = nb_map_get(replay->twin->unwinds, there);
    replay->points[replay->count++] =
        (Point){.there = there, .here = here, .repeated = repeated, .unwind = unwind};
  }
  work->replay = replay;
}

void nb_replay_note_call(NbWork *work, LLVMValueRef origin, LLVMValueRef call,
                         const NbDerivative *callee) {
  Point *point = work->replay ? point_of(work->replay, origin) : NULL;
  if (!point)
    return;
  point->call = call;
  point->callee = callee;
}

static bool refuse(const NbWork *work, LLVMValueRef where, const char *reason) {
  return nb_refuse(work->context, NB_ERROR_ENTRY_UNSUPPORTED, where,
                   "__enzyme_fwdsplit cannot come later than '%s' runs: %s",
                   nb_name(work->request->function), reason);
}

/* Where the primal had its own memory the shadow may lie now: nothing can be told by comparing
 * them.
 */
bool nb_replay_check(const NbLinear *linear) {
  const NbWork *work = linear->work;
  const NbMap *shadows = linear->shadows[0];
  for (unsigned i = 0; i < nb_map_count(shadows); i++) {
    LLVMValueRef pointer = (LLVMValueRef)nb_map_key(shadows, i);
    if (nb_linear_is_guarded(linear, pointer))
      return refuse(work, LLVMIsAInstruction(pointer) ? pointer : work->request->function,
                    "only the run tells whether this pointer leads to memory with a derivative (as "
                    "enzyme_runtime_activity says)");
  }
  return true;
}

/* --- What the derivative still needs ---------------------------------------------------------- */

/* Points that are no longer there are gone; marks have done their work. */
static void take_marks(NbReplay *replay, LLVMValueRef function) {
  NbMap *present = nb_map_new(replay->context->arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (point_of(replay, at))
      nb_map_set(present, at, at);
    LLVMSetMetadata(at, replay->mark, NULL);
  }
  for (unsigned i = 0; i < replay->count; i++)
    if (!nb_map_has(present, replay->points[i].here))
      replay->points[i].here = NULL;
}

static bool drop_points(NbReplay *replay) {
  bool changed = false;
  for (unsigned i = replay->count; i-- > 0;) {
    Point *point = &replay->points[i];
    if (!point->here || LLVMGetFirstUse(point->here))
      continue;
    LLVMInstructionEraseFromParent(point->here);
    point->here = NULL;
    changed = true;
  }
  return changed;
}

static bool drop_unused(const NbMap *points, LLVMValueRef function) {
  bool changed = false;
  for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(function); block;
       block = LLVMGetPreviousBasicBlock(block))
    for (LLVMValueRef at = LLVMGetLastInstruction(block), before; at; at = before) {
      before = LLVMGetPreviousInstruction(at);
      if (LLVMGetFirstUse(at) || LLVMIsATerminatorInst(at) || nb_map_has(points, at) ||
          nb_memory_may_write_any(at))
        continue;
      LLVMInstructionEraseFromParent(at);
      changed = true;
    }
  return changed;
}

static void drop(NbReplay *replay, LLVMValueRef function) {
  bool changed = true;
  while (changed) {
    NbMap *points = nb_map_new(replay->context->arena);
    changed = drop_points(replay);
    for (unsigned i = 0; i < replay->count; i++)
      if (replay->points[i].here)
        nb_map_set(points, replay->points[i].here, replay->points[i].here);
    changed |= drop_unused(points, function);
  }
}

/* --- The record ------------------------------------------------------------------------------- */

static bool is_queued(const NbReplay *replay, const Point *point) {
  return replay->queues || point->repeated;
}

/* What the point keeps; NULL: nothing. */
static LLVMTypeRef kept_type(const Point *point) {
  if (point->callee)
    return point->callee->tape;
  return point->here ? LLVMTypeOf(point->here) : NULL;
}

static void lay_out(NbReplay *replay) {
  NbDerivative *derivative = replay->derivative;
  LLVMTypeRef *fields = NB_NEW_ARRAY(replay->context->arena, LLVMTypeRef, replay->count + 1);
  unsigned count = 0;
  for (unsigned i = 0; i < replay->count; i++) {
    Point *point = &replay->points[i];
    LLVMTypeRef type = kept_type(point);
    derivative->queued |= point->callee && point->callee->queued;
    derivative->queued |= type && is_queued(replay, point);
    if (!type || is_queued(replay, point))
      continue;
    point->field = count;
    fields[count++] = type;
  }
  if (count)
    derivative->tape = LLVMStructTypeInContext(replay->context->llvm, fields, count, false);
  replay->tape = derivative->tape;
}

/* One of the two functions while it is completed. */
typedef struct Side {
  const NbReplay *replay;
  LLVMBuilderRef builder;
  LLVMValueRef tape, queue;
  const char *step; /* in the queue */
} Side;

static Side open(const NbReplay *replay, LLVMValueRef function, const char *step) {
  unsigned last = LLVMCountParams(function) - 1;
  return (Side){replay, LLVMCreateBuilderInContext(replay->context->llvm),
                LLVMGetParam(function, last - 1), LLVMGetParam(function, last), step};
}

/* Where the point's part of the record lies. */
static LLVMValueRef place_of(const Side *side, const Point *point, LLVMTypeRef type) {
  NbContext *context = side->replay->context;
  if (!is_queued(side->replay, point))
    return LLVMBuildStructGEP2(side->builder, side->replay->tape, side->tape, point->field, "");
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  uint64_t bytes = LLVMABISizeOfType(context->layout, type);
  LLVMValueRef arguments[] = {side->queue, LLVMConstInt(count, bytes, false)};
  return nb_runtime_call(context, side->builder, side->step, LLVMTypeOf(side->tape), arguments, 2);
}

static void set_alignment(const Side *side, LLVMValueRef access, LLVMTypeRef type) {
  unsigned natural = LLVMABIAlignmentOfType(side->replay->context->layout, type);
  LLVMSetAlignment(access, natural < RECORD_ALIGNMENT ? natural : RECORD_ALIGNMENT);
}

static LLVMValueRef callee_tape(const Side *side, const Point *point) {
  LLVMTypeRef type = point->callee->tape;
  return type ? place_of(side, point, type) : LLVMConstNull(LLVMTypeOf(side->tape));
}

/* In the recorded function: the callee records too. */
static void record_call(const Side *side, const Point *point) {
  NbContext *context = side->replay->context;
  LLVMValueRef recorded = point->callee->recorded;
  unsigned count = LLVMGetNumArgOperands(point->there);
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 2);
  LLVMPositionBuilderBefore(side->builder, point->there);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(point->there, i);
  arguments[count] = callee_tape(side, point);
  arguments[count + 1] = side->queue;
  LLVMValueRef call = LLVMBuildCall2(side->builder, LLVMGlobalGetValueType(recorded), recorded,
                                     arguments, count + 2, "");
  LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(point->there));
  LLVMReplaceAllUsesWith(point->there, call);
  LLVMInstructionEraseFromParent(point->there);
}

/* The call of the unwind, if its result is in the queue. */
static const Point *queued_call(const NbReplay *replay, const NbUnwind *unwind) {
  for (unsigned i = 0; i < replay->count; i++) {
    const Point *point = &replay->points[i];
    if (point->there == unwind->call)
      return !point->callee && kept_type(point) && is_queued(replay, point) ? point : NULL;
  }
  return NULL;
}

/* In the landing: there is no result, but room for one; the call has thrown. */
static void record_thrown(const Side *side, const Point *point) {
  const Point *call = queued_call(side->replay, point->unwind);
  LLVMTypeRef type = kept_type(point);
  LLVMPositionBuilderBefore(side->builder, LLVMGetBasicBlockTerminator(point->unwind->pad));
  if (call)
    place_of(side, call, kept_type(call));
  if (!type)
    return;
  LLVMValueRef place = place_of(side, point, type);
  set_alignment(side, LLVMBuildStore(side->builder, LLVMConstInt(type, 1, false), place), type);
}

static void record(const NbReplay *replay) {
  Side side = open(replay, replay->recorded, "__nabla_queue_push");
  for (unsigned i = 0; i < replay->count; i++) {
    const Point *point = &replay->points[i];
    LLVMTypeRef type = kept_type(point);
    if (point->callee)
      record_call(&side, point);
    if (point->callee || !type)
      continue;
    LLVMPositionBuilderBefore(side.builder, LLVMGetNextInstruction(point->there));
    LLVMValueRef place = place_of(&side, point, type);
    set_alignment(&side, LLVMBuildStore(side.builder, point->there, place), type);
  }
  nb_unwind_restore(replay->twin);
  for (unsigned i = 0; i < replay->count; i++)
    if (replay->points[i].unwind && replay->points[i].unwind->pad)
      record_thrown(&side, &replay->points[i]);
  LLVMDisposeBuilder(side.builder);
}

static void read_back(const NbReplay *replay, LLVMValueRef function) {
  Side side = open(replay, function, "__nabla_queue_next");
  for (unsigned i = 0; i < replay->count; i++) {
    const Point *point = &replay->points[i];
    LLVMTypeRef type = kept_type(point);
    if (point->callee) {
      LLVMPositionBuilderBefore(side.builder, point->call);
      LLVMValueRef tape = callee_tape(&side, point);
      LLVMSetOperand(point->call, LLVMGetNumArgOperands(point->call) - 2, tape);
    } else if (type) {
      LLVMPositionBuilderBefore(side.builder, point->here);
      LLVMValueRef load = LLVMBuildLoad2(side.builder, type, place_of(&side, point, type), "");
      set_alignment(&side, load, type);
      LLVMReplaceAllUsesWith(point->here, load);
      LLVMInstructionEraseFromParent(point->here);
    }
  }
  LLVMDisposeBuilder(side.builder);
}

/* What left the primal by an exception returns here; nobody looks at what. */
static void return_always(const NbReplay *replay, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(replay->context->llvm);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAResumeInst(last))
      continue;
    LLVMPositionBuilderBefore(builder, last);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
      LLVMBuildRetVoid(builder);
    else
      LLVMBuildRet(builder, LLVMConstNull(type));
    LLVMInstructionEraseFromParent(last);
  }
  LLVMDisposeBuilder(builder);
}

void nb_replay_finish(NbWork *work, NbDerivative *derivative) {
  NbReplay *replay = work->replay;
  replay->derivative = derivative;
  replay->queues = derivative->queued;
  take_marks(replay, derivative->forward);
  drop(replay, derivative->forward);
  lay_out(replay);
  record(replay);
  read_back(replay, derivative->forward);
  return_always(replay, derivative->forward);
}
