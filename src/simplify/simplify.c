// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The order of the steps, and what they share. Zeros turn sums into copies, and folded sums may
 * cancel to zero: both run twice. Sharing comes behind folding, which makes new coefficients. */
#include "simplify/steps.h"

#include <string.h>

/* --- A program of our own -------------------------------------------------------------------- */

static NbStatement *copy_statement(NbArena *arena, const NbStatement *statement) {
  NbStatement *copy = NB_NEW(arena, NbStatement);
  *copy = *statement;
  copy->sources = NB_NEW_ARRAY(arena, NbSource, statement->count + 1);
  if (statement->count)
    memcpy(copy->sources, statement->sources, statement->count * sizeof *copy->sources);
  copy->next = NULL;
  return copy;
}

static NbLinearBlock copy_block(NbArena *arena, const NbLinearBlock *block) {
  NbLinearBlock copy = {NULL, NULL};
  for (const NbStatement *from = block->first; from; from = from->next)
    nb_statement_append(&copy, copy_statement(arena, from));
  return copy;
}

static NbLinear *copy_linear(const NbLinear *linear) {
  NbArena *arena = linear->work->context->arena;
  NbLinear *copy = NB_NEW(arena, NbLinear);
  *copy = *linear;
  copy->blocks = NB_NEW_ARRAY(arena, NbLinearBlock, linear->work->block_count);
  for (unsigned i = 0; i < linear->work->block_count; i++)
    copy->blocks[i] = copy_block(arena, &linear->blocks[i]);
  copy->active = nb_map_new(arena);
  for (unsigned i = 0; i < nb_map_count(linear->active); i++) {
    const void *value = nb_map_key(linear->active, i);
    nb_map_set(copy->active, value, nb_map_get(linear->active, value));
  }
  return copy;
}

void nb_simplify_remove(NbLinear *linear, const NbStatement *statement) {
  NbLinearBlock *block = &linear->blocks[nb_work_block_of(linear->work, statement->origin)->index];
  nb_statement_remove(block, statement);
}

/* --- Coefficients ---------------------------------------------------------------------------- */

unsigned nb_simplify_operand_count(LLVMValueRef inst) {
  return LLVMIsACallInst(inst) ? LLVMGetNumArgOperands(inst) : (unsigned)LLVMGetNumOperands(inst);
}

bool nb_simplify_is_one(LLVMValueRef coefficient) {
  LLVMBool loses = false;
  if (!coefficient)
    return true;
  bool scalar = LLVMIsAConstantFP(coefficient) &&
                LLVMGetTypeKind(LLVMTypeOf(coefficient)) != LLVMVectorTypeKind;
  return scalar && LLVMConstRealGetDouble(coefficient, &loses) == 1;
}

static bool is_function_of_operands(const NbLinear *linear, LLVMValueRef inst) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFNeg:
  case LLVMFCmp:
  case LLVMICmp:
  case LLVMSelect:
  case LLVMSIToFP:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMExtractValue:
  case LLVMExtractElement:
  case LLVMInsertElement:
    return LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMPointerTypeKind;
  case LLVMCall:
    return nb_linear_is_pure_call(linear, inst);
  default:
    return false;
  }
}

bool nb_simplify_is_coefficient(const NbLinear *linear, LLVMValueRef inst) {
  return LLVMIsAInstruction(inst) && !nb_map_has(linear->following, inst) &&
         is_function_of_operands(linear, inst);
}

static void note_used(NbMap *used, const NbStatement *statement) {
  if (statement->extent)
    nb_map_set(used, statement->extent, used);
  for (unsigned i = 0; i < statement->count; i++)
    if (statement->sources[i].coefficient)
      nb_map_set(used, statement->sources[i].coefficient, used);
}

static NbMap *used_by_statements(const NbLinear *linear) {
  NbMap *used = nb_map_new(linear->work->context->arena);
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next)
      note_used(used, statement);
  return used;
}

void nb_simplify_erase(NbLinear *linear) {
  const NbMap *used = used_by_statements(linear);
  for (unsigned i = linear->work->block_count; i-- > 0;)
    for (LLVMValueRef inst = LLVMGetLastInstruction(linear->work->blocks[i].block), previous; inst;
         inst = previous) {
      previous = LLVMGetPreviousInstruction(inst);
      if (!LLVMGetFirstUse(inst) && !nb_map_has(used, inst) &&
          nb_simplify_is_coefficient(linear, inst))
        LLVMInstructionEraseFromParent(inst);
    }
}

/* --- The steps ------------------------------------------------------------------------------- */

typedef struct Step {
  NbOptimisation what;
  void (*run)(NbLinear *linear);
} Step;

static const Step STEPS[] = {
    {NB_OPTIMISATION_DEAD, nb_simplify_zero},     {NB_OPTIMISATION_FOLD, nb_simplify_fold},
    {NB_OPTIMISATION_UPDATE, nb_simplify_update}, {NB_OPTIMISATION_CARRY, nb_simplify_carry},
    {NB_OPTIMISATION_DEAD, nb_simplify_zero},     {NB_OPTIMISATION_FOLD, nb_simplify_fold},
    {NB_OPTIMISATION_DEAD, nb_simplify_dead},     {NB_OPTIMISATION_SHARE, nb_simplify_share},
    {NB_OPTIMISATION_HOIST, nb_simplify_hoist},
};

/* Where the runtime tells at which line a number was born, each sum stays at its own. */
static bool is_wanted(const NbLinear *linear, const Step *step) {
  bool merges = step->what == NB_OPTIMISATION_FOLD;
  return !nb_without(linear->work->context, step->what) &&
         !(merges && linear->work->request->observed);
}

NbLinear *nb_simplify_linear(const NbLinear *linear) {
  NbLinear *simple = copy_linear(linear);
  const NbContext *context = linear->work->context;
  nb_analyses_forget(context->analyses, linear->work->function);
  if (nb_without(context, NB_OPTIMISATION_SIMPLIFY))
    return simple;
  for (unsigned i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++)
    if (is_wanted(simple, &STEPS[i]))
      STEPS[i].run(simple);
  nb_simplify_erase(simple);
  return simple;
}
