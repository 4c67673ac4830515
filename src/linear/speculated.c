// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Values that are computed whether they are needed or not. Where they are not, a coefficient may be
 * infinite, and 0 * inf must stay 0.
 *
 * The optimiser speculates: a value that only arms of selects use, phis behind a choice, or such
 * values. So does the user, who takes a root before asking whether it is one of zero: what only
 * blocks behind a branch use, or a caller, is guarded too, where its coefficient can be infinite at
 * all. So a program has the same derivatives with and without optimisation. Comparisons do not
 * count as uses, nor does what is computed for them.
 *
 * What guards a product of a derivative is no choice of the user's: where that is differentiated
 * again, it is the product with either factor. */
#include "linear/build.h"

#include "base/fences.h"

enum { MOST_SCALED = 3 };

typedef struct Search {
  const NbLinear *linear;
  NbMap *arms;       /* values that arms of selects and of choices between blocks use */
  NbMap *behind;     /* and values that only some of the ways through the function use */
  unsigned *choices; /* of the blocks on the way to a block that dominate it, with its own */
} Search;

/* Does the block end in a choice between blocks of its own loop from which the function returns? */
static bool ends_in_choice(const NbWork *work, const NbWorkBlock *block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block->block);
  unsigned ways = 0;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
    const NbWorkBlock *way = nb_work_block(work, LLVMGetSuccessor(last, i));
    ways += way->loop == block->loop && way->returns;
  }
  return ways > 1;
}

static const NbWorkBlock *dominator_of(const NbWork *work, const NbWorkBlock *block) {
  LLVMBasicBlockRef above = nb_block_idom(work->context->analyses, block->block);
  return above ? nb_work_block(work, above) : NULL;
}

static void count_choices(Search *search) {
  const NbWork *work = search->linear->work;
  search->choices = NB_NEW_ARRAY(work->context->arena, unsigned, work->block_count + 1);
  for (unsigned i = 0; i < work->block_count; i++) {
    const NbWorkBlock *block = &work->blocks[i], *above = dominator_of(work, block);
    search->choices[i] = (above ? search->choices[above->index] : 0) + ends_in_choice(work, block);
  }
}

/* Is there a choice between the end of the block and the start of another, which it dominates? */
static bool is_choice_between(const Search *search, const NbWorkBlock *first,
                              const NbWorkBlock *last) {
  const NbWork *work = search->linear->work;
  const NbWorkBlock *above = dominator_of(work, first);
  unsigned before = above ? search->choices[above->index] : 0;
  return search->choices[dominator_of(work, last)->index] > before;
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
  const NbWorkBlock *block = nb_work_block_of(work, value);
  const NbWorkBlock *other = nb_work_block_of(work, user);
  if (block == other)
    return false;
  NbAnalyses *analyses = work->context->analyses;
  if (!nb_block_dominates(analyses, block->block, other->block))
    return ends_in_choice(work, block);
  return is_choice_between(search, block, other) &&
         (LLVMIsAPHINode(user) || !nb_block_postdominates(analyses, other->block, block->block));
}

/* Does the user compute or compare, and nothing that has a derivative? */
static bool has_none(const Search *search, LLVMValueRef user) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  if (nb_linear_is_active(search->linear, user))
    return false;
  if (opcode == LLVMCall)
    return nb_callee(user) && LLVMGetIntrinsicID(nb_callee(user)) &&
           nb_is_float_kind(LLVMGetTypeKind(LLVMTypeOf(user)));
  return opcode == LLVMFCmp || opcode == LLVMFPToSI || opcode == LLVMFPToUI ||
         LLVMIsAUnaryOperator(user) || LLVMIsABinaryOperator(user);
}

static void visit(Search *search, LLVMValueRef value) {
  bool used = false, arms = true, behind = true;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use && behind; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (has_none(search, user))
      continue;
    bool arm = is_arm(user, value) || nb_map_has(search->arms, user);
    bool idle = arm || may_be_idle(search, value, user);
    arms = arms && (arm || (idle && LLVMIsAPHINode(user)));
    behind = idle;
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
  Search search = {linear, nb_map_new(arena), nb_map_new(arena), NULL};
  count_choices(&search);
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

static bool is_zero(LLVMValueRef value) {
  LLVMBool inexact;
  return LLVMIsNull(value) ||
         (LLVMIsAConstantFP(value) && LLVMConstRealGetDouble(value, &inexact) == 0);
}

/* Does nothing but such a fence take it, maybe with another sign or factor? */
static bool is_fenced(LLVMValueRef value, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool scales = LLVMIsAUnaryOperator(user) || LLVMIsABinaryOperator(user);
    if (!nb_fence_is(user, NB_FENCE_PRODUCT) && !(scales && depth && is_fenced(user, depth - 1)))
      return false;
  }
  return LLVMGetFirstUse(value) != NULL;
}

unsigned nb_speculated_product(LLVMValueRef select) {
  unsigned zero = is_zero(LLVMGetOperand(select, 1)) ? 1 : 2;
  bool guards = is_zero(LLVMGetOperand(select, zero)) && is_fenced(select, MOST_SCALED);
  return guards ? 3 - zero : 0;
}

/* Is it such a product? */
static bool is_fenced_product(LLVMValueRef value) {
  LLVMUseRef use = value ? LLVMGetFirstUse(value) : NULL;
  for (; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    unsigned product = LLVMIsASelectInst(user) ? nb_speculated_product(user) : 0;
    if (product && LLVMGetOperand(user, product) == value)
      return true;
  }
  return false;
}

void nb_speculated_mark(NbLinear *linear, const NbMap *speculated) {
  bool strong = linear->work->request->strong_zero;
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next) {
      bool sum = statement->kind == NB_STATEMENT_SUM;
      statement->product = sum && is_fenced_product(statement->origin);
      statement->pole = statement->product || (sum && has_pole_by_row(linear, statement->origin));
      statement->speculated =
          strong || statement->product || nb_map_has(speculated, statement->origin);
    }
}
