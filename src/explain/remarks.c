// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* -Rpass=nabla: of all that the reverse sweep is given, its bytes, its line, why it is kept, and
 * what could be written instead. Where a derivative has two versions, each says what it keeps. */
#include "explain/amount.h"
#include "explain/explain.h"
#include "objects/graph.h"
#include "plan/reasons.h"

#include <inttypes.h>

typedef struct Remarks {
  const NbContext *context;
  const NbPlan *plan;
  const NbAmounts *amounts;
  const char *when; /* what all of them begin with */
} Remarks;

/* " in each iteration of the loop in line N", or "". */
static const char *often(const Remarks *remarks, const NbWorkLoop *loop) {
  unsigned line = loop ? LLVMGetDebugLocLine(nb_reason_loop_place(loop)) : 0;
  if (!loop || !line)
    return loop ? " in each iteration" : "";
  return nb_arena_print(remarks->context->arena, " in each iteration of the loop in line %u", line);
}

static const char *in_all(const Remarks *remarks, const char *total, const char *unit) {
  return total ? nb_arena_print(remarks->context->arena, " (%s %s in all)", total, unit) : "";
}

static void say(const Remarks *remarks, LLVMValueRef about, const char *amount,
                const NbWorkLoop *loop, const char *total, const char *reason) {
  const char *message =
      nb_arena_print(remarks->context->arena, "%s%s kept for the reverse sweep%s%s: %s",
                     remarks->when, amount, often(remarks, loop), total, reason);
  LLVMValueRef place = nb_reason_place(remarks->plan->linear->work, about);
  nb_report(remarks->context->analyses, NB_SEVERITY_REMARK, place, place, "Tape", message);
}

static const char *bytes_are(const Remarks *remarks, uint64_t bytes) {
  return nb_arena_print(remarks->context->arena, bytes == 1 ? "a byte is" : "%" PRIu64 " bytes are",
                        bytes);
}

static const char *total_of(const Remarks *remarks, uint64_t size, const NbWorkLoop *loop,
                            const char *unit) {
  const char *product = nb_amount_often(remarks->amounts, loop);
  return loop ? in_all(remarks, nb_amount_total(remarks->amounts, size, product), unit) : "";
}

/* A few words of a copy's address are not worth a remark beside that of the copy. */
static bool is_of_copy(const NbPlan *plan, LLVMValueRef value) {
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind)
    return false;
  LLVMValueRef object = nb_memory_underlying(value);
  if (!LLVMIsACallInst(object))
    return false;
  const NbWorkBlock *block = nb_work_block_of(plan->linear->work, object);
  for (const NbStatement *at = plan->linear->blocks[block->index].first; at; at = at->next)
    if (at->origin == object && nb_reason_is_copy(at))
      return true;
  return false;
}

static void say_slot(const Remarks *remarks, const NbSlot *slot) {
  const NbPlan *plan = remarks->plan;
  LLVMValueRef about = slot->call ? slot->call->origin : slot->value;
  if (slot->bits) {
    const char *amount = slot->bits == 1
                             ? "a bit is"
                             : nb_arena_print(remarks->context->arena, "%u bits are", slot->bits);
    say(remarks, about, amount, slot->loop, total_of(remarks, slot->bits, slot->loop, "bits"),
        nb_reason_of_value(plan, about));
    return;
  }
  uint64_t bytes = LLVMABISizeOfType(remarks->context->layout, slot->type);
  const char *amount = bytes_are(remarks, bytes);
  const char *total = total_of(remarks, bytes, slot->loop, "bytes");
  if (slot->call)
    amount = nb_arena_print(remarks->context->arena,
                            "%" PRIu64 " bytes, the tape of the call of %s, are", bytes,
                            nb_shown_name(remarks->context, slot->call->callee->request.function));
  say(remarks, about, amount, slot->loop, total,
      slot->call ? nb_reason_of_call(plan, slot->call) : nb_reason_of_value(plan, about));
}

static void say_array(const Remarks *remarks, LLVMValueRef array) {
  const char *amount =
      nb_arena_print(remarks->context->arena, "%" PRIu64 " bytes, a local array, are",
                     nb_array_bytes(remarks->context, array));
  say(remarks, array, amount, NULL, "", nb_reason_of_array(remarks->plan, array));
}

static void say_copies(const Remarks *remarks, const NbWorkBlock *block) {
  const NbPlan *plan = remarks->plan;
  const NbStatement *at = plan->linear->blocks[block->index].first;
  for (; at; at = at->next) {
    if (!nb_reason_is_copy(at))
      continue;
    LLVMValueRef reader = nb_reason_reader(plan, at);
    const char *total =
        nb_amount_total(remarks->amounts, 1, nb_amount_of_copy(remarks->amounts, at));
    const char *what = nb_reason_is_table(plan, at)
                           ? "the bytes of values that iterations share are"
                           : "the bytes of a copied array are";
    say(remarks, reader ? reader : at->origin, what, block->loop, in_all(remarks, total, "bytes"),
        nb_reason_of_copy(plan, at));
  }
}

/* Calls of which nothing is kept, though their callees' derivatives do keep something. */
static void say_calls(const Remarks *remarks, const NbLinearBlock *block) {
  const NbContext *context = remarks->context;
  for (const NbStatement *statement = block->first; statement; statement = statement->next) {
    if (statement->kind != NB_STATEMENT_CALL || !statement->at_once)
      continue;
    const char *name = nb_shown_name(context, statement->callee->request.function);
    const char *message = nb_arena_print(
        context->arena,
        "nothing is kept of '%s', whose derivative runs as one in the reverse sweep", name);
    nb_report(context->analyses, NB_SEVERITY_REMARK, statement->origin, statement->origin, "Call",
              message);
  }
}

void nb_explain_remarks(const NbDerivative *derivative, const NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  if (!nb_report_is_heard(work->context->llvm))
    return;
  const NbAmounts amounts = nb_amounts_new(plan);
  Remarks remarks = {work->context, plan, &amounts, ""};
  if (derivative->request.beside)
    remarks.when = "where arguments lie apart, as a test at run time tells, ";
  else if (derivative->apart_test && !plan->opaque)
    remarks.when = "where arguments overlap, as a test at run time tells, ";
  for (unsigned i = 0; i < work->block_count; i++)
    say_calls(&remarks, &plan->linear->blocks[i]);
  for (unsigned i = 0; i < plan->residuals.count; i++) {
    const NbSlot *slot = plan->residuals.items[i];
    if (slot->call || !is_of_copy(plan, slot->value))
      say_slot(&remarks, slot);
  }
  for (unsigned i = 0; i < nb_map_count(plan->fields); i++)
    say_array(&remarks, (LLVMValueRef)nb_map_key(plan->fields, i));
  for (unsigned i = 0; i < work->block_count; i++)
    say_copies(&remarks, &work->blocks[i]);
}
