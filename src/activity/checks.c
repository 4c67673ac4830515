// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where an integer that may be the bits of a number comes to matter.
 *
 * The optimiser computes with integers before a branch or a choice says that they are some: what is
 * computed is then thrown away. So an integer is checked where something is done with it that
 * cannot be undone, or a choice is made of it. */
#include "activity/checks.h"

enum { MOST_STEPS = 64 };

typedef struct Search {
  NbContext *context;
  LLVMBasicBlockRef block; /* beyond which nothing is followed; NULL: it is */
  unsigned lanes;          /* of it */
  NbMap *seen;
  const NbMap *joins; /* phis and selects that are checked themselves */
  NbCommits *commits;
} Search;

static void add(Search *search, LLVMValueRef before, LLVMValueRef condition, bool negated) {
  NbCommits *commits = search->commits;
  if (commits->count == NB_MOST_COMMITS)
    commits->lost = true;
  else
    commits->items[commits->count++] = (NbCommit){before, condition, negated};
}

/* Is what is computed all that the instruction does? */
static bool only_computes(const Search *search, LLVMValueRef inst) {
  if (LLVMIsABinaryOperator(inst) || LLVMIsACastInst(inst) || LLVMIsAFreezeInst(inst) ||
      LLVMIsAUnaryOperator(inst))
    return true;
  return LLVMIsACallInst(inst) && nb_call_only_computes(search->context, inst);
}

/* A comparison takes no derivative along, nor does an address. */
static bool ends_harmless(LLVMOpcode opcode) {
  return opcode == LLVMICmp || opcode == LLVMFCmp || opcode == LLVMGetElementPtr ||
         opcode == LLVMSwitch || opcode == LLVMIntToPtr || opcode == LLVMBr;
}

static void follow(Search *search, LLVMValueRef value);

static unsigned lanes_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

static void follow_choice(Search *search, LLVMValueRef select, LLVMValueRef value) {
  LLVMValueRef condition = LLVMGetOperand(select, 0);
  bool first = LLVMGetOperand(select, 1) == value, second = LLVMGetOperand(select, 2) == value;
  if ((first && second) || (lanes_of(condition) > 1 && lanes_of(condition) != search->lanes))
    condition = NULL;
  if (first || second)
    add(search, select, condition, second);
}

/* What comes into a phi is chosen where the branch goes there, if it goes elsewhere, too. */
static void follow_branch(Search *search, LLVMValueRef branch, LLVMBasicBlockRef to) {
  bool two = LLVMIsABranchInst(branch) && LLVMIsConditional(branch) &&
             LLVMGetSuccessor(branch, 0) != LLVMGetSuccessor(branch, 1);
  bool negated = two && LLVMGetSuccessor(branch, 1) == to;
  add(search, branch, two ? LLVMGetCondition(branch) : NULL, negated);
}

static void follow_phi(Search *search, LLVMValueRef phi, LLVMValueRef value) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingValue(phi, i) == value)
      follow_branch(search, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)),
                    LLVMGetInstructionParent(phi));
}

static void follow_use(Search *search, LLVMValueRef user, LLVMValueRef value) {
  if (ends_harmless(LLVMGetInstructionOpcode(user)) || nb_map_has(search->seen, user) ||
      nb_map_has(search->joins, user))
    return;
  bool here = !search->block || LLVMGetInstructionParent(user) == search->block;
  if (LLVMIsAPHINode(user)) {
    follow_phi(search, user, value);
  } else if (LLVMIsASelectInst(user)) {
    follow_choice(search, user, value);
  } else if (here && only_computes(search, user)) {
    nb_map_set(search->seen, user, user);
    follow(search, user);
  } else {
    add(search, user, NULL, false);
  }
}

static void follow(Search *search, LLVMValueRef value) {
  if (nb_map_count(search->seen) > MOST_STEPS)
    search->commits->lost = true;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use && !search->commits->lost;
       use = LLVMGetNextUse(use))
    follow_use(search, LLVMGetUser(use), value);
}

/* False where there are too many. */
static bool search_from(Search search, LLVMValueRef integer) {
  search.commits->count = 0;
  search.commits->lost = false;
  search.lanes = lanes_of(integer);
  search.seen = nb_map_new(search.context->arena);
  follow(&search, integer);
  return !search.commits->lost;
}

void nb_activity_commits(NbContext *context, LLVMValueRef integer, const NbMap *joins,
                         NbCommits *commits) {
  Search far = {.context = context, .joins = joins, .commits = commits};
  Search near = far;
  near.block = LLVMGetInstructionParent(integer);
  if (search_from(far, integer) || search_from(near, integer))
    return;
  commits->count = 0;
  LLVMValueRef next = LLVMGetNextInstruction(integer);
  while (LLVMIsAPHINode(next))
    next = LLVMGetNextInstruction(next);
  add(&near, next, NULL, false);
}
