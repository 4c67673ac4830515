// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/remarks.h"

#include <inttypes.h>

/* How much, and how often. */
static const char *amount(const NbPlan *plan, const NbSlot *slot) {
  NbArena *arena = plan->linear->work->context->arena;
  const char *often = slot->loop ? " in each iteration" : "";
  if (slot->bit)
    return "a bit is kept for the reverse sweep in each iteration";
  return nb_arena_print(
      arena, "%" PRIu64 " bytes are kept for the reverse sweep%s",
      slot->loop ? slot->size : nb_store_size(plan->linear->work->context, slot->type), often);
}

static const char *line_of(const NbPlan *plan, LLVMValueRef inst) {
  unsigned line = LLVMGetDebugLocLine(inst);
  return line ? nb_arena_print(plan->linear->work->context->arena, " in line %u", line) : "";
}

static bool is_parameter(LLVMValueRef object) { return LLVMIsAArgument(object) != NULL; }

/* Of a load whose memory `writer` may change. */
static const char *of_overwritten(const NbPlan *plan, LLVMValueRef load, LLVMValueRef writer) {
  NbArena *arena = plan->linear->work->context->arena;
  const char *line = line_of(plan, writer);
  LLVMValueRef here = nb_memory_underlying(LLVMGetOperand(load, 0));
  LLVMValueRef there =
      LLVMIsAStoreInst(writer) ? nb_memory_underlying(LLVMGetOperand(writer, 1)) : here;
  const char *what = LLVMIsACallInst(writer) ? "the call" : "the store";
  if (here != there && is_parameter(here) && is_parameter(there))
    return nb_arena_print(arena,
                          "what is read here may be overwritten by %s%s, for the two arguments may "
                          "overlap; if they never do, declare them restrict",
                          what, line);
  return nb_arena_print(arena,
                        "what is read here may be overwritten by %s%s before the reverse sweep; "
                        "writing to other memory there would avoid it",
                        what, line);
}

static const char *of_load(const NbPlan *plan, LLVMValueRef load) {
  if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic)
    return "a volatile or atomic access cannot be repeated";
  LLVMValueRef writer = nb_effects_overwriter(plan->linear->effects, load);
  if (writer)
    return of_overwritten(plan, load, writer);
  if (!nb_effects_reloadable(plan->linear->effects, load))
    return "what is read here may change, or be gone, between the function's return and its "
           "reverse; "
           "calling it where its derivative is asked for in one piece would avoid it";
  return "to find the address again would cost more";
}

static const char *of_phi(const NbPlan *plan, LLVMValueRef phi) {
  const NbWorkBlock *block = nb_work_block_of(plan->linear->work, phi);
  if (nb_work_is_header(block))
    return "each iteration computes it from the one before, and the reverse sweep goes the other "
           "way";
  return "it says which way control went, or depends on it";
}

const char *nb_plan_reason(const NbPlan *plan, LLVMValueRef value) {
  if (LLVMIsALoadInst(value))
    return of_load(plan, value);
  if (LLVMIsAPHINode(value))
    return of_phi(plan, value);
  if (LLVMIsACallInst(value) && !nb_plan_repeatable(plan->linear, value))
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind
               ? "it is memory that the reverse sweep reads or frees"
               : "the call may have effects, so that it cannot be repeated";
  return "to compute it again would cost more, or need more to be kept";
}

/* Calls of which nothing is kept, though their callees' derivatives do keep something. */
static void remark_calls(const NbPlan *plan, const NbLinearBlock *block) {
  const NbContext *context = plan->linear->work->context;
  for (const NbStatement *statement = block->first; statement; statement = statement->next) {
    if (statement->kind != NB_STATEMENT_CALL || !statement->at_once)
      continue;
    const char *name = nb_user_name(context, statement->callee->request.function);
    const char *message = nb_arena_print(
        context->arena,
        "nothing is kept of '%s', whose derivative runs as one in the reverse sweep", name);
    nb_report(context->analyses, NB_SEVERITY_REMARK, statement->origin, statement->origin, "Call",
              message);
  }
}

void nb_plan_remark(const NbPlan *plan) {
  const NbContext *context = plan->linear->work->context;
  for (unsigned i = 0; i < plan->linear->work->block_count; i++)
    remark_calls(plan, &plan->linear->blocks[i]);
  for (unsigned i = 0; i < plan->residuals.count; i++) {
    const NbSlot *slot = plan->residuals.items[i];
    if (!slot->value)
      continue;
    const char *message = nb_arena_print(context->arena, "%s: %s", amount(plan, slot),
                                         nb_plan_reason(plan, slot->value));
    nb_report(context->analyses, NB_SEVERITY_REMARK, slot->value, slot->value, "Tape", message);
  }
}
