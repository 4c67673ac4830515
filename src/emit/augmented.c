// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The augmented forward: the working copy, which also fills the tape. */
#include "bridge/body.h"
#include "emit/alias.h"
#include "emit/emit.h"
#include "emit/runtime.h"
#include "emit/tangent.h"
#include "emit/tape.h"
#include "plan/guards.h"
#include "prepare/unwind.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Sweep {
  const NbPlan *plan;
  NbContext *context;
  NbTapeView view;
  LLVMValueRef *base[NB_ROOMS], *total; /* by NbWorkLoop.index */
  NbMap *words;                         /* slot of a bit -> the variable with its word */
  LLVMBuilderRef entry;                 /* where variables are made */
  NbMap *moved;                         /* stack array -> its place in the tape */
  NbMap *calls;         /* primal call, or placeholder of its shadow -> what replaces it */
  LLVMValueRef *anchor; /* the last instruction that made `base`, in the header; or NULL */
} Sweep;

static LLVMValueRef own_counter(void *user, const NbWorkLoop *loop) {
  (void)user;
  return loop->counter;
}

static LLVMValueRef own_trips(void *user, const NbWorkLoop *loop) {
  (void)user;
  return loop->trips;
}

static LLVMValueRef own_base(void *user, const NbSlot *slot) {
  return ((Sweep *)user)->base[slot->bit][slot->loop->index];
}

static LLVMValueRef own_total(void *user, const NbWorkLoop *loop) {
  return ((Sweep *)user)->total[loop->index];
}

static LLVMTypeRef count_type(const Sweep *sweep) {
  return LLVMInt64TypeInContext(sweep->context->llvm);
}

static LLVMTypeRef pointer_type(const Sweep *sweep) {
  return LLVMPointerTypeInContext(sweep->context->llvm, 0);
}

void nb_emit_replace_calls(const NbMap *calls) {
  for (unsigned i = 0; i < nb_map_count(calls); i++) {
    LLVMValueRef call = (LLVMValueRef)nb_map_key(calls, i);
    if (LLVMGetFirstUse(call))
      LLVMReplaceAllUsesWith(call, nb_map_get(calls, call));
    LLVMInstructionEraseFromParent(call);
  }
}

unsigned nb_emit_tape_index(const NbRequest *request) {
  return nb_request_first_shadow(request, request->count);
}

LLVMValueRef nb_emit_budget(NbContext *context, const NbRequest *request, LLVMValueRef function) {
  if (!context->max_tape)
    return LLVMConstNull(LLVMPointerTypeInContext(context->llvm, 0));
  return LLVMGetParam(function, nb_emit_tape_index(request) + 1);
}

/* Asks the runtime for `count` times `bytes` of memory for the tape: whose it is, and what is left
 * for it, stand behind the other arguments. */
static LLVMValueRef ask(Sweep *sweep, const char *function, LLVMValueRef *arguments,
                        unsigned count) {
  const NbRequest *request = sweep->plan->linear->work->request;
  arguments[count++] = nb_runtime_function_name(sweep->context, request->function);
  arguments[count++] = nb_emit_budget(sweep->context, request, sweep->plan->linear->work->function);
  return nb_runtime_call(sweep->context, sweep->view.builder, function, pointer_type(sweep),
                         arguments, count);
}

/* --- The tape's memory ---------------------------------------------------------------------- */

static void make_tape(Sweep *sweep) {
  const NbWork *work = sweep->plan->linear->work;
  LLVMValueRef parameter = LLVMGetParam(work->function, nb_emit_tape_index(work->request));
  sweep->view.tape = parameter;
  if (!sweep->plan->opaque || !sweep->plan->tape)
    return;
  uint64_t bytes = LLVMABISizeOfType(sweep->context->layout, sweep->plan->tape);
  LLVMValueRef arguments[4] = {LLVMConstInt(count_type(sweep), 1, false),
                               LLVMConstInt(count_type(sweep), bytes, false)};
  sweep->view.tape = ask(sweep, "__nabla_tape_allocate", arguments, 2);
  LLVMBuildStore(sweep->view.builder, sweep->view.tape, parameter);
}

/* Does the block have everything behind it that uses the tape, but for `first`? */
static bool is_above_uses(const Sweep *sweep, LLVMBasicBlockRef block, LLVMValueRef first) {
  NbAnalyses *analyses = sweep->context->analyses;
  for (LLVMUseRef use = LLVMGetFirstUse(sweep->view.tape); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user != first && !nb_block_dominates(analyses, block, LLVMGetInstructionParent(user)))
      return false;
  }
  return true;
}

static LLVMBasicBlockRef last_above_uses(const Sweep *sweep, LLVMValueRef first) {
  const NbWork *work = sweep->plan->linear->work;
  NbAnalyses *analyses = sweep->context->analyses;
  nb_analyses_forget(analyses, work->function);
  LLVMBasicBlockRef last = NULL;
  for (unsigned i = 0; i < work->block_count; i++) {
    LLVMBasicBlockRef block = work->blocks[i].block;
    if (!work->blocks[i].loop && (!last || nb_block_dominates(analyses, last, block)) &&
        is_above_uses(sweep, block, first))
      last = block;
  }
  return last;
}

/* Where a recursion ends, mostly nothing is kept: the tape is made as late as it is filled, and
 * there is none where control does not come there. */
static void delay_tape(Sweep *sweep) {
  if (!sweep->plan->opaque || !sweep->plan->tape)
    return;
  LLVMValueRef tape = sweep->view.tape, store = LLVMGetNextInstruction(tape);
  LLVMBasicBlockRef block = last_above_uses(sweep, store);
  if (!block || block == sweep->plan->linear->work->blocks[0].block)
    return;
  LLVMBuilderRef builder = sweep->view.builder;
  LLVMPositionBuilderBefore(builder, tape);
  LLVMBuildStore(builder, LLVMConstNull(pointer_type(sweep)), LLVMGetOperand(store, 1));
  LLVMInstructionRemoveFromParent(tape);
  LLVMInstructionRemoveFromParent(store);
  LLVMPositionBuilderBefore(builder, nb_work_first_after_phis(block));
  LLVMInsertIntoBuilder(builder, tape);
  LLVMInsertIntoBuilder(builder, store);
}

/* Stack arrays that the reverse sweep uses move into the tape. */
static void move_stacks(Sweep *sweep) {
  for (unsigned i = 0; i < nb_map_count(sweep->plan->fields); i++) {
    LLVMValueRef stack = (LLVMValueRef)nb_map_key(sweep->plan->fields, i);
    LLVMValueRef moved = nb_tape_array(&sweep->view, stack);
    nb_map_set(sweep->moved, stack, moved);
    LLVMReplaceAllUsesWith(stack, moved);
    LLVMInstructionEraseFromParent(stack);
  }
}

/* Those that are made anew again and again come from the heap instead. */
static void move_kept_arrays(Sweep *sweep) {
  const NbWork *work = sweep->plan->linear->work;
  const NbMap *kept = nb_effects_kept_arrays(sweep->plan->linear->effects);
  LLVMValueRef budget = nb_emit_budget(sweep->context, work->request, work->function);
  for (unsigned i = 0; i < nb_map_count(kept); i++) {
    LLVMValueRef array = (LLVMValueRef)nb_map_key(kept, i);
    NbSlot *slot = nb_plan_slot(sweep->plan, array);
    LLVMPositionBuilderBefore(sweep->view.builder, array);
    LLVMValueRef moved =
        nb_runtime_stack_array(sweep->context, sweep->view.builder, "__nabla_stack_array", array,
                               work->request->function, budget);
    if (slot)
      slot->value = moved;
    nb_map_set(sweep->moved, array, moved);
    LLVMReplaceAllUsesWith(array, moved);
    LLVMInstructionEraseFromParent(array);
  }
}

static void start_stack(Sweep *sweep, unsigned field) {
  LLVMTypeRef type = LLVMStructGetTypeAtIndex(sweep->plan->tape, field);
  LLVMBuildStore(sweep->view.builder, LLVMConstNull(type), nb_tape_field(&sweep->view, field));
}

static void start_stacks(Sweep *sweep) {
  const NbWork *work = sweep->plan->linear->work;
  for (unsigned i = 0; i < work->loop_count * NB_ROOMS; i++) {
    const NbStorage *storage = &sweep->plan->storage[i / NB_ROOMS];
    const NbRoom *room = &storage->rooms[i % NB_ROOMS];
    if (room->slots && storage->stacked)
      start_stack(sweep, room->stack_field);
  }
  if (sweep->plan->copies)
    start_stack(sweep, sweep->plan->copies - 1);
}

/* --- The storages of loops ------------------------------------------------------------------- */

static LLVMValueRef count_instances(Sweep *sweep, const NbWorkLoop *loop, const NbWorkLoop *entry) {
  if (loop == entry)
    return loop->trips;
  LLVMValueRef outer = count_instances(sweep, loop->parent, entry);
  LLVMValueRef inner = nb_guarded_trips(sweep->plan, sweep->view.builder, loop);
  LLVMValueRef arguments[] = {outer, inner};
  return nb_runtime_call(sweep->context, sweep->view.builder, "__nabla_tape_count",
                         count_type(sweep), arguments, 2);
}

static LLVMValueRef make_arrays(Sweep *sweep, const NbStorage *storage, const NbRoom *room,
                                LLVMValueRef count) {
  LLVMValueRef bytes = LLVMConstInt(count_type(sweep), room->size, false);
  if (storage->stacked) {
    LLVMValueRef rows[5] = {nb_tape_field(&sweep->view, room->stack_field), count, bytes};
    return ask(sweep, "__nabla_tape_push_rows", rows, 3);
  }
  LLVMValueRef arguments[4] = {count, bytes};
  LLVMValueRef arrays = ask(sweep, "__nabla_tape_allocate", arguments, 2);
  nb_tape_store(&sweep->view, room->arrays, arrays);
  return arrays;
}

static void make_all_arrays(Sweep *sweep, const NbWorkLoop *loop) {
  const NbStorage *storage = &sweep->plan->storage[loop->index];
  LLVMBuilderRef builder = sweep->view.builder;
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(storage->entry->preheader));
  LLVMValueRef total = count_instances(sweep, loop, storage->entry);
  sweep->total[loop->index] = total;
  nb_tape_store(&sweep->view, storage->total, total);
  for (unsigned bit = 0; bit < NB_ROOMS; bit++) {
    const NbRoom *room = &storage->rooms[bit];
    if (room->slots)
      sweep->base[bit][loop->index] =
          make_arrays(sweep, storage, room, bit ? nb_tape_groups(builder, total) : total);
  }
}

static LLVMValueRef make_variable(const Sweep *sweep, LLVMTypeRef type, const char *name) {
  LLVMValueRef variable = LLVMBuildAlloca(sweep->entry, type, name);
  LLVMBuildStore(sweep->entry, LLVMConstNull(type), variable);
  return variable;
}

static LLVMValueRef word_of(void *user, const NbSlot *slot) {
  Sweep *sweep = user;
  LLVMValueRef word = nb_map_get(sweep->words, slot);
  if (!word) {
    word = make_variable(sweep, slot->type, "word");
    nb_map_set(sweep->words, slot, word);
  }
  return word;
}

/* A record of words serves the instances of a group. */
static LLVMValueRef make_words(Sweep *sweep, const NbWorkLoop *loop, const NbRoom *room) {
  LLVMValueRef current = make_variable(sweep, pointer_type(sweep), "words");
  LLVMValueRef arguments[6] = {
      nb_tape_field(&sweep->view, room->stack_field),
      LLVMConstInt(count_type(sweep), room->size, false), loop->counter,
      LLVMBuildLoad2(sweep->view.builder, pointer_type(sweep), current, "")};
  LLVMValueRef words = ask(sweep, "__nabla_tape_push_words", arguments, 4);
  LLVMBuildStore(sweep->view.builder, words, current);
  return words;
}

static void make_records(Sweep *sweep, const NbWorkLoop *loop) {
  const NbRoom *rooms = sweep->plan->storage[loop->index].rooms;
  LLVMValueRef first = nb_work_first_after_phis(loop->header);
  LLVMPositionBuilderBefore(sweep->view.builder, first);
  if (rooms[true].slots)
    sweep->base[true][loop->index] = make_words(sweep, loop, &rooms[true]);
  if (rooms[false].slots) {
    LLVMValueRef arguments[4] = {nb_tape_field(&sweep->view, rooms[false].stack_field),
                                 LLVMConstInt(count_type(sweep), rooms[false].size, false)};
    sweep->base[false][loop->index] = ask(sweep, "__nabla_tape_push", arguments, 2);
  }
  sweep->anchor[loop->index] = LLVMGetPreviousInstruction(first);
}

static void make_storages(Sweep *sweep) {
  const NbWork *work = sweep->plan->linear->work;
  for (unsigned i = 0; i < work->loop_count; i++) {
    const NbStorage *storage = &sweep->plan->storage[i];
    if (!nb_plan_stores(storage))
      continue;
    if (storage->known)
      make_all_arrays(sweep, &work->loops[i]);
    else
      make_records(sweep, &work->loops[i]);
  }
}

/* Copies that are made again and again lie on a stack of their own. */
static void move_copy(Sweep *sweep, LLVMValueRef copy) {
  NbSlot *slot = nb_plan_slot(sweep->plan, copy);
  LLVMPositionBuilderBefore(sweep->view.builder, copy);
  LLVMValueRef rows[5] = {nb_tape_field(&sweep->view, sweep->plan->copies - 1),
                          LLVMGetOperand(copy, 0), LLVMGetOperand(copy, 1)};
  LLVMValueRef moved = ask(sweep, "__nabla_tape_push_rows", rows, 3);
  if (slot)
    slot->value = moved;
  LLVMReplaceAllUsesWith(copy, moved);
  LLVMInstructionEraseFromParent(copy);
}

static void move_copies(Sweep *sweep) {
  const NbLinear *linear = sweep->plan->linear;
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next)
      if (statement->stacked)
        move_copy(sweep, statement->origin);
}

/* --- Residuals -------------------------------------------------------------------------------- */

/* Behind the value, and in a header behind the record that it goes to. */
static void position_behind(Sweep *sweep, LLVMValueRef value) {
  const NbWorkBlock *block = nb_work_block_of(sweep->plan->linear->work, value);
  LLVMValueRef next = LLVMGetNextInstruction(value);
  if (LLVMIsAPHINode(value)) {
    next = nb_work_first_after_phis(block->block);
    bool header = block->loop && block->loop->header == block->block;
    LLVMValueRef anchor = header ? sweep->anchor[block->loop->index] : NULL;
    if (anchor)
      next = LLVMGetNextInstruction(anchor);
  }
  LLVMPositionBuilderBefore(sweep->view.builder, next);
}

static void store_residuals(Sweep *sweep) {
  for (unsigned i = 0; i < sweep->plan->residuals.count; i++) {
    const NbSlot *slot = sweep->plan->residuals.items[i];
    if (!slot->value)
      continue;
    position_behind(sweep, slot->value);
    nb_tape_store(&sweep->view, slot, slot->value);
  }
}

/* --- Calls ------------------------------------------------------------------------------------ */

static bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

/* Where the callee puts its tape. A pointer to one goes through a local variable: no callee of a
 * cycle gets a pointer into the middle of its caller's tape, which would make one memory of a tape
 * and of the pointers to it. */
static LLVMValueRef tape_of_call(Sweep *sweep, const NbSlot *slot) {
  if (!slot)
    return LLVMConstNull(pointer_type(sweep));
  return is_pointer(slot->type) ? LLVMBuildAlloca(sweep->entry, slot->type, "callee.tape")
                                : nb_tape_address(&sweep->view, slot);
}

static void keep_tape(Sweep *sweep, const NbSlot *slot, LLVMValueRef tape) {
  if (!slot || !is_pointer(slot->type))
    return;
  LLVMValueRef pointer = LLVMBuildLoad2(sweep->view.builder, slot->type, tape, "");
  nb_tape_store(&sweep->view, slot, pointer);
}

static void note_result(Sweep *sweep, const NbStatement *statement, LLVMValueRef call) {
  LLVMValueRef primal = call;
  if (nb_result_has_shadow(statement->callee->request.result))
    primal = LLVMBuildExtractValue(sweep->view.builder, call, 0, "");
  nb_map_set(sweep->calls, statement->origin, primal);
  if (!statement->pending)
    return;
  LLVMValueRef shadows = LLVMBuildExtractValue(sweep->view.builder, call, 1, "");
  for (unsigned lane = 0; lane < statement->width; lane++) {
    LLVMTypeRef type = LLVMTypeOf(statement->origin);
    LLVMValueRef shadow =
        nb_tangent_lane(sweep->view.builder, shadows, type, statement->width, lane);
    nb_map_set(sweep->calls, statement->pending[lane], shadow);
  }
}

/* Statements name stack arrays by what they were. */
static LLVMValueRef current(const Sweep *sweep, LLVMValueRef value) {
  LLVMValueRef moved = nb_map_get(sweep->moved, value);
  return moved ? moved : value;
}

static void call_augmented(Sweep *sweep, const NbStatement *statement) {
  LLVMPositionBuilderBefore(sweep->view.builder, statement->origin);
  LLVMSetCurrentDebugLocation2(sweep->view.builder, LLVMInstructionGetDebugLoc(statement->origin));
  const NbDerivative *callee = statement->callee;
  LLVMValueRef *arguments = NB_NEW_ARRAY(sweep->context->arena, LLVMValueRef,
                                         statement->count * (statement->width + 1) + 2);
  unsigned total = statement->count;
  for (unsigned i = 0; i < statement->count; i++) {
    arguments[i] = LLVMGetOperand(statement->origin, i);
    for (unsigned lane = 0; lane < nb_request_shadows(&callee->request, i); lane++)
      arguments[total++] = current(sweep, statement->shadows[i * statement->width + lane]);
  }
  const NbSlot *slot = nb_plan_slot(sweep->plan, statement);
  LLVMValueRef tape = tape_of_call(sweep, slot);
  arguments[total++] = tape;
  if (sweep->context->max_tape) {
    const NbWork *work = sweep->plan->linear->work;
    arguments[total++] = nb_emit_budget(sweep->context, work->request, work->function);
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(callee->augmented);
  LLVMValueRef call =
      LLVMBuildCall2(sweep->view.builder, type, callee->augmented, arguments, total, "");
  keep_tape(sweep, slot, tape);
  note_result(sweep, statement, call);
}

/* Statements name the primal's calls: these go when all new ones stand. */
static void replace_calls(Sweep *sweep) {
  const NbLinear *linear = sweep->plan->linear;
  sweep->calls = nb_map_new(sweep->context->arena);
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next)
      if (statement->kind == NB_STATEMENT_CALL && statement->at_once)
        nb_attributes_set_reading(statement->origin);
      else if (statement->kind == NB_STATEMENT_CALL)
        call_augmented(sweep, statement);
  nb_emit_replace_calls(sweep->calls);
}

static void remove_delayed(Sweep *sweep) {
  const NbLinear *linear = sweep->plan->linear;
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next)
      if (statement->kind == NB_STATEMENT_ALLOCATE && statement->address == statement->origin &&
          !statement->from_runtime)
        LLVMInstructionEraseFromParent(nb_effects_delayed(linear->effects, statement->origin));
}

static void replace_return(Sweep *sweep) {
  const NbWork *work = sweep->plan->linear->work;
  if (!nb_result_has_shadow(work->request->result) || !work->return_inst)
    return;
  LLVMBuilderRef builder = sweep->view.builder;
  LLVMPositionBuilderBefore(builder, work->return_inst);
  LLVMValueRef value = LLVMGetOperand(work->return_inst, 0);
  const NbLinear *linear = sweep->plan->linear;
  LLVMTypeRef types[] = {LLVMTypeOf(value), nb_tangent_type(LLVMTypeOf(value), linear->width)};
  LLVMValueRef pair = LLVMGetPoison(LLVMStructTypeInContext(sweep->context->llvm, types, 2, false));
  pair = LLVMBuildInsertValue(builder, pair, value, 0, "");
  LLVMValueRef shadow = nb_tangent_of_lanes(builder, LLVMTypeOf(value), linear->width,
                                            nb_linear_shadows(linear, value));
  pair = LLVMBuildInsertValue(builder, pair, shadow, 1, "");
  LLVMBuildRet(builder, pair);
  LLVMInstructionEraseFromParent(work->return_inst);
}

void nb_emit_augmented(const NbPlan *plan, LLVMValueRef function) {
  const NbWork *work = plan->linear->work;
  NbArena *arena = work->context->arena;
  Sweep sweep = {.plan = plan, .context = work->context};
  sweep.moved = nb_map_new(arena);
  for (unsigned bit = 0; bit < NB_ROOMS; bit++)
    sweep.base[bit] = NB_NEW_ARRAY(arena, LLVMValueRef, work->loop_count + 1);
  sweep.words = nb_map_new(arena);
  sweep.total = NB_NEW_ARRAY(arena, LLVMValueRef, work->loop_count + 1);
  sweep.anchor = NB_NEW_ARRAY(arena, LLVMValueRef, work->loop_count + 1);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(work->context->llvm);
  sweep.view = (NbTapeView){.plan = plan,
                            .builder = builder,
                            .user = &sweep,
                            .counter = own_counter,
                            .trips = own_trips,
                            .base = own_base,
                            .total = own_total,
                            .word = word_of};
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(work->function);
  LLVMPositionBuilderAtEnd(builder,
                           LLVMInsertBasicBlockInContext(work->context->llvm, entry, "tape"));
  LLVMValueRef end = LLVMBuildBr(builder, entry);
  LLVMPositionBuilderBefore(builder, end);
  sweep.entry = LLVMCreateBuilderInContext(work->context->llvm);
  LLVMPositionBuilderBefore(sweep.entry, end);
  nb_alias_primal(plan->linear);
  make_tape(&sweep);
  move_stacks(&sweep);
  start_stacks(&sweep);
  make_storages(&sweep);
  move_kept_arrays(&sweep);
  move_copies(&sweep);
  store_residuals(&sweep);
  remove_delayed(&sweep);
  replace_return(&sweep);
  replace_calls(&sweep);
  delay_tape(&sweep);
  LLVMDisposeBuilder(builder);
  LLVMDisposeBuilder(sweep.entry);
  nb_emit_drop_unneeded(plan->linear, work->function);
  nb_unwind_restore(work);
  nb_body_move(function, work->function);
}
