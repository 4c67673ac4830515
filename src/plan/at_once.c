// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/at_once.h"

#include "checkpoint/checkpoint.h"
#include "models/models.h"
#include "objects/graph.h"
#include "prepare/unwind.h"
#include "request/registrations.h"

/* A tape of more bytes than this is large. */
enum { LARGE = 256 };

/* --- Callees that only compute ------------------------------------------------------------------
 */

static bool only_computes(NbContext *context, LLVMValueRef function);

static bool says(LLVMValueRef call, const char *attribute) {
  return nb_call_says(call, nb_callee(call), LLVMAttributeFunctionIndex, attribute);
}

static bool is_volatile_transfer(LLVMValueRef call) {
  bool intrinsic = LLVMIsAMemCpyInst(call) || LLVMIsAMemMoveInst(call) || LLVMIsAMemSetInst(call);
  return intrinsic && !LLVMIsNull(LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1));
}

/* A function with a row, of which a second run does no more than the first. */
static bool row_only_computes(LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef callee = nb_callee(call);
  if (rule->once || rule->noreturn || rule->effect_count)
    return false;
  switch (rule->kind) {
  case NB_RULE_TANGENT:
  case NB_RULE_STRUCT:
    return true;
  case NB_RULE_INACTIVE:
    return !nb_memory_may_write_any(call) || (callee && LLVMGetIntrinsicID(callee));
  case NB_RULE_ALLOCATE:
  case NB_RULE_FREE:
    return says(call, "nounwind");
  default:
    return false;
  }
}

static bool body_only_computes(NbContext *context, LLVMValueRef callee) {
  return !nb_activity_is_given(context, callee) && only_computes(context, callee);
}

static bool call_only_computes(NbContext *context, LLVMValueRef call) {
  NbCall known = nb_call_of(context, call);
  if (says(call, "noreturn"))
    return false;
  switch (known.kind) {
  case NB_CALL_COPY:
  case NB_CALL_FILL:
    return !is_volatile_transfer(call);
  case NB_CALL_ROW:
    return row_only_computes(call, known.rule);
  case NB_CALL_BODY:
    return body_only_computes(context, known.callee);
  case NB_CALL_HARMLESS:
    return known.callee && !nb_memory_may_write_any(call);
  default:
    return false;
  }
}

static bool instruction_only_computes(NbContext *context, LLVMValueRef inst) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMCall:
    return call_only_computes(context, inst);
  case LLVMLoad:
  case LLVMStore:
    return nb_access_is_plain(inst);
  case LLVMRet:
  case LLVMBr:
  case LLVMSwitch:
  case LLVMUnreachable:
    return true;
  default:
    return !LLVMIsATerminatorInst(inst) && !nb_memory_may_write_any(inst);
  }
}

static bool all_only_compute(NbContext *context, const NbList *functions) {
  for (unsigned i = 0; i < functions->count; i++)
    for (LLVMValueRef at = nb_instruction_first(functions->items[i]); at;
         at = nb_instruction_next(at))
      if (!instruction_only_computes(context, at))
        return false;
  return true;
}

/* Does the function, by each of its instructions, return a value and do no more that is seen, but
 * for what it writes to memory? Those that call one another are asked once, and take it of one
 * another. */
static bool only_computes(NbContext *context, LLVMValueRef function) {
  NbObjects *group = nb_summary_of(context, function);
  if (!group->judged) {
    group->judged = group->computes = true;
    group->computes = all_only_compute(context, &group->functions);
  }
  return group->computes;
}

/* --- Which calls --------------------------------------------------------------------------------
 */

/* Does the callee come to memory by its arguments alone, and change none of it? */
static bool only_reads(const NbLinear *linear, LLVMValueRef call) {
  const unsigned changed = NB_CLASS_WRITTEN | NB_CLASS_FREED | NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE;
  const NbBinding *binding = nb_map_get(linear->objects->bindings, call);
  if (!binding || !nb_graph_stays_with_arguments(linear->objects, call))
    return false;
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++)
    if (nb_class_find((NbClass *)nb_map_key(binding->classes, i))->flags & changed)
      return false;
  return true;
}

/* Are all arguments the same in the reverse sweep, with what they lead to? */
static bool arguments_last(const NbLinear *linear, const NbStatement *statement) {
  const NbRequest *request = &statement->callee->request;
  for (unsigned i = 0; i < statement->count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(statement->origin, i));
    bool lasts = LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
                 nb_effects_survives(linear->effects, statement->origin, i);
    if (request->roles[i] == NB_ROLE_DUPNONEED || (nb_type_has_pointer(type) && !lasts))
      return false;
  }
  return true;
}

/* May the callee run again, and is it in no cycle with the function? */
static bool may_run_again(const NbWork *work, LLVMValueRef callee) {
  NbContext *context = work->context;
  return body_only_computes(context, callee) &&
         nb_summary_of(context, callee) != nb_summary_of(context, work->request->function);
}

static bool is_possible(const NbLinear *linear, const NbStatement *statement) {
  const NbWork *work = linear->work;
  const NbDerivative *callee = statement->callee;
  LLVMValueRef function = callee->request.function, call = statement->origin;
  return callee->complete && callee->tape && callee->grows &&
         !nb_request_releases(&callee->request) && callee->request.result == NB_ROLE_OUT &&
         nb_callee(call) == function &&
         nb_unwind_block(work, call) == nb_work_block_of(work, call) && only_reads(linear, call) &&
         arguments_last(linear, statement) && may_run_again(work, function);
}

/* Nobody would count what tapes take in the reverse sweep against a limit. */
void nb_at_once_propose(NbLinear *linear) {
  const NbWork *work = linear->work;
  NbContext *context = work->context;
  if (nb_without(context, NB_OPTIMISATION_COMBINE) || context->max_tape ||
      nb_checkpoint_asked(context, work->request))
    return;
  for (unsigned i = 0; i < work->block_count; i++)
    for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next)
      if (statement->kind == NB_STATEMENT_CALL)
        statement->at_once = is_possible(linear, statement);
}

/* --- What the forward sweep needs ---------------------------------------------------------------
 */

typedef struct Needs {
  const NbPlan *plan;
  NbMap *calls; /* a set: those that run at once in the reverse */
  NbMap *seen;  /* a set of needed instructions */
  NbList pending;
} Needs;

static void need(Needs *needs, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || nb_map_has(needs->seen, value))
    return;
  nb_map_set(needs->seen, value, value);
  nb_list_push(&needs->pending, value);
}

static void need_operands(Needs *needs, LLVMValueRef inst) {
  for (int i = 0; i < LLVMGetNumOperands(inst); i++)
    need(needs, LLVMGetOperand(inst, (unsigned)i));
}

static bool is_needed_itself(const Needs *needs, LLVMValueRef inst) {
  const NbLinear *linear = needs->plan->linear;
  if (LLVMIsAReturnInst(inst))
    return !linear->work->request->unread;
  if (LLVMIsACallInst(inst))
    return !nb_map_has(needs->calls, inst) && !nb_linear_is_pure_call(linear, inst);
  return LLVMIsATerminatorInst(inst) || LLVMIsAAllocaInst(inst) || nb_memory_may_write_any(inst);
}

static void need_block(Needs *needs, LLVMBasicBlockRef block) {
  for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
       inst = LLVMGetNextInstruction(inst))
    if (is_needed_itself(needs, inst))
      need(needs, inst);
}

/* The instructions that the augmented forward needs: what has effects, decides where control goes
 * or is kept, and all that it is computed from. */
static NbMap *find_needed(const NbPlan *plan, NbMap *calls) {
  const NbWork *work = plan->linear->work;
  NbArena *arena = work->context->arena;
  Needs needs = {plan, calls, nb_map_new(arena), nb_list(arena)};
  for (unsigned i = 0; i < work->block_count; i++)
    need_block(&needs, work->blocks[i].block);
  for (unsigned i = 0; i < plan->residuals.count; i++) {
    const NbSlot *slot = plan->residuals.items[i];
    if (slot->value)
      need(&needs, slot->value);
  }
  for (unsigned i = 0; i < needs.pending.count; i++)
    need_operands(&needs, needs.pending.items[i]);
  return needs.seen;
}

static NbMap *find_calls(const NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  NbMap *calls = nb_map_new(work->context->arena);
  for (unsigned i = 0; i < work->block_count; i++)
    for (NbStatement *at = plan->linear->blocks[i].first; at; at = at->next)
      if (at->kind == NB_STATEMENT_CALL && at->at_once)
        nb_map_set(calls, at->origin, at);
  return calls;
}

bool nb_at_once_settle(const NbPlan *plan) {
  NbMap *calls = find_calls(plan);
  if (!nb_map_count(calls))
    return false;
  const NbMap *needed = find_needed(plan, calls);
  bool withdrawn = false;
  for (unsigned i = 0; i < nb_map_count(calls); i++) {
    const void *call = nb_map_key(calls, i);
    if (!nb_map_has(needed, call))
      continue;
    ((NbStatement *)nb_map_get(calls, call))->at_once = false;
    withdrawn = true;
  }
  return withdrawn;
}

/* --- For callers --------------------------------------------------------------------------------
 */

static bool makes_copies(const NbPlan *plan) {
  for (unsigned i = 0; i < plan->linear->work->block_count; i++)
    for (const NbStatement *at = plan->linear->blocks[i].first; at; at = at->next)
      if (at->from_runtime)
        return true;
  return false;
}

bool nb_at_once_grows(const NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  LLVMTargetDataRef layout = work->context->layout;
  bool any = plan->opaque || makes_copies(plan) ||
             (plan->tape && LLVMABISizeOfType(layout, plan->tape) > LARGE);
  for (unsigned i = 0; i < work->loop_count; i++)
    any = any || nb_plan_stores(&plan->storage[i]);
  for (unsigned i = 0; i < plan->residuals.count; i++) {
    const NbSlot *slot = plan->residuals.items[i];
    any = any || (slot->call && slot->call->callee->grows);
  }
  return any;
}
