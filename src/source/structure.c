// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Nested bodies from a graph of blocks, by dominators (N. Ramsey, Beyond Relooper, ICFP 2022).
 *
 * Each block is written once. A block with one way to it stands where that way begins; one where
 * several meet stands behind the code of the block that dominates it; what follows a loop, behind
 * the loop. An edge needs no jump where control falls off the end of a body to its target, is
 * `break` or `continue` where it is the innermost loop's, and else a goto, of which irreducible
 * graphs need some. */
#include "source/writer.h"

#include <inttypes.h>

typedef struct Where {
  LLVMBasicBlockRef follow; /* what comes when the body ends; NULL: nothing does */
  LLVMBasicBlockRef on_break, on_continue;
  LLVMBasicBlockRef inside; /* the header of a loop that has begun */
} Where;

static void write_tree(Function *f, LLVMBasicBlockRef block, Body *body, Where where);

static uintptr_t number_of(const Function *f, LLVMBasicBlockRef block) {
  return (uintptr_t)nb_map_get(f->numbers, block);
}

static NbAnalyses *analyses_of(const Function *f) { return f->writer->context->analyses; }

/* --- Where a block stands -------------------------------------------------------------------- */

/* The outermost loop that `from` is in, and `block` is not; NULL. */
static NbLoop *loop_left(const Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef block) {
  NbLoop *left = NULL;
  for (NbLoop *loop = nb_loop_of(analyses_of(f), from); loop && !nb_loop_contains(loop, block);
       loop = nb_loop_parent(loop))
    left = loop;
  return left;
}

/* Ways to the block that are no back edges. */
static unsigned ways_to(const Function *f, LLVMBasicBlockRef block) {
  unsigned ways = 0;
  LLVMValueRef last = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool jump = LLVMIsAInstruction(user) && LLVMIsATerminatorInst(user);
    uintptr_t from = jump ? number_of(f, LLVMGetInstructionParent(user)) : 0;
    bool counted = jump && LLVMIsASwitchInst(user) && user == last;
    ways += from && from < number_of(f, block) && !counted;
    last = user;
  }
  return ways;
}

static NbLoop *loop_before(const Function *f, LLVMBasicBlockRef block) {
  LLVMBasicBlockRef above = nb_block_idom(analyses_of(f), block);
  return above ? loop_left(f, above, block) : NULL;
}

static bool is_inline(const Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef block) {
  return number_of(f, block) > number_of(f, from) && ways_to(f, block) == 1 &&
         !loop_before(f, block);
}

/* Blocks that stand behind the code of `block`, or behind the loop, in their order. */
static NbList blocks_behind(const Function *f, LLVMBasicBlockRef block, const NbLoop *loop) {
  NbList list = nb_list(f->arena);
  for (unsigned i = 0; i < f->block_count; i++) {
    LLVMBasicBlockRef other = f->blocks[i];
    LLVMBasicBlockRef above = nb_block_idom(analyses_of(f), other);
    NbLoop *left = above ? loop_before(f, other) : NULL;
    bool behind =
        above && (loop ? left == loop : !left && above == block && !is_inline(f, above, other));
    if (behind)
      nb_list_push(&list, other);
  }
  return list;
}

/* --- Edges ----------------------------------------------------------------------------------- */

static bool is_short_return(LLVMBasicBlockRef block) {
  return LLVMIsAReturnInst(LLVMGetFirstInstruction(block)) != NULL;
}

static void jump(Function *f, LLVMBasicBlockRef to, Body *body, const Where *where) {
  if (to == where->follow)
    return;
  if (to == where->on_continue)
    source_statement(f, body, STMT_CONTINUE);
  else if (to == where->on_break)
    source_statement(f, body, STMT_BREAK);
  else if (is_short_return(to))
    source_return(f, LLVMGetFirstInstruction(to), body);
  else {
    source_statement(f, body, STMT_GOTO)->target = to;
    nb_map_set(f->gotos, to, f);
  }
}

/* The value of a block that only returns what a phi chooses; NULL. */
static LLVMValueRef returned_phi(LLVMBasicBlockRef block) {
  LLVMValueRef phi = LLVMGetFirstInstruction(block);
  LLVMValueRef end = LLVMIsAPHINode(phi) ? LLVMIsAReturnInst(LLVMGetNextInstruction(phi)) : NULL;
  return end && LLVMGetNumOperands(end) && LLVMGetOperand(end, 0) == phi ? phi : NULL;
}

static bool returns_at_once(Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to, Body *body) {
  LLVMValueRef phi = returned_phi(to);
  if (!phi || LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMPointerTypeKind)
    return false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from) {
      Stmt *stmt = source_statement(f, body, STMT_RETURN);
      stmt->text = source_value(f, LLVMGetIncomingValue(phi, i), LEVEL_ANY);
      return true;
    }
  return false;
}

static void write_edge(Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to, Body *body,
                       const Where *where) {
  if (to != where->follow && to != where->on_break && returns_at_once(f, from, to, body))
    return;
  source_edge(f, from, to, body);
  if (is_inline(f, from, to))
    write_tree(f, to, body, *where);
  else
    jump(f, to, body, where);
}

/* --- Terminators ----------------------------------------------------------------------------- */

static void write_branch(Function *f, LLVMValueRef branch, Body *body, const Where *where) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent(branch);
  LLVMBasicBlockRef yes = LLVMGetSuccessor(branch, 0);
  if (LLVMGetNumSuccessors(branch) == 1) {
    write_edge(f, from, yes, body, where);
    return;
  }
  LLVMValueRef condition = LLVMGetCondition(branch);
  Stmt *stmt = source_statement(f, body, STMT_IF);
  stmt->text = source_condition(f, condition, false, LEVEL_ANY);
  stmt->negated = source_condition(f, condition, true, LEVEL_ANY);
  write_edge(f, from, yes, &stmt->body, where);
  write_edge(f, from, LLVMGetSuccessor(branch, 1), &stmt->otherwise, where);
}

/* The labels of the cases that lead to a block. */
static const char *labels_of(const Function *f, LLVMValueRef instruction, LLVMBasicBlockRef to) {
  const char *text = "";
  for (unsigned i = 1; i < LLVMGetNumSuccessors(instruction); i++) {
    if (LLVMGetSuccessor(instruction, i) != to)
      continue;
    LLVMValueRef value = nb_switch_case(instruction, i);
    text =
        nb_arena_print(f->arena, "%scase %s: ", text, source_constant(f->writer, value, LEVEL_ANY));
  }
  if (LLVMGetSuccessor(instruction, 0) == to)
    text = nb_arena_print(f->arena, "%sdefault: ", text);
  return text;
}

static bool is_first_way(LLVMValueRef instruction, unsigned index) {
  for (unsigned i = 0; i < index; i++)
    if (LLVMGetSuccessor(instruction, i) == LLVMGetSuccessor(instruction, index))
      return false;
  return true;
}

static void write_switch(Function *f, LLVMValueRef instruction, Body *body, const Where *where) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent(instruction);
  Stmt *stmt = source_statement(f, body, STMT_SWITCH);
  stmt->text = source_value(f, LLVMGetOperand(instruction, 0), LEVEL_ANY);
  Where inner = *where;
  inner.on_break = NULL;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(instruction); i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(instruction, i);
    if (!is_first_way(instruction, i))
      continue;
    Stmt *way = source_statement(f, &stmt->body, STMT_CASE);
    way->text = labels_of(f, instruction, to);
    write_edge(f, from, to, &way->body, &inner);
  }
}

/* Where it throws, nothing follows. */
static void write_invoke(Function *f, LLVMValueRef invoke, Body *body, const Where *where) {
  source_invoke(f, invoke, body);
  write_edge(f, LLVMGetInstructionParent(invoke), LLVMGetNormalDest(invoke), body, where);
}

static void write_end(Function *f, LLVMBasicBlockRef block, Body *body, const Where *where) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (LLVMIsAReturnInst(end))
    source_return(f, end, body);
  else if (LLVMIsABranchInst(end))
    write_branch(f, end, body, where);
  else if (LLVMIsASwitchInst(end))
    write_switch(f, end, body, where);
  else if (LLVMIsAInvokeInst(end))
    write_invoke(f, end, body, where);
  else if (LLVMIsAUnreachableInst(end))
    source_statement(f, body, STMT_TEXT)->text = "__builtin_unreachable();";
  else
    source_refuse(f, "it jumps to computed places");
}

/* --- Trees ----------------------------------------------------------------------------------- */

static void write_all(Function *f, const NbList *blocks, Body *body, Where where) {
  LLVMBasicBlockRef last = where.follow;
  for (unsigned i = 0; i < blocks->count; i++) {
    where.follow = i + 1 < blocks->count ? blocks->items[i + 1] : last;
    write_tree(f, blocks->items[i], body, where);
  }
}

static void write_node(Function *f, LLVMBasicBlockRef block, Body *body, Where where) {
  NbList behind = blocks_behind(f, block, NULL);
  Where own = where;
  if (behind.count)
    own.follow = behind.items[0];
  source_statement(f, body, STMT_LABEL)->target = block;
  source_statements(f, block, body);
  write_end(f, block, body, &own);
  write_all(f, &behind, body, where);
}

/* Does the loop's own test hold when it begins? Then it may stand at the beginning. */
static bool runs_once(const Function *f, const NbLoop *loop) {
  LLVMBasicBlockRef latch = nb_loop_latch((NbLoop *)loop);
  return latch && nb_loop_runs_once(analyses_of(f), (NbLoop *)loop);
}

static void write_loop(Function *f, LLVMBasicBlockRef header, NbLoop *loop, Body *body,
                       Where where) {
  NbList behind = blocks_behind(f, header, loop);
  LLVMBasicBlockRef next = behind.count ? behind.items[0] : where.follow;
  Stmt *stmt = source_statement(f, body, STMT_LOOP);
  stmt->runs_once = runs_once(f, loop);
  stmt->target = header;
  Where inner = {header, next, header, header};
  write_node(f, header, &stmt->body, inner);
  write_all(f, &behind, body, where);
}

static void write_tree(Function *f, LLVMBasicBlockRef block, Body *body, Where where) {
  NbLoop *loop = nb_loop_of(analyses_of(f), block);
  if (loop && nb_loop_header(loop) == block)
    write_loop(f, block, loop, body, where);
  else
    write_node(f, block, body, where);
}

/* --- All of it ------------------------------------------------------------------------------- */

void source_structure(Function *f) {
  Where where = {NULL, NULL, NULL, NULL};
  write_tree(f, LLVMGetEntryBasicBlock(f->function), &f->body, where);
}
