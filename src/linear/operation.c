// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear/operation.h"

static bool same_function(const NbLinear *linear, LLVMValueRef a, LLVMValueRef b) {
  if (!LLVMIsACallInst(a))
    return true;
  const NbContext *context = linear->work->context;
  const NbRule *rule = nb_rule_of_call(context, a, NULL);
  bool same = rule ? rule == nb_rule_of_call(context, b, NULL) : nb_callee(a) == nb_callee(b);
  return same && nb_linear_is_pure_call(linear, a) && nb_linear_is_pure_call(linear, b);
}

static bool same_predicate(LLVMValueRef a, LLVMValueRef b) {
  if (LLVMIsAFCmpInst(a))
    return LLVMGetFCmpPredicate(a) == LLVMGetFCmpPredicate(b);
  if (LLVMIsAICmpInst(a))
    return LLVMGetICmpPredicate(a) == LLVMGetICmpPredicate(b);
  return true;
}

static bool same_indices(LLVMValueRef a, LLVMValueRef b) {
  if (!LLVMIsAExtractValueInst(a))
    return true;
  unsigned count = LLVMGetNumIndices(a);
  bool same = count == LLVMGetNumIndices(b);
  for (unsigned i = 0; same && i < count; i++)
    same = LLVMGetIndices(a)[i] == LLVMGetIndices(b)[i];
  return same;
}

static bool same_element(LLVMValueRef a, LLVMValueRef b) {
  return !LLVMIsAGetElementPtrInst(a) ||
         LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b);
}

/* Two arrays are never the same. */
bool nb_linear_same_operation(const NbLinear *linear, LLVMValueRef a, LLVMValueRef b) {
  return !LLVMIsAAllocaInst(a) && LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) &&
         LLVMTypeOf(a) == LLVMTypeOf(b) && same_predicate(a, b) && same_indices(a, b) &&
         same_element(a, b) && same_function(linear, a, b);
}
