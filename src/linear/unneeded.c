// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arguments whose primal memory the caller does not need (enzyme_dupnoneed) may be null: they may
 * be written, which is dropped later, but not read. */
#include "linear/build.h"

#include "objects/graph.h"

/* A row may copy or fill, write one value whose type is known, or give the pointer back. */
static bool row_may_take(const NbRule *rule, unsigned operand) {
  if (rule->kind == NB_RULE_COPY || rule->kind == NB_RULE_FILL)
    return rule->operands[0] == operand;
  bool writes = false;
  for (unsigned i = 0; i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    if (effect->parameter != NB_NO_PARAMETER && effect->parameter != operand)
      continue;
    if (!effect->writes || (effect->extent && !effect->text) || effect->type == NB_TYPE_VOID)
      return false;
    writes = true;
  }
  return writes && rule->returns != operand;
}

/* Calls of functions with a body hand the role on. */
static bool call_may_take(const NbLinear *linear, LLVMValueRef call, unsigned operand) {
  const NbRule *rule = nb_rule_of_call(linear->work->context, call, NULL);
  LLVMValueRef callee = nb_callee(call);
  if (rule)
    return row_may_take(rule, operand);
  return callee && LLVMCountBasicBlocks(callee) > 0;
}

static bool may_take(const NbLinear *linear, LLVMValueRef inst, unsigned operand) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMGetElementPtr:
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMBitCast:
    return LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMPointerTypeKind;
  case LLVMICmp:
    return true;
  case LLVMPtrToInt:
    return !nb_value_class_known(linear->objects, inst);
  case LLVMStore:
    return operand == 1 || !nb_objects_escapes(linear->objects, LLVMGetOperand(inst, 0));
  case LLVMCall:
    return call_may_take(linear, inst, operand);
  default:
    return false;
  }
}

static bool refuse(const NbLinear *linear, LLVMValueRef inst, const char *what) {
  return nb_refuse(linear->work->context, NB_ERROR_NEEDED, inst, "%s", what);
}

bool nb_linear_check_unneeded(NbLinear *linear, LLVMValueRef inst) {
  bool call = LLVMIsACallInst(inst) != NULL;
  unsigned count = call ? LLVMGetNumArgOperands(inst) : (unsigned)LLVMGetNumOperands(inst);
  if (!linear->unneeded)
    return true;
  for (unsigned i = 0; i < count; i++)
    if (nb_unneeded_need(linear->unneeded, LLVMGetOperand(inst, i)) != NB_NEED_YES &&
        !may_take(linear, inst, i))
      return refuse(linear, inst,
                    "the memory of an enzyme_dupnoneed argument, which may be null, is used here "
                    "for more than storing results");
  if (call && nb_unneeded_hides(linear->unneeded, inst))
    return refuse(linear, inst,
                  "a function that calls itself, or has a derivative of its own, gets or returns a "
                  "pointer that may be into the memory of an enzyme_dupnoneed argument, so that "
                  "its stores cannot be told apart");
  if (nb_unneeded_is_lost(linear->unneeded, inst))
    return refuse(linear, inst,
                  "a pointer found in memory may be into an enzyme_dupnoneed argument or into "
                  "memory that is needed");
  return true;
}
