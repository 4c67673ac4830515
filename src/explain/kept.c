// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The plan, as records: what is kept, of what size and how often, what is computed again and what
 * is read again. How often is a product of trip counts, as formulas in what the function knows at
 * its entry; where a loop's count changes from run to run, all its iterations together are named by
 * the loop's line. */
#include "base/records.h"
#include "explain/explain.h"
#include "plan/remarks.h"

#include <string.h>

enum { BITS = 8 };

typedef struct Keeper {
  const NbContext *context;
  const NbPlan *plan;
  const NbWork *work;
  const char *number;
} Keeper;

/* --- How often ------------------------------------------------------------------------------- */

static const char *name_of(void *data, LLVMValueRef value) {
  const Keeper *keeper = data;
  const char *text = nb_explain_value(keeper->plan->linear, value);
  return strstr(text, "...") ? NULL : text;
}

static const NbWorkLoop *outermost(const NbWorkLoop *loop) {
  while (loop->parent)
    loop = loop->parent;
  return loop;
}

/* An integer that is the same in each run of the loops around `loop`, as a formula in which nothing
 * wraps around; NULL: there is none. */
static const char *formula_of(const Keeper *keeper, LLVMValueRef value, const NbWorkLoop *loop) {
  NbAnalyses *analyses = keeper->context->analyses;
  NbScev *scev = value ? nb_scev_of(analyses, keeper->work->function, value) : NULL;
  NbLoop *natural = loop ? nb_loop_of(analyses, outermost(loop)->header) : NULL;
  if (!scev || (natural && !nb_scev_is_invariant(analyses, scev, natural)))
    return NULL;
  NbScev *wide = nb_scev_estimate(analyses, keeper->work->function, scev);
  char *text = nb_scev_formula(wide ? wide : scev, name_of, (void *)keeper);
  if (!text)
    return NULL;
  const char *copy = nb_arena_copy(keeper->context->arena, text, strlen(text));
  LLVMDisposeMessage(text);
  return copy;
}

static LLVMValueRef place_of(const NbWorkLoop *loop) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->latch);
  return LLVMGetDebugLocLine(end) ? end : LLVMGetBasicBlockTerminator(loop->header);
}

static bool is_sum(const char *formula) { return strstr(formula, " + ") || strstr(formula, " - "); }

/* Of each loop around a slot a factor. */
static const char *often(const Keeper *keeper, const NbWorkLoop *loop) {
  NbArena *arena = keeper->context->arena;
  const char *text = "";
  for (; loop; loop = loop->parent) {
    const char *trips = formula_of(keeper, loop->trips, loop);
    unsigned line = LLVMGetDebugLocLine(place_of(loop));
    const char *factor = trips;
    if (!trips)
      factor = nb_arena_print(arena, "iterations(line %u)", line);
    else if (is_sum(trips))
      factor = nb_arena_print(arena, "(%s)", trips);
    text = *text ? nb_arena_print(arena, "%s * %s", factor, text) : factor;
    if (!trips)
      break;
  }
  return text;
}

static void write_loop(const Keeper *keeper, const NbWorkLoop *loop) {
  const NbContext *context = keeper->context;
  const char *fields[] = {keeper->number, nb_record_number(context, loop->index),
                          loop->parent ? nb_record_number(context, loop->parent->index) : "",
                          formula_of(keeper, loop->trips, loop)};
  nb_record_at(context, "loop", place_of(loop), fields, 4);
}

/* --- What is kept ---------------------------------------------------------------------------- */

static void write_kept(const Keeper *keeper, LLVMValueRef where, uint64_t bits, const char *factor,
                       const char *what, const char *why) {
  const char *fields[] = {keeper->number, nb_record_number(keeper->context, bits), factor, what,
                          why};
  nb_record_at(keeper->context, "kept", where, fields, 5);
}

static uint64_t bits_of(const Keeper *keeper, const NbSlot *slot) {
  if (slot->bit)
    return 1;
  uint64_t bytes = slot->loop ? slot->size : LLVMABISizeOfType(keeper->context->layout, slot->type);
  return BITS * bytes;
}

static void write_slot(const Keeper *keeper, const NbSlot *slot) {
  const char *factor = often(keeper, slot->loop);
  if (slot->call) {
    LLVMValueRef callee = slot->call->callee->request.function;
    const char *what = nb_arena_print(keeper->context->arena, "the tape of %s",
                                      nb_record_name(keeper->context, callee));
    write_kept(keeper, slot->call->origin, bits_of(keeper, slot), factor, what,
               "the reverse of the call needs it");
    return;
  }
  write_kept(keeper, slot->value, bits_of(keeper, slot), factor,
             nb_explain_value(keeper->plan->linear, slot->value),
             nb_plan_reason(keeper->plan, slot->value));
}

static void write_stack_memory(const Keeper *keeper, LLVMValueRef array) {
  LLVMTargetDataRef layout = keeper->context->layout;
  uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(array)) *
                   LLVMConstIntGetZExtValue(LLVMGetOperand(array, 0));
  write_kept(keeper, array, BITS * bytes, "", nb_explain_value(keeper->plan->linear, array),
             "the reverse sweep reads what lies in it");
}

/* A copy of an array in place of the values that are read from it (plan/snapshot.h). */
static void write_copies(const Keeper *keeper, const NbWorkBlock *block) {
  const NbStatement *statement = keeper->plan->linear->blocks[block->index].first;
  for (; statement; statement = statement->next) {
    bool copied = statement->from_runtime && statement->origin == statement->address;
    if (statement->kind != NB_STATEMENT_ALLOCATE || !copied)
      continue;
    const char *bytes = formula_of(keeper, LLVMGetOperand(statement->origin, 0), block->loop);
    const char *around = often(keeper, block->loop);
    const char *own =
        bytes ? nb_arena_print(keeper->context->arena, "(%s)", bytes) : "bytes(of the elements)";
    const char *factor =
        *around ? nb_arena_print(keeper->context->arena, "%s * %s", around, own) : own;
    write_kept(keeper, statement->origin, BITS, factor, "a copy of an array",
               "its elements are fewer than what the loops read of them before they are "
               "overwritten");
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
  nb_record_at(keeper->context, "again", value, fields, 3);
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
  Keeper keeper = {work->context, plan, work, number};
  for (unsigned i = 0; i < work->loop_count; i++)
    write_loop(&keeper, &work->loops[i]);
  for (unsigned i = 0; i < plan->residuals.count; i++)
    write_slot(&keeper, plan->residuals.items[i]);
  for (unsigned i = 0; i < work->block_count; i++)
    write_copies(&keeper, &work->blocks[i]);
  write_places(&keeper);
}
