// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Equal coefficients are one value: the minimum cut then stores it once, or sees that it costs
 * nothing to have, and both sweeps use the partial derivatives that the primal computes anyway. */
#include "linear/operation.h"
#include "simplify/steps.h"

enum { MAX_CANDIDATES = 64 };

typedef struct Sharing {
  NbLinear *linear;
  NbMap *replaced; /* coefficient -> the value that stands for it */
} Sharing;

static bool is_commutative(LLVMOpcode opcode) {
  return opcode == LLVMFAdd || opcode == LLVMFMul || opcode == LLVMAdd || opcode == LLVMMul;
}

static bool same_operands(LLVMValueRef a, LLVMValueRef b) {
  unsigned count = nb_simplify_operand_count(a);
  bool same = count == nb_simplify_operand_count(b), swapped = count == 2;
  for (unsigned i = 0; same && i < count; i++)
    same = LLVMGetOperand(a, i) == LLVMGetOperand(b, i);
  swapped = swapped && is_commutative(LLVMGetInstructionOpcode(a)) &&
            LLVMGetOperand(a, 0) == LLVMGetOperand(b, 1) &&
            LLVMGetOperand(a, 1) == LLVMGetOperand(b, 0);
  return same || swapped;
}

static bool is_equal(const Sharing *sharing, LLVMValueRef a, LLVMValueRef b) {
  return same_operands(a, b) && nb_linear_same_operation(sharing->linear, a, b);
}

/* Constants are used everywhere: equal instructions are looked for among the users of another
 * operand. */
static LLVMValueRef variable_operand(LLVMValueRef inst) {
  for (unsigned i = 0; i < nb_simplify_operand_count(inst); i++)
    if (!nb_is_constant(LLVMGetOperand(inst, i)))
      return LLVMGetOperand(inst, i);
  return NULL;
}

typedef bool Test(const Sharing *sharing, LLVMValueRef candidate, LLVMValueRef inst);

static LLVMValueRef find_equal(const Sharing *sharing, LLVMValueRef inst, Test *fits) {
  LLVMValueRef operand = variable_operand(inst);
  LLVMUseRef use = operand ? LLVMGetFirstUse(operand) : NULL;
  for (unsigned i = 0; use && i < MAX_CANDIDATES; i++, use = LLVMGetNextUse(use)) {
    LLVMValueRef candidate = LLVMGetUser(use);
    if (candidate != inst && LLVMIsAInstruction(candidate) &&
        !nb_map_has(sharing->replaced, candidate) && is_equal(sharing, candidate, inst) &&
        fits(sharing, candidate, inst))
      return candidate;
  }
  return NULL;
}

/* A value of a loop is known only there, also where the loop always runs. */
static bool is_above(const Sharing *sharing, LLVMValueRef candidate, LLVMValueRef inst) {
  const NbWork *work = sharing->linear->work;
  return nb_dominates(work->context->analyses, candidate, inst) &&
         nb_work_loop_contains(nb_work_block_of(work, candidate)->loop,
                               nb_work_block_of(work, inst)->loop);
}

/* The primal computes it in the same block: whenever one runs, so does the other. */
static bool is_beside(const Sharing *sharing, LLVMValueRef candidate, LLVMValueRef inst) {
  return LLVMGetInstructionParent(candidate) == LLVMGetInstructionParent(inst) &&
         nb_map_has(sharing->linear->following, candidate);
}

static void share(Sharing *sharing, LLVMValueRef inst) {
  LLVMValueRef found = find_equal(sharing, inst, is_above);
  if (found)
    LLVMReplaceAllUsesWith(inst, found);
  else if (sharing->linear->effects && !LLVMGetFirstUse(inst))
    found = find_equal(sharing, inst, is_beside);
  if (found)
    nb_map_set(sharing->replaced, inst, found);
}

static void rename_coefficients(const Sharing *sharing, NbStatement *statement) {
  for (unsigned i = 0; i < statement->count; i++) {
    NbSource *source = &statement->sources[i];
    LLVMValueRef other =
        source->coefficient ? nb_map_get(sharing->replaced, source->coefficient) : NULL;
    if (other)
      source->coefficient = other;
  }
  LLVMValueRef extent = statement->extent ? nb_map_get(sharing->replaced, statement->extent) : NULL;
  if (extent)
    statement->extent = extent;
}

void nb_simplify_share(NbLinear *linear) {
  const NbWork *work = linear->work;
  Sharing sharing = {linear, nb_map_new(work->context->arena)};
  for (unsigned i = 0; i < work->block_count; i++)
    for (LLVMValueRef inst = LLVMGetFirstInstruction(work->blocks[i].block), next; inst;
         inst = next) {
      next = LLVMGetNextInstruction(inst);
      if (nb_simplify_is_coefficient(linear, inst))
        share(&sharing, inst);
    }
  for (unsigned i = 0; i < work->block_count; i++)
    for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next)
      rename_coefficients(&sharing, statement);
}
