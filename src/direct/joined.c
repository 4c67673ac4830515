// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where branches end in a load or store each, optimisers write it once, behind them, through a
 * pointer that the branch chooses (sinking in SimplifyCFG and GVN). By that pointer all that may be
 * behind it becomes one class of memory: the nodes of a tree, which are freed, and the array of the
 * caller's that its leaves index.
 *
 * The access, and what leads to it in its block, is copied into a block on each edge. That costs a
 * branch where the program had a choice, so it is done only where what the pointers come from
 * cannot be the same, and where it matters: on one side there is memory of the heap alone, on the
 * other none. */
#include "direct/joined.h"

#include "objects/graph.h"

enum { MOST_ROOTS = 16, LONGEST = 24, MOST_EDGES = 16, MOST_SPLIT = 64, DEEPEST = 4 };

/* --- What a pointer comes from. --------------------------------------------------------------- */

typedef struct Roots {
  LLVMValueRef items[MOST_ROOTS]; /* with what lies between */
  unsigned count;
  bool lost;
} Roots;

static void add_root(Roots *roots, LLVMValueRef value) {
  for (unsigned i = 0; i < roots->count; i++)
    if (roots->items[i] == value)
      return;
  roots->lost |= roots->count == MOST_ROOTS;
  if (!roots->lost)
    roots->items[roots->count++] = value;
}

static bool is_between(LLVMValueRef value) {
  return LLVMIsAPHINode(value) || LLVMIsASelectInst(value) || LLVMIsAGetElementPtrInst(value);
}

static void add_roots(Roots *roots, LLVMValueRef pointer) {
  add_root(roots, pointer);
  for (unsigned i = 0; i < roots->count && !roots->lost; i++) {
    LLVMValueRef value = roots->items[i];
    int first = LLVMIsASelectInst(value) ? 1 : 0;
    int last = LLVMIsAGetElementPtrInst(value) ? 1 : LLVMGetNumOperands(value);
    for (int k = first; is_between(value) && k < last; k++)
      add_root(roots, LLVMGetOperand(value, (unsigned)k));
  }
}

static bool is_root(const Roots *roots, LLVMValueRef value) {
  for (unsigned i = 0; i < roots->count; i++)
    if (roots->items[i] == value)
      return true;
  return false;
}

/* Are pointers loaded from what the parameter points to? Then that is taken to be a node of what is
 * linked on the heap. */
static bool is_linked(LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    Roots roots = {.count = 0};
    if (!LLVMIsALoadInst(at) || LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMPointerTypeKind)
      continue;
    add_roots(&roots, LLVMGetOperand(at, 0));
    if (is_root(&roots, parameter))
      return true;
  }
  return false;
}

typedef enum Kind { NONE, HEAP, OTHER, ANY } Kind;

static Kind kind_of(LLVMValueRef root) {
  if (is_between(root) || LLVMIsNull(root) || LLVMIsUndef(root))
    return NONE;
  if (LLVMIsALoadInst(root) || LLVMIsACallInst(root) || LLVMIsAInvokeInst(root))
    return HEAP;
  if (LLVMIsAArgument(root))
    return is_linked(root) ? HEAP : OTHER;
  return LLVMIsAAllocaInst(root) || LLVMIsAGlobalVariable(root) ? OTHER : ANY;
}

static Kind kinds_of(const Roots *roots) {
  Kind kinds = roots->lost ? ANY : NONE;
  for (unsigned i = 0; i < roots->count; i++)
    kinds |= kind_of(roots->items[i]);
  return kinds;
}

/* Of an incoming value of the phi, or an arm of the select. */
static Kind kinds_of_arm(LLVMValueRef joined, unsigned operand) {
  Roots roots = {.count = 0};
  add_roots(&roots, LLVMGetOperand(joined, operand));
  return kinds_of(&roots);
}

/* Does a branch choose between memory on the heap and other memory? */
static bool joins_apart(LLVMValueRef value, unsigned first) {
  unsigned count = (unsigned)LLVMGetNumOperands(value);
  bool heap = false, other = false;
  for (unsigned i = first; i < count && count <= MOST_EDGES; i++) {
    Kind kind = kinds_of_arm(value, i);
    heap |= kind == HEAP;
    other |= kind == OTHER;
  }
  return heap && other;
}

/* --- What accesses memory through it. --------------------------------------------------------- */

/* Adds to `accesses` those through the pointer; false where it is used otherwise, or elsewhere. */
static bool find_accesses(NbMap *accesses, LLVMValueRef pointer, LLVMBasicBlockRef block,
                          unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer;
    bool gep = LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer;
    bool within = LLVMIsAInstruction(user) && LLVMGetInstructionParent(user) == block;
    if (!within || (!store && !gep && !LLVMIsALoadInst(user)))
      return false;
    if (gep && (!depth || !find_accesses(accesses, user, block, depth - 1)))
      return false;
    nb_map_set(accesses, user, user);
  }
  return true;
}

static bool is_copied(const NbContext *context, LLVMValueRef inst) {
  if (LLVMIsACallInst(inst))
    return nb_call_only_computes(context, inst);
  return !LLVMIsATerminatorInst(inst) && !LLVMIsAAllocaInst(inst) && !LLVMIsALandingPadInst(inst);
}

/* The last access through the pointer, if all that stands before it can be copied; else NULL. */
static LLVMValueRef last_access(const NbContext *context, LLVMValueRef joined) {
  NbMap *accesses = nb_map_new(context->arena);
  if (!find_accesses(accesses, joined, LLVMGetInstructionParent(joined), DEEPEST))
    return NULL;
  unsigned left = nb_map_count(accesses), length = 0;
  LLVMValueRef at = LLVMGetNextInstruction(joined);
  for (; left && at; at = LLVMGetNextInstruction(at)) {
    if (LLVMIsAPHINode(at))
      continue;
    left -= nb_map_has(accesses, at);
    if (!is_copied(context, at) || ++length > LONGEST)
      return NULL;
    if (!left)
      return at;
  }
  return NULL;
}

/* May another block take the place of this one behind the edge? Not in a loop's header. */
static bool is_plain_edge(const NbContext *context, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(from));
  bool known = opcode == LLVMBr || opcode == LLVMSwitch || opcode == LLVMInvoke;
  return known && !nb_block_dominates(context->analyses, to, from);
}

/* The last of the accesses that are to be split, NULL where there are none. */
static LLVMValueRef splittable(const NbContext *context, LLVMValueRef joined) {
  bool phi = LLVMIsAPHINode(joined) != NULL;
  if ((!phi && !LLVMIsASelectInst(joined)) ||
      LLVMGetTypeKind(LLVMTypeOf(joined)) != LLVMPointerTypeKind)
    return NULL;
  LLVMValueRef last = last_access(context, joined);
  bool split = last && joins_apart(joined, phi ? 0 : 1);
  for (unsigned i = 0; phi && split && i < LLVMCountIncoming(joined); i++)
    split =
        is_plain_edge(context, LLVMGetIncomingBlock(joined, i), LLVMGetInstructionParent(joined));
  return split ? last : NULL;
}

bool nb_joined_any(NbContext *context, LLVMValueRef function) {
  LLVMValueRef at = context->analyses ? nb_instruction_first(function) : NULL;
  for (; at; at = nb_instruction_next(at))
    if (splittable(context, at))
      return true;
  return false;
}

/* --- The copies. ------------------------------------------------------------------------------ */

/* A block behind a branch, while it is copied for each edge that leads to it. */
typedef struct Block {
  NbContext *context;
  LLVMBuilderRef builder;
  LLVMBasicBlockRef block, next; /* nothing else leads to `next` */
  LLVMBasicBlockRef from[MOST_EDGES], arms[MOST_EDGES];
  NbMap *values[MOST_EDGES]; /* what each value of the block is in the arm */
  unsigned count;
} Block;

static void copy_instruction(Block *block, NbMap *values, LLVMValueRef inst) {
  LLVMValueRef copy = LLVMInstructionClone(inst);
  LLVMInsertIntoBuilder(block->builder, copy);
  for (int i = 0; i < LLVMGetNumOperands(copy); i++) {
    LLVMValueRef mapped = nb_map_get(values, LLVMGetOperand(copy, (unsigned)i));
    if (mapped)
      LLVMSetOperand(copy, (unsigned)i, mapped);
  }
  nb_map_set(values, inst, copy);
}

static void write_arm(Block *block, unsigned index) {
  LLVMBasicBlockRef from = block->from[index];
  NbMap *values = nb_map_new(block->context->arena);
  LLVMBasicBlockRef arm = LLVMInsertBasicBlockInContext(block->context->llvm, block->next, "");
  block->arms[index] = arm;
  block->values[index] = values;
  LLVMPositionBuilderAtEnd(block->builder, arm);
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block->block);
  LLVMValueRef at = LLVMGetFirstInstruction(block->block);
  for (; at != last; at = LLVMGetNextInstruction(at)) {
    if (LLVMIsAPHINode(at))
      nb_map_set(values, at, nb_phi_incoming(at, from));
    else
      copy_instruction(block, values, at);
  }
  LLVMBuildBr(block->builder, block->next);
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++)
    if (LLVMGetSuccessor(branch, i) == block->block)
      LLVMSetSuccessor(branch, i, arm);
}

static bool is_used_behind(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(value))
      return true;
  }
  return false;
}

/* What is needed behind the block is what it is in the arm that was taken. */
static void join_values(Block *block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block->block);
  for (; at; at = LLVMGetNextInstruction(at)) {
    if (!is_used_behind(at))
      continue;
    LLVMPositionBuilderBeforeInstrAndDbgRecords(block->builder,
                                                LLVMGetFirstInstruction(block->next));
    LLVMValueRef phi = LLVMBuildPhi(block->builder, LLVMTypeOf(at), "");
    for (unsigned i = 0; i < block->count; i++) {
      LLVMValueRef value = nb_map_get(block->values[i], at);
      LLVMAddIncoming(phi, &value, &block->arms[i], 1);
    }
    LLVMReplaceAllUsesWith(at, phi);
  }
}

static void split_phi(NbContext *context, LLVMValueRef phi, LLVMValueRef last) {
  Block block = {.context = context, .block = LLVMGetInstructionParent(phi)};
  block.builder = LLVMCreateBuilderInContext(context->llvm);
  block.next = nb_split_block(LLVMGetNextInstruction(last), "");
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    bool known = false;
    for (unsigned k = 0; k < block.count; k++)
      known |= block.from[k] == LLVMGetIncomingBlock(phi, i);
    if (!known)
      block.from[block.count++] = LLVMGetIncomingBlock(phi, i);
  }
  for (unsigned i = 0; i < block.count; i++)
    write_arm(&block, i);
  join_values(&block);
  LLVMDeleteBasicBlock(block.block);
  LLVMDisposeBuilder(block.builder);
}

/* The access follows for certain: a choice by an undefined condition is undefined either way. */
static LLVMValueRef phi_of_select(NbContext *context, LLVMValueRef select) {
  LLVMBasicBlockRef head = LLVMGetInstructionParent(select), arms[2];
  LLVMBasicBlockRef block = nb_split_block(select, "");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (unsigned i = 0; i < 2; i++) {
    arms[i] = LLVMInsertBasicBlockInContext(context->llvm, block, "");
    LLVMPositionBuilderAtEnd(builder, arms[i]);
    LLVMBuildBr(builder, block);
  }
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
  LLVMPositionBuilderAtEnd(builder, head);
  LLVMBuildCondBr(builder, LLVMGetOperand(select, 0), arms[0], arms[1]);
  LLVMPositionBuilderBefore(builder, select);
  LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(select), "");
  LLVMValueRef values[] = {LLVMGetOperand(select, 1), LLVMGetOperand(select, 2)};
  LLVMAddIncoming(phi, values, arms, 2);
  LLVMReplaceAllUsesWith(select, phi);
  LLVMInstructionEraseFromParent(select);
  LLVMDisposeBuilder(builder);
  return phi;
}

static bool split_one(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef last = splittable(context, at);
    if (!last)
      continue;
    split_phi(context, LLVMIsAPHINode(at) ? at : phi_of_select(context, at), last);
    nb_analyses_forget(context->analyses, function);
    return true;
  }
  return false;
}

void nb_joined_split(NbContext *context, LLVMValueRef function) {
  for (unsigned i = 0; context->analyses && i < MOST_SPLIT; i++)
    if (!split_one(context, function))
      return;
}
