// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The plan, as records: what is kept, of what size and how often, what is computed again and what
 * is read again. How often is a product of trip counts, as formulas in what the function knows at
 * its entry; where a loop's count changes from run to run, all its iterations together are named by
 * the loop's line. */
#include "base/records.h"
#include "explain/amount.h"
#include "explain/explain.h"
#include "objects/graph.h"
#include "plan/reasons.h"

enum { BITS = 8 };

typedef struct Keeper {
  const NbContext *context;
  const NbPlan *plan;
  const NbAmounts *amounts;
  const char *number;
} Keeper;

/* --- What is kept ---------------------------------------------------------------------------- */

static void write_loop(const Keeper *keeper, const NbWorkLoop *loop) {
  const NbContext *context = keeper->context;
  const char *fields[] = {keeper->number, nb_record_number(context, loop->index),
                          loop->parent ? nb_record_number(context, loop->parent->index) : "",
                          nb_amount_trips(keeper->amounts, loop)};
  nb_record_at(context, "loop", nb_reason_loop_place(loop), fields, 4);
}

static void write_kept(const Keeper *keeper, LLVMValueRef where, uint64_t bits, const char *factor,
                       const char *what, const char *why) {
  const char *fields[] = {keeper->number, nb_record_number(keeper->context, bits), factor, what,
                          why};
  nb_record_at(keeper->context, "kept", nb_reason_place(keeper->plan->linear->work, where), fields,
               5);
}

static uint64_t bits_of(const Keeper *keeper, const NbSlot *slot) {
  if (slot->bits)
    return slot->bits;
  uint64_t bytes = slot->loop ? slot->size : LLVMABISizeOfType(keeper->context->layout, slot->type);
  return BITS * bytes;
}

static void write_slot(const Keeper *keeper, const NbSlot *slot) {
  const char *factor = nb_amount_often(keeper->amounts, slot->loop);
  if (slot->call) {
    LLVMValueRef callee = slot->call->callee->request.function;
    const char *what = nb_arena_print(keeper->context->arena, "the tape of %s",
                                      nb_shown_name(keeper->context, callee));
    write_kept(keeper, slot->call->origin, bits_of(keeper, slot), factor, what,
               nb_reason_of_call(keeper->plan, slot->call));
    return;
  }
  write_kept(keeper, slot->value, bits_of(keeper, slot), factor,
             nb_explain_value(keeper->plan->linear, slot->value),
             nb_reason_of_value(keeper->plan, slot->value));
}

static void write_stack_memory(const Keeper *keeper, LLVMValueRef array) {
  write_kept(keeper, array, BITS * nb_array_bytes(keeper->context, array), "",
             nb_explain_value(keeper->plan->linear, array),
             nb_reason_of_array(keeper->plan, array));
}

/* A copy of an array in place of the values that are read from it (plan/snapshot.h), or a table of
 * values (plan/once.h). */
static void write_copies(const Keeper *keeper, const NbWorkBlock *block) {
  const NbPlan *plan = keeper->plan;
  const NbStatement *statement = plan->linear->blocks[block->index].first;
  for (; statement; statement = statement->next) {
    if (!nb_reason_is_copy(statement))
      continue;
    bool table = nb_reason_is_table(plan, statement);
    write_kept(keeper, statement->origin, BITS, nb_amount_of_copy(keeper->amounts, statement),
               table ? "values that iterations share" : "a copy of an array",
               nb_reason_of_copy(plan, statement));
  }
}

/* --- What is had again ----------------------------------------------------------------------- */

/* Addresses and other integers cost next to nothing, and are not told. */
static void write_again(const Keeper *keeper, LLVMValueRef value) {
  const NbLinear *linear = keeper->plan->linear;
  bool load = LLVMIsALoadInst(value) != NULL;
  bool told = load || nb_type_has_float(LLVMTypeOf(value));
  if (!told || nb_linear_primal(linear, value) != value)
    return;
  const char *fields[] = {keeper->number, load ? "reload" : "compute",
                          nb_explain_value(linear, value)};
  nb_record_at(keeper->context, "again", nb_reason_place(linear->work, value), fields, 3);
}

static void write_places(const Keeper *keeper) {
  const NbMap *places = keeper->plan->places;
  for (unsigned i = 0; i < nb_map_count(places); i++) {
    LLVMValueRef value = (LLVMValueRef)nb_map_key(places, i);
    NbPlace place = nb_plan_place(keeper->plan, value);
    if (place == NB_PLACE_MEMORY && LLVMIsAAllocaInst(value))
      write_stack_memory(keeper, value);
    if (place == NB_PLACE_RECOMPUTE)
      write_again(keeper, value);
  }
}

void nb_explain_kept(const char *number, const NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  const NbAmounts amounts = nb_amounts_new(plan);
  Keeper keeper = {work->context, plan, &amounts, number};
  for (unsigned i = 0; i < work->loop_count; i++)
    write_loop(&keeper, &work->loops[i]);
  for (unsigned i = 0; i < plan->residuals.count; i++)
    write_slot(&keeper, plan->residuals.items[i]);
  for (unsigned i = 0; i < work->block_count; i++)
    write_copies(&keeper, &work->blocks[i]);
  write_places(&keeper);
}
