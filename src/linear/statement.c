// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The statements of a block, what one needs besides tangents, and how it is printed. */
#include "linear/linear.h"

#include <stdio.h>

void nb_statement_append(NbLinearBlock *block, NbStatement *statement) {
  statement->previous = block->last;
  if (block->last)
    block->last->next = statement;
  else
    block->first = statement;
  block->last = statement;
}

void nb_statement_prepend(NbLinearBlock *block, NbStatement *statement) {
  statement->next = block->first;
  if (block->first)
    block->first->previous = statement;
  else
    block->last = statement;
  block->first = statement;
}

void nb_statement_remove(NbLinearBlock *block, const NbStatement *statement) {
  if (statement->previous)
    statement->previous->next = statement->next;
  else
    block->first = statement->next;
  if (statement->next)
    statement->next->previous = statement->previous;
  else
    block->last = statement->previous;
}

static void visit_sources(const NbStatement *statement, NbOperandVisitor *visit, void *user) {
  for (unsigned i = 0; i < statement->count; i++)
    if (statement->sources[i].value && statement->sources[i].coefficient)
      visit(user, statement, NB_OPERAND_COEFFICIENT, statement->sources[i].coefficient);
}

static void visit_shuffle(const NbStatement *statement, NbOperandVisitor *visit, void *user) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(statement->origin);
  if (opcode == LLVMExtractElement)
    visit(user, statement, NB_OPERAND_ADDRESS, LLVMGetOperand(statement->origin, 1));
  if (opcode == LLVMInsertElement)
    visit(user, statement, NB_OPERAND_ADDRESS, LLVMGetOperand(statement->origin, 2));
}

static bool is_used(LLVMValueRef function, unsigned parameter) {
  return LLVMGetFirstUse(LLVMGetParam(function, parameter)) != NULL;
}

bool nb_statement_passes(const NbStatement *statement, unsigned parameter) {
  const NbDerivative *callee = statement->callee;
  bool tested = statement->at_once && callee->apart_test;
  return !callee->complete || tested || !callee->reverse || is_used(callee->reverse, parameter) ||
         (statement->at_once && is_used(callee->augmented, parameter));
}

static void visit_call(const NbStatement *statement, NbOperandVisitor *visit, void *user) {
  unsigned shadow = statement->count;
  for (unsigned i = 0; i < statement->count; i++) {
    if (nb_statement_passes(statement, i))
      visit(user, statement, NB_OPERAND_ARGUMENT, LLVMGetOperand(statement->origin, i));
    for (unsigned lane = 0; lane < nb_request_shadows(&statement->callee->request, i); lane++) {
      LLVMValueRef address = statement->shadows[i * statement->width + lane];
      if (address && nb_statement_passes(statement, shadow))
        visit(user, statement, NB_OPERAND_ADDRESS, address);
      shadow++;
    }
  }
}

static void visit_handed(const NbStatement *statement, NbOperandVisitor *visit, void *user) {
  const NbRule *maker = statement->maker;
  for (unsigned i = 0; maker && i < maker->handed_count; i++)
    if (maker->handed[i] != NB_NO_PARAMETER)
      visit(user, statement, NB_OPERAND_ARGUMENT,
            LLVMGetOperand(statement->origin, maker->handed[i]));
}

void nb_statement_operands(const NbStatement *statement, NbOperandVisitor *visit, void *user) {
  visit_sources(statement, visit, user);
  for (unsigned lane = 0; statement->addresses && lane < statement->width; lane++)
    visit(user, statement, NB_OPERAND_ADDRESS, statement->addresses[lane]);
  if (statement->address)
    visit(user, statement, NB_OPERAND_ADDRESS, statement->address);
  if (statement->address_from)
    visit(user, statement, NB_OPERAND_ADDRESS, statement->address_from);
  if (statement->stored)
    visit(user, statement, NB_OPERAND_ADDRESS, statement->stored);
  if (statement->extent)
    visit(user, statement, NB_OPERAND_EXTENT, statement->extent);
  if (statement->decision)
    visit(user, statement, NB_OPERAND_DECISION, statement->decision);
  if (statement->kind == NB_STATEMENT_SHUFFLE)
    visit_shuffle(statement, visit, user);
  if (statement->kind == NB_STATEMENT_CALL)
    visit_call(statement, visit, user);
  visit_handed(statement, visit, user);
}

static const char *const KINDS[] = {
    [NB_STATEMENT_SUM] = "sum",           [NB_STATEMENT_CHOOSE] = "choose",
    [NB_STATEMENT_PHI] = "phi",           [NB_STATEMENT_LOAD] = "load",
    [NB_STATEMENT_STORE] = "store",       [NB_STATEMENT_ADD] = "add",
    [NB_STATEMENT_FILL] = "fill",         [NB_STATEMENT_COPY] = "copy",
    [NB_STATEMENT_SHUFFLE] = "shuffle",   [NB_STATEMENT_CALL] = "call",
    [NB_STATEMENT_ALLOCATE] = "allocate", [NB_STATEMENT_RELEASE] = "release",
};

const char *nb_statement_name(NbStatementKind kind) { return KINDS[kind]; }

const char *nb_linear_show(const NbContext *context, LLVMValueRef value) {
  if (!value)
    return "0";
  if (nb_name(value)[0])
    return nb_arena_print(context->arena, "%%%s", nb_name(value));
  char *text = LLVMPrintValueToString(value);
  const char *start = text;
  while (*start == ' ')
    start++;
  char *copy = nb_arena_print(context->arena, "(%s)", start);
  LLVMDisposeMessage(text);
  return copy;
}

static void print_statement(const NbContext *context, const NbStatement *statement) {
  fprintf(stderr, "  %-8s", KINDS[statement->kind]);
  if (statement->result)
    fprintf(stderr, " t(%s) =", nb_linear_show(context, statement->result));
  for (unsigned i = 0; i < statement->count; i++) {
    const NbSource *source = &statement->sources[i];
    if (source->coefficient)
      fprintf(stderr, " %s *", nb_linear_show(context, source->coefficient));
    fprintf(stderr, source->value ? " t(%s)" : " %s", nb_linear_show(context, source->value));
  }
  for (unsigned lane = 0; statement->addresses && lane < statement->width; lane++)
    fprintf(stderr, " at %s", nb_linear_show(context, statement->addresses[lane]));
  if (statement->address)
    fprintf(stderr, " at %s", nb_linear_show(context, statement->address));
  if (statement->address_from)
    fprintf(stderr, " from %s", nb_linear_show(context, statement->address_from));
  if (statement->extent)
    fprintf(stderr, " bytes %s", nb_linear_show(context, statement->extent));
  if (statement->decision)
    fprintf(stderr, " if %s", nb_linear_show(context, statement->decision));
  if (statement->callee)
    fprintf(stderr, " @%s", nb_name(statement->callee->request.function));
  fputs(statement->speculated ? " speculated\n" : "\n", stderr);
}

void nb_linear_print(const NbLinear *linear, const char *stage) {
  const NbWork *work = linear->work;
  fprintf(stderr, "%s @%s\n", stage, nb_name(work->request->function));
  for (unsigned i = 0; i < work->block_count; i++) {
    const NbStatement *statement = linear->blocks[i].first;
    if (statement)
      fprintf(stderr, " %s:\n", nb_name(LLVMBasicBlockAsValue(work->blocks[i].block)));
    for (; statement; statement = statement->next)
      print_statement(work->context, statement);
  }
}

static bool is_alike(const NbPiece *a, const NbPiece *b) {
  return a->kind == b->kind && a->type == b->type && a->may == b->may && a->period == b->period;
}

LLVMValueRef nb_statement_offset(LLVMBuilderRef builder, const NbStatement *statement,
                                 unsigned index, LLVMValueRef backwards) {
  const NbPiece *pieces = statement->layout.pieces;
  LLVMTypeRef type = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(backwards)));
  unsigned mirror = statement->layout.count;
  for (unsigned i = 0; i <= index; i++) {
    if (!is_alike(&pieces[i], &pieces[index]))
      continue;
    do
      mirror--;
    while (!is_alike(&pieces[mirror], &pieces[index]));
  }
  LLVMValueRef first = LLVMConstInt(type, pieces[index].offset, false);
  if (mirror == index)
    return first;
  LLVMValueRef last = LLVMConstInt(type, pieces[mirror].offset, false);
  return LLVMBuildSelect(builder, backwards, last, first, "");
}

void nb_statement_clear_unknown(NbStatement *fill) {
  if (!nb_layout_is_known(&fill->layout))
    fill->layout = (NbLayout){NULL, 0, true};
}
