// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An arm is used by nobody where what the program knows on the way to it contradicts what it knows
 * where each use stands: both have decided by the same value, in another way. That value must be
 * computed before the phi, so that the use sees the same as the arm did. */
#include "prepare/arms.h"

#include "objects/graph.h"

enum { MOST_DOMINATORS = 64, MOST_CASTS = 3 };

/* The value is one of the constants, or (`among` false) none of them. */
typedef struct Fact {
  LLVMValueRef value;
  NbList constants;
  bool among;
} Fact;

typedef struct Arms {
  NbAnalyses *analyses;
  NbArena *arena;
  LLVMValueRef phi;
  NbList facts; /* on the way to the arm */
} Arms;

/* --- What is known ---------------------------------------------------------------------------- */

static Fact *new_fact(const Arms *arms, LLVMValueRef value, bool among) {
  Fact *fact = NB_NEW(arms->arena, Fact);
  *fact = (Fact){value, nb_list(arms->arena), among};
  return fact;
}

/* A comparison with a constant: on the way where they are equal, or are not. */
static Fact *fact_of_branch(const Arms *arms, LLVMValueRef branch, LLVMBasicBlockRef to) {
  LLVMValueRef test = LLVMGetNumSuccessors(branch) == 2 ? LLVMGetCondition(branch) : NULL;
  if (!test || LLVMGetSuccessor(branch, 0) == LLVMGetSuccessor(branch, 1))
    return NULL;
  bool yes = LLVMGetSuccessor(branch, 0) == to;
  if (!LLVMIsAICmpInst(test) || !LLVMIsAConstantInt(LLVMGetOperand(test, 1))) {
    Fact *fact = new_fact(arms, test, true);
    nb_list_push(&fact->constants, LLVMConstInt(LLVMTypeOf(test), yes, false));
    return fact;
  }
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
  if (predicate != LLVMIntEQ && predicate != LLVMIntNE)
    return NULL;
  Fact *fact = new_fact(arms, LLVMGetOperand(test, 0), (predicate == LLVMIntEQ) == yes);
  nb_list_push(&fact->constants, LLVMGetOperand(test, 1));
  return fact;
}

static Fact *fact_of_switch(const Arms *arms, LLVMValueRef decision, LLVMBasicBlockRef to) {
  bool others = LLVMGetSwitchDefaultDest(decision) == to;
  Fact *fact = new_fact(arms, LLVMGetOperand(decision, 0), !others);
  for (unsigned i = 1; i < LLVMGetNumSuccessors(decision); i++)
    if ((LLVMGetSuccessor(decision, i) == to) != others)
      nb_list_push(&fact->constants, nb_switch_case(decision, i));
  return fact;
}

static void note_edge(const Arms *arms, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                      NbList *facts) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  Fact *fact = NULL;
  if (LLVMIsABranchInst(end))
    fact = fact_of_branch(arms, end, to);
  else if (LLVMIsASwitchInst(end))
    fact = fact_of_switch(arms, end, to);
  if (fact)
    nb_list_push(facts, fact);
}

/* What was decided on all ways to the block. */
static void note_block(const Arms *arms, LLVMBasicBlockRef block, NbList *facts) {
  LLVMBasicBlockRef above = nb_block_idom(arms->analyses, block);
  for (unsigned i = 0; above && i < MOST_DOMINATORS; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(above);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
      if (nb_edge_dominates(arms->analyses, above, LLVMGetSuccessor(end, k), block)) {
        note_edge(arms, above, LLVMGetSuccessor(end, k), facts);
        break;
      }
    above = nb_block_idom(arms->analyses, above);
  }
}

/* --- Contradictions --------------------------------------------------------------------------- */

static bool has(const NbList *constants, const void *constant) {
  for (unsigned i = 0; i < constants->count; i++)
    if (constants->items[i] == constant)
      return true;
  return false;
}

/* Is none of the constants that `fact` allows allowed by the other? */
static bool excludes(const Fact *fact, const Fact *other) {
  for (unsigned i = 0; i < fact->constants.count; i++)
    if (has(&other->constants, fact->constants.items[i]) == other->among)
      return false;
  return true;
}

static bool contradict(const Fact *one, const Fact *other) {
  if (one->value != other->value || (!one->among && !other->among))
    return false;
  return one->among ? excludes(one, other) : excludes(other, one);
}

static bool contradicts_any(const NbList *facts, const NbList *others) {
  for (unsigned i = 0; i < facts->count; i++)
    for (unsigned k = 0; k < others->count; k++)
      if (contradict(facts->items[i], others->items[k]))
        return true;
  return false;
}

/* --- Arms ------------------------------------------------------------------------------------- */

static bool is_computed_before(const Arms *arms, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value))
    return true;
  return LLVMGetInstructionParent(value) != LLVMGetInstructionParent(arms->phi) &&
         nb_dominates(arms->analyses, value, arms->phi);
}

/* Of the values that are computed before the phi, and of phis beside it. */
static void note_arm(Arms *arms, unsigned arm) {
  NbList all = nb_list(arms->arena);
  LLVMBasicBlockRef from = LLVMGetIncomingBlock(arms->phi, arm);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(arms->phi);
  note_edge(arms, from, block, &all);
  note_block(arms, from, &all);
  arms->facts.count = 0;
  for (unsigned i = 0; i < all.count; i++)
    if (is_computed_before(arms, ((const Fact *)all.items[i])->value))
      nb_list_push(&arms->facts, all.items[i]);
  LLVMValueRef beside = LLVMGetFirstInstruction(block);
  for (; LLVMIsAPHINode(beside); beside = LLVMGetNextInstruction(beside)) {
    LLVMValueRef value = nb_phi_incoming(beside, from);
    if (!value || !LLVMIsAConstantInt(value))
      continue;
    Fact *fact = new_fact(arms, beside, true);
    nb_list_push(&fact->constants, value);
    nb_list_push(&arms->facts, fact);
  }
}

static bool is_unused(const Arms *arms, LLVMValueRef value, unsigned depth);

/* Is the use not met by one who came by the arm? */
static bool is_avoided(const Arms *arms, LLVMValueRef user, unsigned depth) {
  NbList facts = nb_list(arms->arena);
  note_block(arms, LLVMGetInstructionParent(user), &facts);
  return contradicts_any(&arms->facts, &facts) ||
         (depth && LLVMIsACastInst(user) && is_unused(arms, user, depth - 1));
}

static bool is_avoided_by_phi(const Arms *arms, LLVMValueRef user, LLVMValueRef value) {
  for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, i);
    if (LLVMGetIncomingValue(user, i) != value)
      continue;
    NbList facts = nb_list(arms->arena);
    note_edge(arms, from, LLVMGetInstructionParent(user), &facts);
    note_block(arms, from, &facts);
    if (!contradicts_any(&arms->facts, &facts))
      return false;
  }
  return true;
}

static bool is_unused(const Arms *arms, LLVMValueRef value, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool phi = LLVMIsAPHINode(user) != NULL;
    if (phi ? !is_avoided_by_phi(arms, user, value) : !is_avoided(arms, user, depth))
      return false;
  }
  return true;
}

/* Does the cast take the bits of a number for those of an integer or a pointer, or the reverse? */
static bool changes_kind(LLVMValueRef cast) {
  if (LLVMIsAIntToPtrInst(cast) || LLVMIsAPtrToIntInst(cast))
    return true;
  return LLVMIsABitCastInst(cast) && nb_type_has_float(LLVMTypeOf(cast)) !=
                                         nb_type_has_float(LLVMTypeOf(LLVMGetOperand(cast, 0)));
}

static bool is_mixed(LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (changes_kind(LLVMGetIncomingValue(phi, i)))
      return true;
  return false;
}

static bool drop_from(Arms *arms, LLVMValueRef phi) {
  bool changed = false;
  arms->phi = phi;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    if (LLVMIsAConstant(LLVMGetIncomingValue(phi, i)))
      continue;
    note_arm(arms, i);
    if (!arms->facts.count || !is_unused(arms, phi, MOST_CASTS))
      continue;
    LLVMSetOperand(phi, i, LLVMConstNull(LLVMTypeOf(phi)));
    changed = true;
  }
  return changed;
}

bool nb_prepare_drop_arms(NbContext *context, LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  Arms arms = {context->analyses, arena, NULL, nb_list(arena)};
  bool changed = false;
  LLVMValueRef at = nb_instruction_first(function);
  for (; at; at = nb_instruction_next(at))
    if (LLVMIsAPHINode(at) && LLVMGetFirstUse(at) && is_mixed(at))
      changed |= drop_from(&arms, at);
  nb_arena_free(arena);
  return changed;
}
