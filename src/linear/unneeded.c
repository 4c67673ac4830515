// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arguments whose primal memory the caller does not need (enzyme_dupnoneed) may be null: they may
 * be written, which is dropped later, but not read. */
#include "linear/build.h"

bool nb_linear_is_unneeded(const NbLinear *linear, LLVMValueRef pointer) {
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
    return false;
  LLVMValueRef object = nb_memory_underlying(pointer);
  for (unsigned i = 0; i < linear->work->request->count; i++)
    if (linear->work->request->roles[i] == NB_ROLE_DUPNONEED && linear->parameters[i] == object)
      return true;
  return false;
}

/* Calls of functions with a body hand the role on; a row's copy or fill may write. */
static bool call_may_take(const NbLinear *linear, LLVMValueRef call, unsigned operand) {
  const NbRule *rule = nb_rule_of_call(linear->work->context, call, NULL);
  LLVMValueRef callee = nb_callee(call);
  if (!rule)
    return callee && LLVMCountBasicBlocks(callee) > 0;
  bool moves = rule->kind == NB_RULE_COPY || rule->kind == NB_RULE_FILL;
  return moves && rule->operands[0] == operand;
}

static bool may_take(const NbLinear *linear, LLVMValueRef inst, unsigned operand) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMICmp:
  case LLVMPtrToInt:
    return true;
  case LLVMStore:
    return operand == 1;
  case LLVMCall:
    return call_may_take(linear, inst, operand);
  default:
    return false;
  }
}

bool nb_linear_check_unneeded(NbLinear *linear, LLVMValueRef inst) {
  unsigned count = (unsigned)LLVMGetNumOperands(inst);
  if (LLVMIsACallInst(inst))
    count = LLVMGetNumArgOperands(inst);
  for (unsigned i = 0; i < count; i++)
    if (nb_linear_is_unneeded(linear, LLVMGetOperand(inst, i)) && !may_take(linear, inst, i))
      return nb_refuse(linear->work->context, NB_ERROR_NEEDED, inst,
                       "the memory of an enzyme_dupnoneed argument, which may be null, is used "
                       "here for more than storing results");
  return true;
}
