// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/reasons.h"

#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define CHECKPOINTS "a checkpointed loop would keep less (docs/checkpointing.md)"

enum { MOST_VALUES = 64 };

/* `instead` NULL: nothing that could be written would change it. */
typedef struct Reason {
  const char *why, *instead;
} Reason;

static const char *said(const NbPlan *plan, Reason reason) {
  const char *instead = reason.instead ? reason.instead : "nothing that you could write avoids it";
  return nb_arena_print(plan->linear->work->context->arena, "%s; %s", reason.why, instead);
}

/* --- Places ---------------------------------------------------------------------------------- */

static bool has_line(LLVMValueRef inst) { return LLVMGetDebugLocLine(inst) != 0; }

static void push(NbMap *reached, LLVMValueRef value) {
  if (value && LLVMIsAInstruction(value) && nb_map_count(reached) < MOST_VALUES)
    nb_map_set(reached, value, value);
}

/* What a loop hands on is known by where it is changed, not by where it begins. */
static void push_operands(const NbWork *work, NbMap *reached, LLVMValueRef inst) {
  const NbWorkBlock *block = nb_work_block_of(work, inst);
  for (unsigned i = 0; LLVMIsAPHINode(inst) && i < LLVMCountIncoming(inst); i++)
    if (block->loop && LLVMGetIncomingBlock(inst, i) == block->loop->latch)
      push(reached, LLVMGetIncomingValue(inst, i));
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++)
    push(reached, LLVMGetOperand(inst, i));
  for (LLVMUseRef use = LLVMGetFirstUse(inst); use; use = LLVMGetNextUse(use))
    push(reached, LLVMGetUser(use));
  for (unsigned i = 0; LLVMIsAPHINode(inst) && i < LLVMCountIncoming(inst); i++)
    push(reached, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(inst, i)));
}

/* An instruction with a line in the block, its end before others; NULL where it has none. */
static LLVMValueRef line_in(LLVMBasicBlockRef block) {
  LLVMValueRef inst = LLVMGetLastInstruction(block);
  while (inst && !has_line(inst))
    inst = LLVMGetPreviousInstruction(inst);
  return inst;
}

LLVMValueRef nb_reason_loop_place(const NbWorkLoop *loop) {
  LLVMValueRef found = line_in(loop->latch);
  found = found ? found : line_in(loop->header);
  for (const NbWorkLoop *around = loop->parent; around && !found; around = around->parent)
    found = line_in(around->latch);
  return found ? found : LLVMGetBasicBlockTerminator(loop->header);
}

LLVMValueRef nb_reason_place(const NbWork *work, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value))
    return value;
  NbMap *reached = nb_map_new(work->context->arena);
  nb_map_set(reached, value, value);
  for (unsigned i = 0; i < nb_map_count(reached); i++) {
    LLVMValueRef inst = (LLVMValueRef)nb_map_key(reached, i);
    if (has_line(inst))
      return inst;
    push_operands(work, reached, inst);
  }
  const NbWorkBlock *block = nb_work_block_of(work, value);
  LLVMValueRef found = line_in(block->block);
  for (const NbWorkLoop *loop = block->loop; loop && !found; loop = loop->parent) {
    found = line_in(loop->latch);
    found = found ? found : line_in(loop->header);
  }
  return found ? found : value;
}

/* " in line N", with the file where that is not the one in which `near` is. */
static const char *line_of(const NbPlan *plan, LLVMValueRef inst, LLVMValueRef near) {
  NbArena *arena = plan->linear->work->context->arena;
  unsigned length = 0, other = 0;
  if (!has_line(inst))
    return "";
  const char *file = LLVMGetDebugLocFilename(inst, &length);
  const char *here = has_line(near) ? LLVMGetDebugLocFilename(near, &other) : NULL;
  bool same = !here || (length == other && memcmp(file, here, length) == 0);
  return nb_arena_print(arena, " in line %u%s%.*s", LLVMGetDebugLocLine(inst), same ? "" : " of ",
                        same ? 0 : (int)length, file ? file : "");
}

/* --- Loads ----------------------------------------------------------------------------------- */

static bool is_transfer(LLVMValueRef inst) {
  return LLVMIsAMemCpyInst(inst) || LLVMIsAMemMoveInst(inst);
}

static const char *name_of(const NbPlan *plan, LLVMValueRef writer) {
  const NbContext *context = plan->linear->work->context;
  LLVMValueRef callee = LLVMIsACallInst(writer) ? nb_callee(writer) : NULL;
  if (LLVMIsAStoreInst(writer))
    return "the store";
  if (is_transfer(writer) || LLVMIsAMemSetInst(writer))
    return is_transfer(writer) ? "the copy" : "the memset";
  return callee ? nb_arena_print(context->arena, "the call of %s", nb_shown_name(context, callee))
                : "the operation";
}

static const char *past_writer(LLVMValueRef load, LLVMValueRef writer) {
  LLVMValueRef here = nb_memory_underlying(LLVMGetOperand(load, 0));
  LLVMValueRef written = nb_written_pointer(writer);
  LLVMValueRef there = written ? nb_memory_underlying(written) : NULL;
  bool taken = LLVMIsAArgument(here), given = there && LLVMIsAArgument(there);
  LLVMValueRef callee = LLVMIsACallInst(writer) ? nb_callee(writer) : NULL;
  if (there && here != there && taken && given)
    return "the two arguments may overlap: if they never do, declare them restrict";
  if (there && here != there && (taken || given))
    return "the argument may be the same memory: if it never is, declare it restrict";
  if (there)
    return "a result that is written to other memory, not over what it is computed from, avoids it";
  if (callee && LLVMIsDeclaration(callee))
    return "if the function writes to no memory, declare it with [[gnu::pure]]";
  return "if that writes elsewhere, a restrict parameter or inlining it may show so";
}

static Reason of_overwritten(const NbPlan *plan, LLVMValueRef load, LLVMValueRef writer,
                             const char *here) {
  const char *why = nb_arena_print(
      plan->linear->work->context->arena,
      "what is read %s may be overwritten by %s%s before the reverse sweep", here,
      name_of(plan, writer), line_of(plan, writer, nb_reason_place(plan->linear->work, load)));
  return (Reason){why, past_writer(load, writer)};
}

/* Between the halves of a derivative that are called one by one: by the user, or for a callee. */
static Reason of_outside(const NbPlan *plan, bool passed, const char *here) {
  const NbRequest *request = plan->linear->work->request;
  bool cycle = plan->opaque && !request->overwritten;
  const char *what = passed ? "is an argument's" : "is found through other memory, or is global";
  const char *why = nb_arena_print(plan->linear->work->context->arena,
                                   "the memory that is read %s %s, and may be overwritten by "
                                   "callers between this function and its reverse%s",
                                   here, what, cycle ? ", as it calls itself" : "");
  if (cycle)
    return (Reason){why, "a loop in place of that would tell what is overwritten"};
  if (passed)
    return (Reason){why, "callers that write to other memory avoid it (of split derivatives, "
                         "enzyme_not_overwritten says that they do)"};
  return (Reason){why, "inlined into the function that is differentiated, it is seen whether any "
                       "does (of split derivatives, __enzyme_autodiff does both in one call)"};
}

static Reason of_loss(const NbPlan *plan, LLVMValueRef load, const char *here) {
  NbLoss loss = nb_effects_loss(plan->linear->effects, load);
  switch (loss.kind) {
  case NB_LOSS_VOLATILE:
    return (Reason){"a volatile or atomic access cannot be repeated",
                    "an access that is neither could be"};
  case NB_LOSS_OVERWRITTEN:
    return of_overwritten(plan, load, loss.writer, here);
  case NB_LOSS_ARGUMENT:
    return of_outside(plan, true, here);
  case NB_LOSS_REACHED:
    return of_outside(plan, false, here);
  case NB_LOSS_GONE:
    return (Reason){"the array that is read is another in each iteration, and gone by then",
                    "an array of a constant size stays"};
  case NB_LOSS_BUDGET:
    return (Reason){"the function writes to memory too often for all of it to be looked at",
                    "a function of its own for a part of it would be looked at"};
  default:
    break;
  }
  if (nb_without(plan->linear->work->context, NB_OPTIMISATION_EFFECTS))
    return (Reason){"memory is not read again with -nabla-without=effects", "leave that out"};
  return (Reason){"the memory that is read is not known to stay as it is", NULL};
}

/* --- Phis ------------------------------------------------------------------------------------ */

static bool counts_exit(const NbPlan *plan, LLVMValueRef phi) {
  const NbWorkBlock *block = nb_work_block_of(plan->linear->work, phi);
  for (unsigned i = 0; i < block->exit_count; i++)
    if (block->exit_counts[i] == phi)
      return true;
  return false;
}

/* A loop that the phi is behind, and that computes it; NULL. */
static const NbWorkLoop *loop_before(const NbPlan *plan, LLVMValueRef phi) {
  const NbWork *work = plan->linear->work;
  const NbWorkLoop *own = nb_work_block_of(work, phi)->loop;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    const NbWorkLoop *loop = LLVMIsAInstruction(value) ? nb_work_block_of(work, value)->loop : NULL;
    if (loop && !nb_work_loop_contains(loop, own))
      return loop;
  }
  return NULL;
}

static Reason of_carried(LLVMValueRef phi) {
  bool index = !nb_type_has_float(LLVMTypeOf(phi));
  return (Reason){"each iteration computes it from the one before, and the reverse sweep goes the "
                  "other way",
                  index ? "computed from the number of the iteration alone, it would not be kept"
                        : CHECKPOINTS};
}

static Reason of_phi(const NbPlan *plan, LLVMValueRef phi) {
  const NbWorkBlock *block = nb_work_block_of(plan->linear->work, phi);
  if (nb_work_is_header(block))
    return of_carried(phi);
  if (block->decision == phi)
    return (Reason){"it says by which way control came here", NULL};
  if (counts_exit(plan, phi))
    return (Reason){"it says how often the loop ran, which only its end tells",
                    "a loop up to a bound that is known before it needs no count"};
  const NbWorkLoop *loop = loop_before(plan, phi);
  if (!loop)
    return (Reason){"which of several values it is depends on the way that control took", NULL};
  const char *why = nb_arena_print(
      plan->linear->work->context->arena,
      "it is what the loop%s ends with, which does not run again",
      line_of(plan, nb_reason_loop_place(loop), nb_reason_place(plan->linear->work, phi)));
  return (Reason){why, NULL};
}

/* --- Calls and the rest ---------------------------------------------------------------------- */

static Reason of_call(const NbPlan *plan, LLVMValueRef call, bool shadow) {
  LLVMValueRef callee = nb_callee(call);
  const NbRule *rule = nb_rule_of_call(plan->linear->work->context, call, NULL);
  if (shadow)
    return (Reason){"it leads to memory in which adjoints are added up", NULL};
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind && rule)
    return (Reason){"it leads to memory that the reverse sweep reads or frees", NULL};
  if (callee && !LLVMIsDeclaration(callee))
    return (Reason){"a function that is called is not run again in the reverse sweep",
                    "inlined, or as a loop where it calls itself, it could be"};
  if (rule || (callee && LLVMGetIntrinsicID(callee)))
    return (Reason){"the call does more than to compute a value of its arguments, so that it is "
                    "not repeated",
                    NULL};
  return (Reason){"the call may have effects, or give another value the next time",
                  "a row in a file of rules can say that it does neither (docs/rules.md)"};
}

static Reason of_rounding(LLVMValueRef value) {
  if (LLVMIsACallInst(value))
    return (Reason){"it decides which way control goes, or an address, and a second call might be "
                    "rounded otherwise",
                    NULL};
  return (Reason){"it decides which way control goes, or an address, and with -ffast-math a second "
                  "copy might be rounded otherwise",
                  "without -ffast-math it could be computed again"};
}

static bool is_hindered(const NbPlan *plan, LLVMValueRef value) {
  return nb_map_has(plan->inexact, value) || nb_plan_obstacle(plan->linear, value);
}

/* Why the instruction itself is not repeated. */
static Reason of_obstacle(const NbPlan *plan, LLVMValueRef value, const char *here) {
  LLVMValueRef primal = nb_linear_primal(plan->linear, value);
  switch (nb_plan_obstacle(plan->linear, value)) {
  case NB_OBSTACLE_NONE:
    return of_rounding(value);
  case NB_OBSTACLE_PHI:
    return of_phi(plan, value);
  case NB_OBSTACLE_UNDEFINED:
    return (Reason){"what is not initialised may be another value the next time",
                    "an initial value avoids it"};
  case NB_OBSTACLE_ARRAY:
    return (Reason){"it is the address of an array that is another each time",
                    "an array of a constant size has its place in the tape"};
  case NB_OBSTACLE_CLEARED:
    return (Reason){"the reverse sweep clears the shadow that it is read from", NULL};
  case NB_OBSTACLE_MEMORY:
    return of_loss(plan, primal, here);
  case NB_OBSTACLE_CALL:
    return of_call(plan, primal, primal != value);
  case NB_OBSTACLE_EFFECTS:
    break;
  }
  return (Reason){"the operation changes memory, so that it is not repeated", NULL};
}

/* Of what the value would be computed from again, something that neither can be had again nor is
 * kept; NULL where there is no such thing. */
static LLVMValueRef missing_for(const NbPlan *plan, LLVMValueRef value) {
  NbMap *reached = nb_map_new(plan->linear->work->context->arena);
  nb_map_set(reached, value, value);
  for (unsigned i = 0; i < nb_map_count(reached); i++) {
    LLVMValueRef inst = (LLVMValueRef)nb_map_key(reached, i);
    for (unsigned k = 0; k < nb_plan_operand_count(plan->linear, inst); k++) {
      LLVMValueRef operand = nb_plan_operand(plan->linear, inst, k);
      NbPlace place = nb_plan_place(plan, operand);
      if (place == NB_PLACE_FREE || place == NB_PLACE_STORED || place == NB_PLACE_MEMORY ||
          nb_work_is_frame_array(plan->linear->work, operand))
        continue;
      if (is_hindered(plan, operand))
        return operand;
      push(reached, operand);
    }
  }
  return NULL;
}

static Reason of_missing(const NbPlan *plan, LLVMValueRef value, LLVMValueRef missing) {
  Reason reason = of_obstacle(plan, missing, "there");
  const char *line = line_of(plan, nb_reason_place(plan->linear->work, missing),
                             nb_reason_place(plan->linear->work, value));
  const char *what = LLVMIsALoadInst(missing)  ? "memory that is read"
                     : LLVMIsAPHINode(missing) ? "a variable"
                                               : "a value";
  reason.why = nb_arena_print(plan->linear->work->context->arena,
                              "it is computed from %s%s, which would be kept instead: %s", what,
                              line, reason.why);
  return reason;
}

static Reason of_cost(const NbPlan *plan, LLVMValueRef value) {
  if (nb_without(plan->linear->work->context, NB_OPTIMISATION_CUT))
    return (Reason){"nothing is computed again with -nabla-without=cut", "leave that out"};
  bool loop = nb_work_block_of(plan->linear->work, value)->loop != NULL;
  return (Reason){"to compute it again would cost more than to keep it",
                  loop ? "where memory is scarcer than time, " CHECKPOINTS : NULL};
}

const char *nb_reason_of_value(const NbPlan *plan, LLVMValueRef value) {
  if (is_hindered(plan, value))
    return said(plan, of_obstacle(plan, value, "here"));
  LLVMValueRef missing = missing_for(plan, value);
  return said(plan, missing ? of_missing(plan, value, missing) : of_cost(plan, value));
}

/* --- Memory ---------------------------------------------------------------------------------- */

const char *nb_reason_of_call(const NbPlan *plan, const NbStatement *call) {
  const NbDerivative *callee = call->callee;
  bool cycle = LLVMGetTypeKind(callee->tape) == LLVMPointerTypeKind;
  Reason reason = {"the reverse of the call needs what its forward sweep keeps", NULL};
  reason.instead = cycle ? "a loop in place of a function that calls itself has one tape for all"
                         : "inlined, the function has no tape of its own";
  return said(plan, reason);
}

const char *nb_reason_of_array(const NbPlan *plan, LLVMValueRef array) {
  if (nb_linear_primal(plan->linear, array) != array)
    return said(plan, (Reason){"the adjoints of an array are added up there", NULL});
  if (nb_map_has(plan->pointed_to, array))
    return said(plan, (Reason){"a pointer that is kept, or read again, may lead to the array",
                               "indices in place of pointers to it avoid that"});
  return said(plan, (Reason){"the reverse sweep reads what lies in it", NULL});
}

bool nb_reason_is_copy(const NbStatement *statement) {
  return statement->kind == NB_STATEMENT_ALLOCATE && statement->from_runtime &&
         statement->origin == statement->address;
}

LLVMValueRef nb_reason_reader(const NbPlan *plan, const NbStatement *copy) {
  const NbMap *again = plan->linear->again;
  for (unsigned i = 0; i < nb_map_count(again); i++) {
    LLVMValueRef load = (LLVMValueRef)nb_map_key(again, i);
    LLVMValueRef kept = nb_map_get(again, load);
    if (nb_memory_underlying(LLVMGetOperand(kept, 0)) == copy->origin)
      return load;
  }
  return NULL;
}

bool nb_reason_is_table(const NbPlan *plan, const NbStatement *copy) {
  LLVMValueRef reader = nb_reason_reader(plan, copy);
  return reader && !LLVMIsALoadInst(reader);
}

/* Of values that many iterations compute alike (plan/once.h). */
static Reason of_table(const NbPlan *plan, LLVMValueRef value) {
  Reason reason = of_cost(plan, value);
  reason.why =
      nb_arena_print(plan->linear->work->context->arena,
                     "each serves all iterations that compute the same, and %s", reason.why);
  return reason;
}

const char *nb_reason_of_copy(const NbPlan *plan, const NbStatement *copy) {
  LLVMValueRef reader = nb_reason_reader(plan, copy);
  Reason reason = {"the reverse sweep reads it", NULL};
  if (nb_reason_is_table(plan, copy))
    return said(plan, of_table(plan, reader));
  if (reader)
    reason = of_loss(plan, reader, "here");
  reason.why =
      nb_arena_print(plan->linear->work->context->arena,
                     "its elements are fewer than what the loops read of them, and %s", reason.why);
  return said(plan, reason);
}
