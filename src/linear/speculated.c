// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Values that are computed whether they are needed or not. Where they are not, a coefficient may be
 * infinite, and 0 * inf must stay 0.
 *
 * The optimiser speculates: a value that only arms of selects use, or such values. So does the
 * user, who takes a root before asking whether it is one of zero: what only blocks behind a branch
 * use, or a caller, is guarded too, where its coefficient can be infinite at all. So a program has
 * the same derivatives with and without optimisation. Comparisons do not count as uses. */
#include "linear/build.h"

typedef struct Search {
  const NbLinear *linear;
  NbMap *arms;   /* values that arms of selects use */
  NbMap *behind; /* and values that only some of the ways through the function use */
} Search;

/* Does the block end in a choice between blocks of its own loop? */
static bool ends_in_choice(const NbWork *work, LLVMBasicBlockRef block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  const NbWorkLoop *loop = nb_work_block_of(work, last)->loop;
  bool choice = LLVMGetNumSuccessors(last) > 1;
  for (unsigned i = 0; choice && i < LLVMGetNumSuccessors(last); i++) {
    LLVMValueRef next = LLVMGetFirstInstruction(LLVMGetSuccessor(last, i));
    choice = nb_work_block_of(work, next)->loop == loop;
  }
  return choice;
}

static bool is_arm(LLVMValueRef user, LLVMValueRef value) {
  return LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) != value;
}

static bool may_be_idle(const Search *search, LLVMValueRef value, LLVMValueRef user) {
  const NbWork *work = search->linear->work;
  if (nb_map_has(search->behind, user))
    return true;
  if (LLVMIsAReturnInst(user))
    return !work->request->top;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
  return LLVMGetInstructionParent(user) != block && ends_in_choice(work, block);
}

static void visit(Search *search, LLVMValueRef value) {
  bool used = false, arms = true, behind = true;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use && behind; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAFCmpInst(user))
      continue;
    bool arm = is_arm(user, value) || nb_map_has(search->arms, user);
    arms = arms && arm;
    behind = arm || may_be_idle(search, value, user);
    used = true;
  }
  if (used && arms && behind)
    nb_map_set(search->arms, value, value);
  if (used && behind)
    nb_map_set(search->behind, value, value);
}

/* Can the value, or a slope of it, be infinite where its operands are not? */
static bool has_pole(const NbLinear *linear, LLVMValueRef value) {
  if (!LLVMIsACallInst(value))
    return LLVMGetInstructionOpcode(value) == LLVMFDiv;
  const NbRule *rule = nb_rule_of_call(linear->work->context, value, NULL);
  return !rule || rule->cost != 1;
}

static bool is_guarded(const Search *search, LLVMValueRef value) {
  if (nb_map_has(search->arms, value))
    return true;
  if (!nb_map_has(search->behind, value))
    return false;
  bool pole = has_pole(search->linear, value);
  for (int i = 0; i < LLVMGetNumOperands(value) && !pole; i++) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    pole = nb_map_has(search->behind, operand) && has_pole(search->linear, operand);
  }
  return pole;
}

NbMap *nb_speculated_find(const NbLinear *linear, const NbList *instructions) {
  NbArena *arena = linear->work->context->arena;
  Search search = {linear, nb_map_new(arena), nb_map_new(arena)};
  for (unsigned i = instructions->count; i-- > 0;) {
    LLVMValueRef inst = instructions->items[i];
    if (nb_linear_is_active(linear, inst) && !LLVMIsAPHINode(inst))
      visit(&search, inst);
  }
  NbMap *guarded = nb_map_new(arena);
  for (unsigned i = 0; i < nb_map_count(search.behind); i++) {
    LLVMValueRef value = (LLVMValueRef)nb_map_key(search.behind, i);
    if (is_guarded(&search, value))
      nb_map_set(guarded, value, value);
  }
  nb_lanes_find_idle(linear, instructions, guarded);
  return guarded;
}

/* May the argument lie in the range? */
static bool may_be_in(LLVMValueRef argument, const NbRange *range) {
  LLVMBool inexact;
  double number;
  if (LLVMIsAConstantFP(argument))
    number = LLVMConstRealGetDouble(argument, &inexact);
  else if (LLVMIsAConstantInt(argument))
    number = (double)LLVMConstIntGetSExtValue(argument);
  else
    return true;
  return range->low <= number && number <= range->high;
}

/* By its row the function's slope may be infinite for some arguments of the call. */
static bool has_pole_by_row(const NbLinear *linear, LLVMValueRef call) {
  const NbRule *rule =
      LLVMIsACallInst(call) ? nb_rule_of_call(linear->work->context, call, NULL) : NULL;
  bool found = false;
  for (unsigned i = 0; rule && i < rule->pole_count && !found; i++) {
    const NbDomain *pole = &rule->poles[i];
    found = true;
    for (unsigned k = 0; k < pole->count; k++)
      found = found && may_be_in(LLVMGetOperand(call, pole->ranges[k].parameter), &pole->ranges[k]);
  }
  return found;
}

void nb_speculated_mark(NbLinear *linear, const NbMap *speculated) {
  bool strong = linear->work->request->strong_zero;
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next) {
      statement->pole =
          statement->kind == NB_STATEMENT_SUM && has_pole_by_row(linear, statement->origin);
      statement->speculated = strong || nb_map_has(speculated, statement->origin);
    }
}
