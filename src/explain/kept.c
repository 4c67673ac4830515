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

#include <string.h>

enum { BITS = 8 };

typedef struct Keeper {
  const NbContext *context;
  const NbPlan *plan;
  const NbAmounts *amounts;
  const char *number;
  NbMap *shared; /* slots that stand where another does */
} Keeper;

/* --- What is kept ---------------------------------------------------------------------------- */

static const char *or_nameless(const char *value) {
  return strcmp(value, "...") == 0 ? "a value without a name" : value;
}

/* The loop's trip count; where it changes from run to run, by what it changes with. */
static const char *trips_text(const Keeper *keeper, const NbWorkLoop *loop) {
  const char *formula = nb_amount_trips(keeper->amounts, loop);
  if (formula || !loop->trips)
    return formula;
  const char *text = nb_explain_value(keeper->plan->linear, loop->trips);
  return strstr(text, "...") || strstr(text, ">>") ? NULL : text;
}

static void write_loop(const Keeper *keeper, const NbWorkLoop *loop) {
  const NbContext *context = keeper->context;
  const char *fields[] = {keeper->number, nb_record_number(context, loop->index),
                          loop->parent ? nb_record_number(context, loop->parent->index) : "",
                          trips_text(keeper, loop)};
  nb_record_at(context, "loop", nb_reason_loop_place(loop), fields, 4);
}

/* `each`: what is kept at a time where that is no iteration; NULL. */
static void write_kept(const Keeper *keeper, LLVMValueRef where, uint64_t bits, const char *factor,
                       const char *what, const char *why, const char *each) {
  LLVMValueRef place = nb_reason_place(keeper->plan->linear->work, where);
  const char *fields[] = {
      keeper->number, nb_record_number(keeper->context, bits), factor, what, why, each};
  nb_record_at(keeper->context, "kept", place, fields, 6);
}

/* The loop each time that it begins, the words of its bits are new ones; NULL: they are not, or
 * only once in the function. */
static const NbWorkLoop *entry_of_words(const NbPlan *plan, const NbWorkLoop *loop) {
  const NbStorage *storage = &plan->storage[loop->index];
  const NbWorkLoop *entry = storage->known ? storage->entry : loop;
  return entry->parent ? entry : NULL;
}

static void write_slot(const Keeper *keeper, const NbSlot *slot) {
  const NbPlan *plan = keeper->plan;
  const NbContext *context = keeper->context;
  const NbWorkLoop *entry = slot->bits ? entry_of_words(plan, slot->loop) : NULL;
  LLVMTypeRef type = slot->type;
  uint64_t bits = slot->loop ? BITS * slot->size : BITS * LLVMABISizeOfType(context->layout, type);
  if (slot->bits)
    bits = entry ? slot->bits * NB_TAPE_GROUP : slot->bits;
  const char *factor = entry ? nb_amount_groups(keeper->amounts, slot->loop, entry)
                             : nb_amount_often(keeper->amounts, slot->loop);
  const char *each =
      entry ? nb_arena_print(context->arena, "each %d iterations of a run", NB_TAPE_GROUP) : NULL;
  LLVMValueRef value = slot->value;
  if (slot->call) {
    LLVMValueRef callee = slot->call->callee->request.function;
    const char *what =
        nb_arena_print(context->arena, "the tape of %s", nb_shown_name(context, callee));
    write_kept(keeper, slot->call->origin, bits, factor, what, nb_reason_of_call(plan, slot->call),
               NULL);
    return;
  }
  const char *what = nb_explain_value(plan->linear, value);
  write_kept(keeper, value, nb_map_has(keeper->shared, slot) ? 0 : bits, factor, or_nameless(what),
             nb_reason_of_value(plan, value), each);
}

/* --- Room of loops --------------------------------------------------------------------------- */

/* Finds the slots that stand where another does; returns the bytes of the others. */
static uint64_t find_shared(const Keeper *keeper, const NbRoom *room) {
  NbMap *taken = nb_map_new(keeper->context->arena);
  uint64_t bytes = 0;
  for (const NbSlot *slot = room->slots; slot; slot = slot->next) {
    const void *place = (const void *)(uintptr_t)(slot->offset + 1);
    if (nb_map_has(taken, place))
      nb_map_set(keeper->shared, slot, (void *)slot);
    else
      bytes += slot->size;
    nb_map_set(taken, place, (void *)slot);
  }
  return bytes;
}

static void write_spare(const Keeper *keeper, const NbWorkLoop *loop, NbSpare spare,
                        const char *what) {
  if (spare.bytes)
    write_kept(keeper, nb_reason_loop_place(loop), BITS * spare.bytes, spare.often,
               "room that stays free", what, NULL);
}

/* Of loops that begin again and again: how much each run keeps, and what is lost by it. */
static void write_rows(const Keeper *keeper, const NbWorkLoop *loop) {
  const NbStorage *storage = &keeper->plan->storage[loop->index];
  const NbAmounts *amounts = keeper->amounts;
  write_kept(
      keeper, nb_reason_loop_place(loop), BITS * sizeof(uint64_t),
      nb_amount_often(amounts, storage->entry->parent), "how often the loop runs",
      "it says how much the loop keeps, which is another piece of memory each time; a loop up "
      "to a bound that is known before the loops around it would keep all in one",
      NULL);
  for (unsigned bit = 0; bit < NB_ROOMS; bit++)
    write_spare(
        keeper, loop,
        nb_amount_spare(amounts, loop, storage->entry, storage->rooms[bit].size, bit != 0),
        "what the loop keeps begins at a multiple of 16 bytes each time; a loop up to a bound that "
        "is known before the loops around it would keep all in one piece");
}

static void write_room(const Keeper *keeper, const NbWorkLoop *loop) {
  const NbStorage *storage = &keeper->plan->storage[loop->index];
  if (!nb_plan_stores(storage))
    return;
  uint64_t bytes = find_shared(keeper, &storage->rooms[false]);
  if (storage->known && storage->stacked)
    write_rows(keeper, loop);
  if (storage->known)
    return;
  NbSpare spare = {storage->rooms[false].size - bytes, nb_amount_often(keeper->amounts, loop)};
  write_spare(keeper, loop, spare,
              "what an iteration keeps ends at a multiple of 8 bytes; nothing that you could write "
              "avoids it");
}

/* --- Memory ---------------------------------------------------------------------------------- */

static void write_stack_memory(const Keeper *keeper, LLVMValueRef array) {
  write_kept(keeper, array, BITS * nb_array_bytes(keeper->context, array), "",
             nb_explain_value(keeper->plan->linear, array), nb_reason_of_array(keeper->plan, array),
             NULL);
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
               nb_reason_of_copy(plan, statement), "in all");
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
                          or_nameless(nb_explain_value(linear, value))};
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
  Keeper keeper = {work->context, plan, &amounts, number, nb_map_new(work->context->arena)};
  for (unsigned i = 0; i < work->loop_count; i++)
    write_loop(&keeper, &work->loops[i]);
  for (unsigned i = 0; i < work->loop_count; i++)
    write_room(&keeper, &work->loops[i]);
  for (unsigned i = 0; i < plan->residuals.count; i++)
    write_slot(&keeper, plan->residuals.items[i]);
  for (unsigned i = 0; i < work->block_count; i++)
    write_copies(&keeper, &work->blocks[i]);
  write_places(&keeper);
}
