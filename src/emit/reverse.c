// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The reverse sweep: the transposes of the linear program's statements, through the reversed
 * control flow. Each block B has a reverse; an edge A -> B becomes one from the reverse of B to
 * that of A, through a block of its own, which hands the adjoints of B's phis to what came along
 * it. */
#include "emit/reverse.h"

#include "emit/emit.h"
#include "emit/runtime.h"

#include <llvm-c/DebugInfo.h>

/* --- Variables ------------------------------------------------------------------------------ */

LLVMValueRef nb_reverse_variable(NbReverse *reverse, LLVMTypeRef type, const char *name) {
  LLVMValueRef variable = LLVMBuildAlloca(reverse->entry, type, name);
  LLVMBuildStore(reverse->entry, LLVMConstNull(type), variable);
  return variable;
}

/* --- Loops ---------------------------------------------------------------------------------- */

static LLVMTypeRef count_type(const NbReverse *reverse) {
  return LLVMInt64TypeInContext(reverse->context->llvm);
}

static LLVMTypeRef pointer_type(const NbReverse *reverse) {
  return LLVMPointerTypeInContext(reverse->context->llvm, 0);
}

static LLVMValueRef variable_of(NbReverse *reverse, LLVMValueRef *variables, const NbWorkLoop *loop,
                                LLVMTypeRef type, const char *name) {
  if (!variables[loop->index])
    variables[loop->index] = nb_reverse_variable(reverse, type, name);
  return variables[loop->index];
}

static LLVMValueRef counter_variable(NbReverse *reverse, const NbWorkLoop *loop) {
  return variable_of(reverse, reverse->counter, loop, count_type(reverse), "counter");
}

static LLVMValueRef base_variable(NbReverse *reverse, const NbWorkLoop *loop, bool bits) {
  return variable_of(reverse, reverse->base[bits], loop, pointer_type(reverse), "residuals");
}

static LLVMValueRef total_variable(NbReverse *reverse, const NbWorkLoop *loop) {
  return variable_of(reverse, reverse->total, loop, count_type(reverse), "instances");
}

static LLVMValueRef last_variable(NbReverse *reverse, const NbWorkLoop *loop) {
  return variable_of(reverse, reverse->last, loop, count_type(reverse), "last");
}

static bool runs_upward(const NbReverse *reverse, const NbWorkLoop *loop) {
  return reverse->plan->upward[loop->index];
}

static LLVMValueRef read_counter(void *user, const NbWorkLoop *loop) {
  NbReverse *reverse = user;
  return LLVMBuildLoad2(reverse->builder, count_type(reverse), counter_variable(reverse, loop), "");
}

static LLVMValueRef read_trips(void *user, const NbWorkLoop *loop) {
  return nb_reverse_value(user, loop->trips);
}

static LLVMValueRef current_base(NbReverse *reverse, const NbWorkLoop *loop, bool bits) {
  LLVMValueRef variable = base_variable(reverse, loop, bits);
  return LLVMBuildLoad2(reverse->builder, pointer_type(reverse), variable, "");
}

static LLVMValueRef read_base(void *user, const NbSlot *slot) {
  return current_base(user, slot->loop, slot->bit);
}

static LLVMValueRef read_total(void *user, const NbWorkLoop *loop) {
  NbReverse *reverse = user;
  return LLVMBuildLoad2(reverse->builder, count_type(reverse), total_variable(reverse, loop), "");
}

static const NbRoom *room_of(const NbReverse *reverse, unsigned loop, bool bits) {
  return &reverse->plan->storage[loop].rooms[bits];
}

/* The stack in the tape; to leave it as it is, a copy that only says how far it has been read. */
static LLVMValueRef stack_of(NbReverse *reverse, unsigned loop, bool bits) {
  if (reverse->again)
    return reverse->stacks[bits][loop];
  return nb_tape_field(&reverse->view, room_of(reverse, loop, bits)->stack_field);
}

/* Asks the runtime for what is newest on a stack: `function`, or its sibling that frees nothing. */
static LLVMValueRef newest(NbReverse *reverse, const char *function, LLVMValueRef *arguments,
                           unsigned count) {
  const char *verb = reverse->again ? "look_back" : "pop";
  const char *name = nb_arena_print(reverse->context->arena, "__nabla_tape_%s%s", verb, function);
  return nb_runtime_call(reverse->context, reverse->builder, name, pointer_type(reverse), arguments,
                         count);
}

/* The record of the instance of the header that is being reversed, where there is one of each; for
 * bits, where it is the last one of its group, or the loop is `entered`. */
static void pop_record(NbReverse *reverse, const NbWorkLoop *loop, bool bits, bool entered) {
  const NbRoom *room = room_of(reverse, loop->index, bits);
  if (!room->slots || reverse->plan->storage[loop->index].known)
    return;
  LLVMValueRef arguments[4] = {stack_of(reverse, loop->index, bits),
                               LLVMConstInt(count_type(reverse), room->size, false)};
  bool grouped = bits && !entered;
  if (grouped) {
    arguments[2] = read_counter(reverse, loop);
    arguments[3] = current_base(reverse, loop, bits);
  }
  LLVMValueRef record = newest(reverse, grouped ? "_words" : "", arguments, grouped ? 4 : 2);
  LLVMBuildStore(reverse->builder, record, base_variable(reverse, loop, bits));
}

static void pop_records(NbReverse *reverse, const NbWorkLoop *loop, bool entered) {
  for (unsigned bits = 0; bits < NB_ROOMS; bits++)
    pop_record(reverse, loop, bits, entered);
}

/* The rows of the newest entry. */
static LLVMValueRef pop_rows(NbReverse *reverse, unsigned loop, bool bits, LLVMValueRef count) {
  LLVMValueRef bytes = LLVMConstInt(count_type(reverse), room_of(reverse, loop, bits)->size, false);
  LLVMValueRef arguments[] = {stack_of(reverse, loop, bits), count, bytes};
  return newest(reverse, "_rows", arguments, 3);
}

static bool is_entry_of(const NbReverse *reverse, unsigned index, const NbWorkLoop *loop) {
  const NbStorage *storage = &reverse->plan->storage[index];
  return nb_plan_stores(storage) && storage->known && storage->entry == loop;
}

/* Finds the arrays of a loop at the entry where they were made. */
static void find_arrays(NbReverse *reverse, const NbWorkLoop *loop) {
  const NbStorage *storage = &reverse->plan->storage[loop->index];
  LLVMValueRef total = nb_tape_load(&reverse->view, storage->total);
  LLVMBuildStore(reverse->builder, total, total_variable(reverse, loop));
  for (unsigned bits = 0; bits < NB_ROOMS; bits++) {
    const NbRoom *room = &storage->rooms[bits];
    if (!room->slots)
      continue;
    LLVMValueRef count = bits && storage->stacked ? nb_tape_groups(reverse->builder, total) : total;
    LLVMValueRef base = storage->stacked ? pop_rows(reverse, loop->index, bits, count)
                                         : nb_tape_load(&reverse->view, room->arrays);
    LLVMBuildStore(reverse->builder, base, base_variable(reverse, loop, bits));
  }
}

/* Comes into a loop through one of its exits. */
static void enter_loop(NbReverse *reverse, const NbWorkLoop *loop, LLVMValueRef count) {
  const NbWork *work = reverse->linear->work;
  LLVMValueRef first = count;
  if (runs_upward(reverse, loop)) {
    LLVMBuildStore(reverse->builder, count, last_variable(reverse, loop));
    first = LLVMConstNull(count_type(reverse));
  }
  LLVMBuildStore(reverse->builder, first, counter_variable(reverse, loop));
  for (unsigned i = 0; i < work->loop_count; i++) {
    if (is_entry_of(reverse, i, loop))
      find_arrays(reverse, &work->loops[i]);
  }
  pop_records(reverse, loop, true);
}

/* Leaves a loop through its header: its arrays are not needed any more. */
static void leave_loop(NbReverse *reverse, const NbWorkLoop *loop) {
  const NbWork *work = reverse->linear->work;
  for (unsigned i = 0; !reverse->again && i < work->loop_count * NB_ROOMS; i++) {
    unsigned index = i / NB_ROOMS, bits = i % NB_ROOMS;
    if (!is_entry_of(reverse, index, loop) || reverse->plan->storage[index].stacked ||
        !room_of(reverse, index, bits)->slots)
      continue;
    LLVMValueRef base = current_base(reverse, &work->loops[index], bits);
    nb_runtime_call(reverse->context, reverse->builder, "__nabla_tape_release",
                    LLVMVoidTypeInContext(reverse->context->llvm), &base, 1);
  }
}

/* To the previous iteration, or to the next one where the loop runs upward. */
static void next_iteration(NbReverse *reverse, const NbWorkLoop *loop) {
  LLVMValueRef count = read_counter(reverse, loop);
  LLVMValueRef one = LLVMConstInt(count_type(reverse), 1, false);
  count = runs_upward(reverse, loop) ? LLVMBuildAdd(reverse->builder, count, one, "")
                                     : LLVMBuildSub(reverse->builder, count, one, "");
  LLVMBuildStore(reverse->builder, count, counter_variable(reverse, loop));
  pop_records(reverse, loop, false);
}

/* --- Edges ---------------------------------------------------------------------------------- */

/* The phis of a block are one simultaneous statement: all adjoints are taken before any is given.
 */
typedef struct Phis {
  unsigned count;
  const NbStatement **statements;
  LLVMValueRef *taken;
} Phis;

static Phis take_phis(NbReverse *reverse, const NbWorkBlock *block) {
  const NbStatement *first = reverse->linear->blocks[block->index].first;
  Phis phis = {0, NULL, NULL};
  unsigned total = 0;
  for (const NbStatement *statement = first; statement; statement = statement->next)
    total += statement->kind == NB_STATEMENT_PHI;
  phis.statements = NB_NEW_ARRAY(reverse->context->arena, const NbStatement *, total + 1);
  phis.taken = NB_NEW_ARRAY(reverse->context->arena, LLVMValueRef, total + 1);
  for (const NbStatement *statement = first; statement; statement = statement->next)
    if (statement->kind == NB_STATEMENT_PHI) {
      phis.statements[phis.count] = statement;
      phis.taken[phis.count++] = nb_adjoint_take(reverse, statement->result);
    }
  return phis;
}

static LLVMValueRef incoming_from(const NbStatement *phi, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < phi->count; i++)
    if (LLVMGetIncomingBlock(phi->origin, i) == block)
      return phi->sources[i].value;
  return NULL;
}

static void give_phis(NbReverse *reverse, const Phis *phis, const NbWorkBlock *from) {
  for (unsigned i = 0; i < phis->count; i++) {
    LLVMValueRef source = incoming_from(phis->statements[i], from->block);
    nb_adjoint_move(reverse, source, phis->taken[i]);
  }
}

/* The block between the reverses of `block` and of its predecessor `from`. */
static LLVMBasicBlockRef print_edge(NbReverse *reverse, const NbWorkBlock *block,
                                    const NbWorkBlock *from, const Phis *phis,
                                    LLVMValueRef *exit_counts) {
  LLVMBasicBlockRef back = LLVMGetInsertBlock(reverse->builder);
  LLVMBasicBlockRef edge =
      LLVMAppendBasicBlockInContext(reverse->context->llvm, reverse->function, "edge");
  LLVMPositionBuilderAtEnd(reverse->builder, edge);
  nb_reverse_forget(reverse);
  reverse->place = block->loop;
  give_phis(reverse, phis, from);
  for (unsigned i = 0; i < block->exit_count; i++)
    enter_loop(reverse, block->exit_loops[i], exit_counts[i]);
  if (nb_work_is_header(block) && nb_work_loop_contains(block->loop, from->loop))
    next_iteration(reverse, block->loop);
  else if (nb_work_is_header(block))
    leave_loop(reverse, block->loop);
  LLVMBuildBr(reverse->builder, reverse->blocks[from->index]);
  for (unsigned i = 0; i < block->exit_count; i++) {
    NbLoopEntry *entry = &reverse->entries[block->exit_loops[i]->index];
    entry->edge = edge;
    entry->memo = nb_map_new(reverse->context->arena);
  }
  LLVMPositionBuilderAtEnd(reverse->builder, back);
  return edge;
}

static void print_header_branch(NbReverse *reverse, const NbWorkBlock *block,
                                LLVMBasicBlockRef *edges) {
  bool first_enters = !nb_work_loop_contains(block->loop, block->predecessors[0]->loop);
  LLVMBasicBlockRef enter = edges[first_enters ? 0 : 1];
  LLVMBasicBlockRef again = edges[first_enters ? 1 : 0];
  LLVMValueRef end = LLVMConstNull(count_type(reverse));
  if (runs_upward(reverse, block->loop))
    end = LLVMBuildLoad2(reverse->builder, count_type(reverse), last_variable(reverse, block->loop),
                         "");
  LLVMValueRef count = read_counter(reverse, block->loop);
  LLVMValueRef done = LLVMBuildICmp(reverse->builder, LLVMIntEQ, count, end, "");
  LLVMBuildCondBr(reverse->builder, done, enter, again);
}

static void print_decision(NbReverse *reverse, const NbWorkBlock *block, LLVMValueRef decision,
                           LLVMBasicBlockRef *edges) {
  LLVMTypeRef type = LLVMTypeOf(block->decision);
  LLVMValueRef branch =
      LLVMBuildSwitch(reverse->builder, decision, edges[block->count - 1], block->count - 1);
  for (unsigned i = 0; i + 1 < block->count; i++)
    LLVMAddCase(branch, LLVMConstInt(type, block->cases[i], false), edges[i]);
}

static void print_predecessors(NbReverse *reverse, const NbWorkBlock *block) {
  NbArena *arena = reverse->context->arena;
  LLVMValueRef *exit_counts = NB_NEW_ARRAY(arena, LLVMValueRef, block->exit_count + 1);
  for (unsigned i = 0; i < block->exit_count; i++)
    exit_counts[i] = nb_reverse_value(reverse, block->exit_counts[i]);
  LLVMValueRef decision = block->decision ? nb_reverse_value(reverse, block->decision) : NULL;
  Phis phis = take_phis(reverse, block);
  LLVMBasicBlockRef *edges = NB_NEW_ARRAY(arena, LLVMBasicBlockRef, block->count + 1);
  for (unsigned i = 0; i < block->count; i++)
    edges[i] = print_edge(reverse, block, block->predecessors[i], &phis, exit_counts);
  if (nb_work_is_header(block) && block->count == 2)
    print_header_branch(reverse, block, edges);
  else if (block->count == 1)
    LLVMBuildBr(reverse->builder, edges[0]);
  else
    print_decision(reverse, block, decision, edges);
}

/* --- Blocks --------------------------------------------------------------------------------- */

/* What is written next is for this instruction of the primal: its line is shown. */
static void speak_of(const NbReverse *reverse, LLVMValueRef inst) {
  LLVMSetCurrentDebugLocation2(reverse->builder, LLVMInstructionGetDebugLoc(inst));
}

static void print_block(NbReverse *reverse, const NbWorkBlock *block) {
  LLVMPositionBuilderAtEnd(reverse->builder, reverse->blocks[block->index]);
  nb_reverse_forget(reverse);
  reverse->place = block->loop;
  const NbWorkBlock *skip = reverse->plan->skip_to[block->index];
  for (const NbStatement *statement = reverse->linear->blocks[block->index].last; statement;
       statement = statement->previous) {
    speak_of(reverse, statement->origin);
    nb_transpose(reverse, statement);
  }
  speak_of(reverse, LLVMGetBasicBlockTerminator(block->block));
  if (skip)
    LLVMBuildBr(reverse->builder, reverse->blocks[skip->index]);
  else if (block->count == 0)
    LLVMBuildBr(reverse->builder, reverse->end);
  else
    print_predecessors(reverse, block);
}

static void count_entries(NbReverse *reverse) {
  const NbWork *work = reverse->linear->work;
  reverse->entries = NB_NEW_ARRAY(reverse->context->arena, NbLoopEntry, work->loop_count + 1);
  for (unsigned i = 0; i < work->block_count; i++) {
    const NbWorkBlock *block = &work->blocks[i];
    bool walked = reverse->plan->visited[i] && !reverse->plan->skip_to[i];
    for (unsigned k = 0; walked && k < block->exit_count; k++)
      reverse->entries[block->exit_loops[k]->index].count += block->count;
  }
}

static void make_blocks(NbReverse *reverse) {
  const NbWork *work = reverse->linear->work;
  reverse->blocks = NB_NEW_ARRAY(reverse->context->arena, LLVMBasicBlockRef, work->block_count);
  for (unsigned i = 0; i < work->block_count; i++) {
    if (!reverse->plan->visited[i])
      continue;
    const char *name = nb_arena_print(reverse->context->arena, "reverse.%s",
                                      nb_name(LLVMBasicBlockAsValue(work->blocks[i].block)));
    reverse->blocks[i] =
        LLVMAppendBasicBlockInContext(reverse->context->llvm, reverse->function, name);
  }
}

/* --- Ends ----------------------------------------------------------------------------------- */

/* The room of a loop that has records, or rows, on a stack; NULL: none. By its number. */
static const NbRoom *stacked_room(const NbReverse *reverse, unsigned number) {
  unsigned loop = number / NB_ROOMS;
  const NbRoom *room = room_of(reverse, loop, number % NB_ROOMS);
  return room->slots && reverse->plan->storage[loop].stacked ? room : NULL;
}

static void copy_stacks(NbReverse *reverse) {
  for (unsigned i = 0; i < reverse->linear->work->loop_count * NB_ROOMS; i++) {
    const NbRoom *room = stacked_room(reverse, i);
    if (!room)
      continue;
    LLVMTypeRef type = LLVMStructGetTypeAtIndex(reverse->plan->tape, room->stack_field);
    LLVMValueRef stack = nb_tape_field(&reverse->view, room->stack_field);
    LLVMValueRef copy = nb_reverse_variable(reverse, type, "stack");
    reverse->stacks[i % NB_ROOMS][i / NB_ROOMS] = copy;
    LLVMValueRef whole = LLVMBuildLoad2(reverse->builder, type, stack, "");
    LLVMBuildStore(reverse->builder, whole, copy);
  }
}

static void finish_stack(NbReverse *reverse, unsigned field) {
  LLVMValueRef stack = nb_tape_field(&reverse->view, field);
  nb_runtime_call(reverse->context, reverse->builder, "__nabla_tape_finish",
                  LLVMVoidTypeInContext(reverse->context->llvm), &stack, 1);
}

static void finish_stacks(NbReverse *reverse) {
  for (unsigned i = 0; i < reverse->linear->work->loop_count * NB_ROOMS; i++) {
    const NbRoom *room = stacked_room(reverse, i);
    if (room)
      finish_stack(reverse, room->stack_field);
  }
  if (reverse->plan->copies)
    finish_stack(reverse, reverse->plan->copies - 1);
}

static void return_adjoints(NbReverse *reverse) {
  const NbRequest *request = reverse->linear->work->request;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(reverse->function));
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
    LLVMBuildRetVoid(reverse->builder);
    return;
  }
  LLVMValueRef result = LLVMGetPoison(type);
  unsigned next = 0;
  for (unsigned i = 0; i < request->count; i++) {
    if (request->roles[i] != NB_ROLE_OUT)
      continue;
    LLVMValueRef adjoint = nb_adjoint_get(reverse, reverse->linear->parameters[i]);
    result = LLVMBuildInsertValue(reverse->builder, result, adjoint, next++, "");
  }
  LLVMBuildRet(reverse->builder, result);
}

static void print_end(NbReverse *reverse) {
  LLVMPositionBuilderAtEnd(reverse->builder, reverse->end);
  nb_reverse_forget(reverse);
  reverse->place = NULL;
  if (!reverse->again)
    finish_stacks(reverse);
  if (reverse->released && !nb_request_releases(reverse->linear->work->request))
    nb_runtime_call(reverse->context, reverse->builder, "__nabla_released_end",
                    LLVMVoidTypeInContext(reverse->context->llvm), &reverse->released, 1);
  if (reverse->plan->opaque && reverse->plan->tape && !reverse->again)
    nb_runtime_call(reverse->context, reverse->builder, "__nabla_tape_release",
                    LLVMVoidTypeInContext(reverse->context->llvm), &reverse->view.tape, 1);
  return_adjoints(reverse);
}

/* The seed arrives; control starts where the primal returned. */
static void print_start(NbReverse *reverse, LLVMBasicBlockRef start) {
  const NbWork *work = reverse->linear->work;
  LLVMPositionBuilderAtEnd(reverse->builder, start);
  nb_reverse_forget(reverse);
  unsigned tape = nb_emit_tape_index(work->request);
  bool seeded = nb_result_has_adjoint(work->request->result);
  reverse->view.tape = LLVMGetParam(reverse->function, tape + seeded);
  if (reverse->plan->opaque && reverse->plan->tape)
    reverse->view.tape =
        LLVMBuildLoad2(reverse->builder, pointer_type(reverse), reverse->view.tape, "tape");
  if (!work->return_inst) {
    LLVMBuildUnreachable(reverse->builder);
    return;
  }
  if (reverse->again)
    copy_stacks(reverse);
  if (seeded)
    nb_adjoint_add(reverse, LLVMGetOperand(work->return_inst, 0),
                   LLVMGetParam(reverse->function, tape));
  LLVMBuildBr(reverse->builder, reverse->blocks[nb_work_block_of(work, work->return_inst)->index]);
}

static void print_sweep(NbReverse *reverse) {
  LLVMContextRef llvm = reverse->context->llvm;
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(llvm, reverse->function, "variables");
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(llvm, reverse->function, "start");
  LLVMPositionBuilderAtEnd(reverse->entry, entry);
  LLVMPositionBuilderBefore(reverse->entry, LLVMBuildBr(reverse->entry, start));
  make_blocks(reverse);
  count_entries(reverse);
  reverse->end = LLVMAppendBasicBlockInContext(llvm, reverse->function, "end");
  print_start(reverse, start);
  for (unsigned i = reverse->linear->work->block_count; i-- > 0;)
    if (reverse->plan->visited[i])
      print_block(reverse, &reverse->linear->work->blocks[i]);
  print_end(reverse);
  nb_adjoints_clear_late(reverse);
}

bool nb_emit_reverse(const NbPlan *plan, LLVMValueRef function, bool again) {
  const NbWork *work = plan->linear->work;
  NbArena *arena = work->context->arena;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(work->context->llvm);
  LLVMBuilderRef entry = LLVMCreateBuilderInContext(work->context->llvm);
  NbReverse reverse = {.plan = plan,
                       .linear = plan->linear,
                       .context = work->context,
                       .function = function,
                       .builder = builder,
                       .entry = entry,
                       .adjoints = nb_map_new(arena),
                       .counter = NB_NEW_ARRAY(arena, LLVMValueRef, work->loop_count + 1),
                       .total = NB_NEW_ARRAY(arena, LLVMValueRef, work->loop_count + 1),
                       .again = again,
                       .last = NB_NEW_ARRAY(arena, LLVMValueRef, work->loop_count + 1),
                       .ok = true};
  for (unsigned bits = 0; bits < NB_ROOMS; bits++) {
    reverse.base[bits] = NB_NEW_ARRAY(arena, LLVMValueRef, work->loop_count + 1);
    reverse.stacks[bits] = NB_NEW_ARRAY(arena, LLVMValueRef, work->loop_count + 1);
  }
  reverse.view = (NbTapeView){.plan = plan,
                              .builder = builder,
                              .user = &reverse,
                              .counter = read_counter,
                              .trips = read_trips,
                              .base = read_base,
                              .total = read_total};
  print_sweep(&reverse);
  LLVMDisposeBuilder(builder);
  LLVMDisposeBuilder(entry);
  return reverse.ok;
}
