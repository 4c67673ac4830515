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
  unsigned lanes;          /* of the integer */
  unsigned bits;           /* the lowest ones of it that come into what is followed */
  bool moved;              /* others may be the lowest there */
  NbCondition conditions[NB_MOST_CONDITIONS];
  unsigned condition_count;
  unsigned steps; /* since the first of these */
  NbMap *seen;
  const NbMap *joins; /* phis and selects that are checked themselves */
  NbCommits *commits;
} Search;

static void add(Search *search, LLVMValueRef before) {
  NbCommits *commits = search->commits;
  commits->lost |= commits->count == NB_MOST_COMMITS;
  if (commits->lost)
    return;
  NbCommit commit = {.before = before, .bits = search->bits};
  for (unsigned i = 0; i < search->condition_count; i++)
    commit.conditions[commit.condition_count++] = search->conditions[i];
  commits->items[commits->count++] = commit;
}

/* Under one condition more, or as if there were none where they are too many. */
static void add_chosen(Search *search, LLVMValueRef before, LLVMValueRef condition, bool negated) {
  unsigned count = search->condition_count;
  if (condition && count < NB_MOST_CONDITIONS)
    search->conditions[search->condition_count++] = (NbCondition){condition, negated};
  add(search, before);
  search->condition_count = count;
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

/* Do none but lower bits of an operand come into each bit of the result? */
static bool keeps_order(LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
    return true;
  default:
    return false;
  }
}

/* How many of the lowest bits of an operand come into the result. */
static unsigned bits_into(LLVMValueRef user) {
  bool number = LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMIntegerTypeKind;
  if (number && LLVMIsATruncInst(user))
    return LLVMGetIntTypeWidth(LLVMTypeOf(user));
  LLVMValueRef by = number && nb_is_operation(user, LLVMShl) ? LLVMGetOperand(user, 1) : NULL;
  if (by && LLVMIsAConstantInt(by) &&
      LLVMConstIntGetZExtValue(by) < LLVMGetIntTypeWidth(LLVMTypeOf(user)))
    return LLVMGetIntTypeWidth(LLVMTypeOf(user)) - (unsigned)LLVMConstIntGetZExtValue(by);
  bool masks = number && nb_is_operation(user, LLVMAnd) &&
               LLVMIsAConstantInt(LLVMGetOperand(user, 1)) &&
               LLVMGetIntTypeWidth(LLVMTypeOf(user)) <= NB_ALL_BITS;
  uint64_t mask = masks ? LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)) : UINT64_MAX;
  unsigned bits = NB_ALL_BITS;
  while (bits && !(mask >> (bits - 1)))
    bits--;
  return bits;
}

/* Was it followed before as one into which as many bits come, and as ordered? */
static bool is_known(Search *search, LLVMValueRef user) {
  if (search->condition_count) {
    search->commits->lost |= ++search->steps > MOST_STEPS;
    return search->commits->lost;
  }
  uintptr_t known = (uintptr_t)nb_map_get(search->seen, user);
  unsigned bits = (unsigned)(known >> 1);
  bool moved = known & 1, more = search->bits > bits || (search->moved && !moved);
  bits = search->bits > bits ? search->bits : bits;
  if (more)
    nb_map_set(search->seen, user, (void *)((uintptr_t)bits << 1 | (search->moved || moved)));
  return !more;
}

/* Goes on from what is computed, once for each number of bits that come into it. */
static void follow_computed(Search *search, LLVMValueRef user) {
  bool moved = search->moved;
  unsigned bits = search->bits, into = bits_into(user);
  search->bits = into < bits && !moved ? into : bits;
  search->moved |= !keeps_order(user);
  if (!is_known(search, user))
    follow(search, user);
  search->bits = bits;
  search->moved = moved;
}

static unsigned lanes_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

/* Is the value, or what it is converted to, for nothing but to be chosen? */
static bool is_for_choices(const Search *search, LLVMValueRef value, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool here = !search->block || LLVMGetInstructionParent(user) == search->block;
    bool chosen = LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) != value;
    bool cast = LLVMIsACastInst(user) && depth && is_for_choices(search, user, depth - 1);
    if (!here || (!chosen && !cast))
      return false;
  }
  return LLVMGetFirstUse(value) != NULL;
}

/* What is chosen only to be chosen again matters where it is chosen at last. */
static void follow_choice(Search *search, LLVMValueRef select, LLVMValueRef value) {
  enum { CASTS = 2 };
  LLVMValueRef condition = LLVMGetOperand(select, 0);
  bool first = LLVMGetOperand(select, 1) == value, second = LLVMGetOperand(select, 2) == value;
  if ((first && second) || (lanes_of(condition) > 1 && lanes_of(condition) != search->lanes))
    condition = NULL;
  unsigned count = search->condition_count;
  bool again = condition && lanes_of(condition) == 1 && count + 1 < NB_MOST_CONDITIONS &&
               is_for_choices(search, select, CASTS);
  if (again) {
    search->steps = count ? search->steps : 0;
    search->conditions[search->condition_count++] = (NbCondition){condition, second};
    follow(search, select);
    search->condition_count = count;
  } else if (first || second) {
    add_chosen(search, select, condition, second);
  }
}

/* What comes into a phi is chosen where the branch goes there, if it goes elsewhere, too. */
static void follow_branch(Search *search, LLVMValueRef branch, LLVMBasicBlockRef to) {
  bool two = LLVMIsABranchInst(branch) && LLVMIsConditional(branch) &&
             LLVMGetSuccessor(branch, 0) != LLVMGetSuccessor(branch, 1);
  bool negated = two && LLVMGetSuccessor(branch, 1) == to;
  add_chosen(search, branch, two ? LLVMGetCondition(branch) : NULL, negated);
}

static void follow_phi(Search *search, LLVMValueRef phi, LLVMValueRef value) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingValue(phi, i) == value)
      follow_branch(search, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)),
                    LLVMGetInstructionParent(phi));
}

static void follow_use(Search *search, LLVMValueRef user, LLVMValueRef value) {
  if (ends_harmless(LLVMGetInstructionOpcode(user)) || nb_map_has(search->joins, user))
    return;
  bool here = !search->block || LLVMGetInstructionParent(user) == search->block;
  if (LLVMIsAPHINode(user)) {
    follow_phi(search, user, value);
  } else if (LLVMIsASelectInst(user)) {
    follow_choice(search, user, value);
  } else if (here && only_computes(search, user)) {
    follow_computed(search, user);
  } else {
    add(search, user);
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
  search.bits = NB_ALL_BITS;
  search.moved = false;
  search.condition_count = search.steps = 0;
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
  add(&near, next);
}
