// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops whose reverse may run through the iterations in the primal's order, with unit strides where
 * the primal had them.
 *
 * The reverses of two iterations commute where they only add to shadows and to adjoints from
 * outside, which commutes whatever aliases what; where what they read of a shadow, and clear, is
 * memory that no other iteration adds to, reads or clears; and where no adjoint goes from one
 * iteration to the next but that of a sum over all of them, which stays the same. */
#include "plan/plan.h"

#include <stdlib.h>

enum { MAX_CHAIN = 32, MAX_ACCESSES = 64 };

typedef struct Order {
  NbPlan *plan;
  NbMap *inside;  /* value -> number of reads of its tangent in the loop of its definition */
  NbMap *reader;  /* value -> one statement that reads it there */
  NbMap *outside; /* values whose tangent is read outside of that loop */
} Order;

/* --- Who reads a tangent ---------------------------------------------------------------------- */

static void note_read(Order *order, const NbStatement *statement, LLVMValueRef value) {
  const NbWork *work = order->plan->linear->work;
  if (!value || !LLVMIsAInstruction(value))
    return;
  const NbWorkLoop *own = nb_work_block_of(work, value)->loop;
  const NbWorkLoop *place = nb_work_block_of(work, statement->origin)->loop;
  if (own != place) {
    nb_map_set(order->outside, value, value);
    return;
  }
  uintptr_t count = (uintptr_t)nb_map_get(order->inside, value);
  nb_map_set(order->inside, value, (void *)(count + 1));
  nb_map_set(order->reader, value, (void *)statement);
}

static void note_reads(Order *order) {
  const NbLinear *linear = order->plan->linear;
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next)
      for (unsigned k = 0; k < statement->count; k++)
        note_read(order, statement, statement->sources[k].value);
}

static const NbStatement *only_reader(const Order *order, LLVMValueRef value) {
  bool only = (uintptr_t)nb_map_get(order->inside, value) == 1;
  return only ? nb_map_get(order->reader, value) : NULL;
}

/* --- Sums over all iterations ----------------------------------------------------------------- */

static bool is_one(LLVMValueRef coefficient) {
  LLVMBool loses = false;
  return !coefficient || (LLVMIsAConstantFP(coefficient) &&
                          LLVMGetTypeKind(LLVMTypeOf(coefficient)) != LLVMVectorTypeKind &&
                          LLVMConstRealGetDouble(coefficient, &loses) == 1);
}

/* Does the statement only add to the tangent? */
static bool adds_to(const NbStatement *statement, LLVMValueRef value) {
  if (statement->kind != NB_STATEMENT_SUM || statement->member ||
      LLVMTypeOf(statement->result) != LLVMTypeOf(value))
    return false;
  for (unsigned i = 0; i < statement->count; i++)
    if (statement->sources[i].value == value)
      return is_one(statement->sources[i].coefficient);
  return false;
}

static LLVMValueRef from_latch(const NbStatement *phi, const NbWorkLoop *loop) {
  for (unsigned i = 0; i < phi->count; i++)
    if (LLVMGetIncomingBlock(phi->origin, i) == loop->latch)
      return phi->sources[i].value;
  return NULL;
}

/* The value of a sum over the iterations at the end of each; NULL where the phi is none. */
static LLVMValueRef total_of(const Order *order, const NbStatement *phi, const NbWorkLoop *loop) {
  LLVMValueRef end = from_latch(phi, loop);
  LLVMValueRef value = phi->result;
  for (unsigned i = 0; end && i < MAX_CHAIN && !nb_map_has(order->outside, value); i++) {
    const NbStatement *reader = only_reader(order, value);
    if (!reader || !adds_to(reader, value))
      return NULL;
    value = reader->result;
    if (value == end)
      return only_reader(order, end) == phi ? end : NULL;
  }
  return NULL;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static LLVMValueRef primal_pointer(const NbStatement *access) {
  return LLVMGetOperand(access->origin, access->kind == NB_STATEMENT_LOAD ? 0 : 1);
}

/* Is it other memory in each iteration? */
static bool advances(const NbPlan *plan, const NbStatement *access, const NbWorkLoop *loop) {
  const NbWork *work = plan->linear->work;
  NbAnalyses *analyses = work->context->analyses;
  NbScev *address = nb_scev_of(analyses, work->function, primal_pointer(access));
  NbLoop *natural = nb_loop_of(analyses, loop->header);
  int64_t step;
  return address && natural && nb_scev_is_affine(analyses, address, natural) &&
         nb_scev_is_constant(nb_scev_step(analyses, address, natural), &step) &&
         (uint64_t)llabs(step) >= nb_store_size(work->context, access->type);
}

/* One of the two writes to primal memory, so that restrict says the same of the shadows. */
static bool is_apart(const NbPlan *plan, const NbStatement *one, const NbStatement *other) {
  const NbLinear *linear = plan->linear;
  LLVMValueRef here = primal_pointer(one), there = primal_pointer(other);
  NbClass *first = nb_objects_class(linear->objects, here);
  NbClass *second = nb_objects_class(linear->objects, there);
  bool external = nb_class_is_external(first) && nb_class_is_external(second);
  return (first != second && !external) ||
         nb_memory_disjoint(linear->work->context->analyses, linear->work->function, here, there);
}

/* Two that add to one array mostly add where the next iteration does too: such a loop gains nothing
 * from its order. */
static bool is_neighbour(const NbStatement *one, const NbStatement *other) {
  return one->addresses[0] != other->addresses[0] &&
         nb_memory_underlying(primal_pointer(one)) == nb_memory_underlying(primal_pointer(other));
}

static bool commutes(const NbPlan *plan, const NbStatement *one, const NbStatement *other,
                     const NbWorkLoop *loop) {
  bool same = one->addresses[0] == other->addresses[0] && one->type == other->type;
  if (one->kind == NB_STATEMENT_LOAD && other->kind == NB_STATEMENT_LOAD)
    return !is_neighbour(one, other);
  if (one->kind == NB_STATEMENT_ADD && other->kind == NB_STATEMENT_ADD)
    return true;
  return (same && advances(plan, one, loop)) || (one != other && is_apart(plan, one, other));
}

static bool all_commute(const NbPlan *plan, const NbList *accesses, const NbWorkLoop *loop) {
  if (accesses->count > MAX_ACCESSES)
    return false;
  for (unsigned i = 0; i < accesses->count; i++)
    for (unsigned k = i; k < accesses->count; k++)
      if (!commutes(plan, accesses->items[i], accesses->items[k], loop))
        return false;
  return true;
}

/* --- Loops ------------------------------------------------------------------------------------ */

static bool is_access(const NbStatement *statement) {
  bool load = statement->kind == NB_STATEMENT_LOAD && LLVMIsALoadInst(statement->origin);
  bool store = statement->kind == NB_STATEMENT_STORE || statement->kind == NB_STATEMENT_ADD;
  return load || (store && LLVMIsAStoreInst(statement->origin));
}

static bool may_move(const Order *order, NbStatement *statement, const NbWorkLoop *loop,
                     NbList *accesses, NbMap *totals) {
  if (is_access(statement))
    nb_list_push(accesses, statement);
  else if (statement->kind != NB_STATEMENT_SUM && statement->kind != NB_STATEMENT_CHOOSE &&
           statement->kind != NB_STATEMENT_SHUFFLE && statement->kind != NB_STATEMENT_PHI)
    return false;
  bool carried = statement->kind == NB_STATEMENT_PHI &&
                 LLVMGetInstructionParent(statement->origin) == loop->header;
  LLVMValueRef total = carried ? total_of(order, statement, loop) : NULL;
  if (total)
    nb_map_set(totals, total, total);
  if (carried)
    return total != NULL;
  return !statement->result || !nb_map_has(order->outside, statement->result) ||
         nb_map_has(totals, statement->result);
}

/* The reverse sweep comes through all iterations, or through none. */
static bool is_walked(const NbPlan *plan, const NbWorkBlock *block, const NbWorkLoop *loop) {
  const NbWorkBlock *skip = plan->skip_to[block->index];
  return plan->visited[block->index] && (!skip || skip->loop == loop);
}

static bool runs_upward(const Order *order, const NbWorkLoop *loop) {
  const NbPlan *plan = order->plan;
  const NbWork *work = plan->linear->work;
  const NbStorage *storage = &plan->storage[loop->index];
  if (!loop->trips || (nb_plan_stores(storage) && !storage->known) ||
      !nb_work_is_innermost(work, loop) || !nb_work_is_left_at_end(work, loop))
    return false;
  NbList accesses = nb_list(work->context->arena);
  NbMap *totals = nb_map_new(work->context->arena);
  for (unsigned i = 0; i < work->block_count; i++) {
    if (work->blocks[i].loop != loop)
      continue;
    if (!is_walked(plan, &work->blocks[i], loop))
      return false;
    for (NbStatement *statement = plan->linear->blocks[i].first; statement;
         statement = statement->next)
      if (!may_move(order, statement, loop, &accesses, totals))
        return false;
  }
  return all_commute(plan, &accesses, loop);
}

void nb_plan_order(NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  NbArena *arena = work->context->arena;
  plan->upward = NB_NEW_ARRAY(arena, bool, work->loop_count + 1);
  if (nb_without(work->context, NB_OPTIMISATION_ORDER))
    return;
  Order order = {plan, nb_map_new(arena), nb_map_new(arena), nb_map_new(arena)};
  note_reads(&order);
  for (unsigned i = 0; i < work->loop_count; i++)
    plan->upward[i] = runs_upward(&order, &work->loops[i]);
}
