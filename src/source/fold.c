// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which values stand inside of the expressions that use them, and which share a variable.
 *
 * A value without memory may be computed wherever it is used, for what it is made of still has the
 * value that it had: a variable is only assigned where its definition runs again, and what a
 * definition dominates cannot run before that does. So cheap values, addresses above all, are
 * computed at each use, and those of one use there, where that is not deeper in loops. Loads and
 * calls of mathematical functions are moved only within their block, past nothing that writes.
 *
 * A loop's variable and its next value are one variable where nothing reads the former behind the
 * definition of the latter. */
#include "objects/graph.h"
#include "source/place.h"

#include <string.h>

enum { SIZE_MAX_OF_EXPRESSION = 14, SIZE_OF_NAMED = 2 };

bool source_is_folded(const Function *f, LLVMValueRef value) {
  return nb_map_get(f->folded, value) != NULL;
}

static LLVMValueRef end_of(LLVMBasicBlockRef block) { return LLVMGetBasicBlockTerminator(block); }

/* Instructions that say something to the optimiser alone. */
bool source_is_silent(LLVMValueRef instruction) {
  static const char *const names[] = {
      ".lifetime.", ".dbg.",       ".assume",     ".experimental.noalias.scope",
      ".donothing", ".invariant.", ".sideeffect", ".pseudoprobe"};
  static const char prefix[] = "llvm";
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  const char *name = callee ? nb_name(callee) : "";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0)
    return false;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name + sizeof prefix - 1, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

/* --- Kinds of instructions ------------------------------------------------------------------- */

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
}

static bool is_pure(const Function *f, LLVMValueRef instruction) {
  if (is_aggregate(LLVMTypeOf(instruction)))
    return false;
  if (LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction))
    return true;
  (void)f;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMFNeg:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMSelect:
  case LLVMGetElementPtr:
  case LLVMExtractValue:
    return true;
  default:
    return false;
  }
}

static bool only_computes(const Function *f, LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction) || is_aggregate(LLVMTypeOf(instruction)) ||
      LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVoidTypeKind)
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  bool intrinsic = LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee);
  if (intrinsic)
    return !nb_memory_may_write_any(instruction) && !nb_memory_may_read_any(instruction);
  return nb_call_only_computes(f->writer->context, instruction);
}

static bool is_quiet_load(LLVMValueRef instruction) {
  return LLVMIsALoadInst(instruction) && nb_access_is_plain(instruction) &&
         !is_aggregate(LLVMTypeOf(instruction));
}

/* Does it stay where it is computed, in a variable, or is it written again at each use? */
static bool is_simple(const Function *f, LLVMValueRef operand) {
  if (!LLVMIsAInstruction(operand))
    return true;
  return !source_is_folded(f, operand) || LLVMIsACastInst(operand) ||
         LLVMIsAExtractValueInst(operand);
}

static bool are_operands_simple(const Function *f, LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    if (!is_simple(f, LLVMGetOperand(instruction, (unsigned)i)))
      return false;
  return true;
}

static bool is_cheap(LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  return opcode == LLVMSExt || opcode == LLVMZExt || opcode == LLVMTrunc || opcode == LLVMFNeg ||
         opcode == LLVMICmp || opcode == LLVMExtractValue || opcode == LLVMGetElementPtr;
}

/* --- Where a value is used ------------------------------------------------------------------- */

static LLVMValueRef only_user(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

/* Where a use by a phi stands: at the end of the block that it comes from. */
static LLVMValueRef place_in_phi(LLVMValueRef phi, LLVMValueRef value) {
  LLVMValueRef place = NULL;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingValue(phi, i) == value) {
      if (place)
        return NULL;
      place = end_of(LLVMGetIncomingBlock(phi, i));
    }
  return place;
}

/* The statement in which the only use of the value stands; NULL: there are several. */
static LLVMValueRef root_of(const Function *f, LLVMValueRef value) {
  LLVMValueRef user = only_user(value);
  while (user && source_is_folded(f, user)) {
    value = user;
    user = only_user(user);
  }
  return user && LLVMIsAPHINode(user) ? place_in_phi(user, value) : user;
}

static bool is_written_between(const Function *f, LLVMValueRef from, LLVMValueRef to) {
  for (LLVMValueRef at = LLVMGetNextInstruction(from); at && at != to;
       at = LLVMGetNextInstruction(at))
    if (!source_is_silent(at) && !only_computes(f, at) && nb_memory_may_write_any(at))
      return true;
  return false;
}

static bool is_deeper(const Function *f, LLVMValueRef to, LLVMValueRef from) {
  NbLoop *inner = nb_loop_of(f->writer->context->analyses, LLVMGetInstructionParent(to));
  return inner && !nb_loop_contains(inner, LLVMGetInstructionParent(from));
}

static bool may_move(const Function *f, LLVMValueRef instruction) {
  LLVMValueRef root = root_of(f, instruction);
  if (!root)
    return false;
  if (is_pure(f, instruction))
    return !is_deeper(f, root, instruction);
  return LLVMGetInstructionParent(root) == LLVMGetInstructionParent(instruction) &&
         !is_written_between(f, instruction, root);
}

static bool is_always_folded(const Function *f, LLVMValueRef instruction) {
  (void)f;
  return LLVMIsAGetElementPtrInst(instruction) && !is_aggregate(LLVMTypeOf(instruction)) &&
         LLVMGetFirstUse(instruction);
}

/* Is it so many bytes, of which only addresses are made? */
static bool is_only_in_addresses(LLVMValueRef instruction, unsigned depth) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  bool step = opcode == LLVMAdd || opcode == LLVMMul || opcode == LLVMShl;
  if (!step || !depth || !LLVMIsAConstantInt(LLVMGetOperand(instruction, 1)))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAGetElementPtrInst(user) &&
        !(LLVMIsAInstruction(user) && is_only_in_addresses(user, depth - 1)))
      return false;
  }
  return true;
}

static bool is_part_of_index(const Function *f, LLVMValueRef instruction) {
  enum { DEPTH = 3 };
  return LLVMIsABinaryOperator(instruction) &&
         LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMIntegerTypeKind &&
         is_only_in_addresses(instruction, DEPTH) && source_does_not_wrap(f->writer, instruction);
}

/* Users are looked at before what they use. */
static void decide(const Function *f, LLVMValueRef instruction) {
  bool pure = is_pure(f, instruction);
  bool movable = pure || is_quiet_load(instruction) || only_computes(f, instruction);
  bool fold = movable && LLVMGetFirstUse(instruction) &&
              (is_always_folded(f, instruction) || may_move(f, instruction) ||
               (pure && (is_cheap(instruction) || is_part_of_index(f, instruction))));
  nb_map_set(f->folded, instruction, fold ? (void *)f : NULL);
}

/* --- How large expressions become ------------------------------------------------------------ */

static uintptr_t size_of(const Function *f, NbMap *sizes, LLVMValueRef instruction) {
  uintptr_t size = 1;
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (source_is_folded(f, operand))
      size += (uintptr_t)nb_map_get(sizes, operand);
  }
  return size;
}

static bool is_too_large(const Function *f, LLVMValueRef instruction, uintptr_t size) {
  if (LLVMIsAGetElementPtrInst(instruction))
    return size > 2 * SIZE_MAX_OF_EXPRESSION;
  bool once = only_user(instruction) != NULL;
  if (is_part_of_index(f, instruction) && size <= SIZE_MAX_OF_EXPRESSION)
    return false;
  if (!once && !LLVMIsAExtractValueInst(instruction) && !are_operands_simple(f, instruction))
    return true;
  if (source_is_named(instruction) && LLVMGetInstructionOpcode(instruction) != LLVMICmp &&
      size >= SIZE_OF_NAMED)
    return true;
  return size > SIZE_MAX_OF_EXPRESSION;
}

static void unfold_large(const Function *f) {
  NbMap *sizes = nb_map_new(f->arena);
  for (unsigned i = 0; i < f->block_count; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->blocks[i]); at;
         at = LLVMGetNextInstruction(at)) {
      if (!source_is_folded(f, at))
        continue;
      uintptr_t size = size_of(f, sizes, at);
      nb_map_set(sizes, at, (void *)size);
      if (is_too_large(f, at, size))
        nb_map_set(f->folded, at, NULL);
    }
}

/* A load or call that is written again at each use of an address would be done again. */
static bool is_repeated(const Function *f, LLVMValueRef instruction) {
  LLVMValueRef user = only_user(instruction);
  while (user && source_is_folded(f, user))
    user = only_user(user);
  return !user;
}

static void keep_repeated(const Function *f) {
  for (unsigned i = 0; i < f->block_count; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->blocks[i]); at;
         at = LLVMGetNextInstruction(at))
      if (source_is_folded(f, at) && !is_pure(f, at) && is_repeated(f, at))
        nb_map_set(f->folded, at, NULL);
}

/* --- Variables that are one ------------------------------------------------------------------ */

static bool is_in_loop(const NbLoop *loop, LLVMValueRef instruction) {
  return nb_loop_contains((NbLoop *)loop, LLVMGetInstructionParent(instruction));
}

/* Do all statements that read `value`, through folded ones too, stand before `next`, and in each
 * iteration? */
static bool is_read_before(const Function *f, LLVMValueRef value, LLVMValueRef next,
                           const NbLoop *loop, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user == next)
      continue;
    LLVMValueRef place = LLVMIsAPHINode(user) ? place_in_phi(user, value) : user;
    if (!place || !depth || !is_in_loop(loop, place) || !is_in_loop(loop, user))
      return false;
    if (source_is_folded(f, user)) {
      if (!is_read_before(f, user, next, loop, depth - 1))
        return false;
      continue;
    }
    if (!nb_dominates(f->writer->context->analyses, place, next))
      return false;
  }
  return true;
}

static bool has_folded_operand(const Function *f, LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    if (source_is_folded(f, LLVMGetOperand(instruction, (unsigned)i)))
      return true;
  return false;
}

/* The step of a loop that only its own test reads: it can be the last thing before that. */
static bool is_late(const Function *f, LLVMValueRef phi, LLVMValueRef next,
                    LLVMBasicBlockRef latch) {
  LLVMValueRef end = end_of(latch);
  bool moves = is_pure(f, next) && !has_folded_operand(f, next);
  if (!moves || LLVMGetInstructionParent(next) != latch || LLVMGetNumSuccessors(end) != 2)
    return false;
  bool tested = false;
  for (LLVMUseRef use = LLVMGetFirstUse(next); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool test = LLVMIsAICmpInst(user) && source_is_folded(f, user) && only_user(user) == end;
    if (user != phi && !test)
      return false;
    tested = tested || test;
  }
  return tested;
}

/* As if it stood at the end of its block, where it is not read by the test itself. */
static bool is_read_early(const Function *f, LLVMValueRef value, LLVMValueRef next,
                          const NbLoop *loop, unsigned depth) {
  LLVMValueRef end = end_of(LLVMGetInstructionParent(next));
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user == next)
      continue;
    LLVMValueRef place = LLVMIsAPHINode(user) ? place_in_phi(user, value) : user;
    bool inside = place && is_in_loop(loop, place) && is_in_loop(loop, user);
    if (!inside || place == end || !depth)
      return false;
    if (source_is_folded(f, user) && !is_read_early(f, user, next, loop, depth - 1))
      return false;
  }
  return true;
}

static void join_with_next(Function *f, LLVMValueRef phi, NbLoop *loop) {
  LLVMBasicBlockRef latch = nb_loop_latch(loop);
  LLVMValueRef next = NULL;
  for (unsigned i = 0; latch && i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == latch)
      next = LLVMGetIncomingValue(phi, i);
  bool own = next && LLVMIsAInstruction(next) && next != phi && !LLVMIsAPHINode(next) &&
             !LLVMIsAAllocaInst(next) && is_in_loop(loop, next) && !source_is_folded(f, next) &&
             nb_loop_of(f->writer->context->analyses, LLVMGetInstructionParent(next)) == loop &&
             nb_loop_of(f->writer->context->analyses, latch) == loop &&
             !nb_map_get(f->variables, next);
  if (!own || source_pointee(f->writer, next) != source_pointee(f->writer, phi))
    return;
  bool late = is_late(f, phi, next, latch) && is_read_early(f, phi, next, loop, 8);
  if (!late && !is_read_before(f, phi, next, loop, 8))
    return;
  if (late)
    nb_map_set(f->late, next, phi);
  nb_map_set(f->variables, next, source_variable(f, phi));
}

static void join_loops(Function *f) {
  NbAnalyses *analyses = f->writer->context->analyses;
  for (unsigned i = 0; i < f->block_count; i++) {
    NbLoop *loop = nb_loop_of(analyses, f->blocks[i]);
    if (!loop || nb_loop_header(loop) != f->blocks[i])
      continue;
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->blocks[i]); at && LLVMIsAPHINode(at);
         at = LLVMGetNextInstruction(at))
      join_with_next(f, at, loop);
  }
}

/* --- All of it ------------------------------------------------------------------------------- */

/* A struct that only gets another member next is changed where it is. */
static void join_members(Function *f) {
  for (unsigned i = 0; i < f->block_count; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->blocks[i]); at;
         at = LLVMGetNextInstruction(at)) {
      LLVMValueRef before = LLVMIsAInsertValueInst(at) ? LLVMGetOperand(at, 0) : NULL;
      bool own = before && LLVMIsAInsertValueInst(before) && only_user(before) == at &&
                 LLVMGetInstructionParent(before) == f->blocks[i];
      if (own)
        nb_map_set(f->variables, at, source_variable(f, before));
    }
}

void source_fold(Function *f) {
  for (unsigned i = f->block_count; i-- > 0;)
    for (LLVMValueRef at = end_of(f->blocks[i]); at; at = LLVMGetPreviousInstruction(at))
      decide(f, at);
  unfold_large(f);
  keep_repeated(f);
  join_loops(f);
  join_members(f);
}
