// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Comparisons whose answer a decision knows already.
 *
 * A derivative that need not be multiplied with, where zero is strong, is compared with zero. Of
 * `decision ? 1 : 0`, the seed of one side of a branch, the decision itself is the answer; LLVM
 * folds such a comparison only where nothing else reads the choice. */
#include "objects/graph.h"
#include "tidy/tidy.h"

/* The choice between two constants that `compare` compares with a third; NULL where it is not so.
 */
static LLVMValueRef compared_choice(LLVMValueRef compare) {
  LLVMValueRef choice = LLVMIsASelectInst(LLVMGetOperand(compare, 0));
  bool constant = choice && nb_is_constant(LLVMGetOperand(choice, 1)) &&
                  nb_is_constant(LLVMGetOperand(choice, 2)) &&
                  nb_is_constant(LLVMGetOperand(compare, 1));
  return constant ? choice : NULL;
}

static LLVMValueRef fold(LLVMBuilderRef builder, LLVMValueRef compare, LLVMValueRef choice) {
  LLVMRealPredicate predicate = LLVMGetFCmpPredicate(compare);
  LLVMValueRef with = LLVMGetOperand(compare, 1);
  LLVMValueRef first = LLVMBuildFCmp(builder, predicate, LLVMGetOperand(choice, 1), with, "");
  LLVMValueRef second = LLVMBuildFCmp(builder, predicate, LLVMGetOperand(choice, 2), with, "");
  return LLVMBuildSelect(builder, LLVMGetOperand(choice, 0), first, second, "");
}

bool nb_tidy_choices(NbContext *context, LLVMValueRef function) {
  if (nb_without(context, NB_OPTIMISATION_CHOICES))
    return false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  bool changed = false;
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    LLVMValueRef choice = LLVMIsAFCmpInst(at) ? compared_choice(at) : NULL;
    if (!choice)
      continue;
    LLVMPositionBuilderBefore(builder, at);
    LLVMReplaceAllUsesWith(at, fold(builder, at, choice));
    LLVMInstructionEraseFromParent(at);
    changed = true;
  }
  LLVMDisposeBuilder(builder);
  return changed;
}
