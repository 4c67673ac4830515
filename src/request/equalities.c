// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where a number was found to equal another, the optimiser puts the other in its place (`x == 3 ? x
 * * x : y` becomes `x == 3 ? 9 : y`), and with it goes the derivative. So what is compared is
 * hidden from it until the derivatives are written. */
#include "base/names.h"
#include "objects/graph.h"
#include "request/collected.h"
#include "request/request.h"

#include <string.h>

static const char FENCE[] = "llvm.arithmetic.fence."; /* and the type */
static const char MARK[] = "nabla.equality";

static bool tells_equality(LLVMValueRef comparison) {
  switch (LLVMGetFCmpPredicate(comparison)) {
  case LLVMRealOEQ:
  case LLVMRealUEQ:
  case LLVMRealONE:
  case LLVMRealUNE:
    return true;
  default:
    return false;
  }
}

static LLVMValueRef build_fence(const NbContext *context, LLVMValueRef value, LLVMValueRef before) {
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned id = LLVMLookupIntrinsicID(FENCE, strlen(FENCE) - 1);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(context->module, id, &type, 1);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, before);
  LLVMValueRef fence =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, &value, 1, "");
  LLVMDisposeBuilder(builder);
  LLVMAddCallSiteAttribute(fence, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateStringAttribute(context->llvm, MARK, strlen(MARK), "", 0));
  return fence;
}

static bool hide(const NbContext *context, LLVMValueRef comparison) {
  unsigned side = LLVMIsConstant(LLVMGetOperand(comparison, 0)) ? 1 : 0;
  LLVMValueRef compared = LLVMGetOperand(comparison, side);
  if (!tells_equality(comparison) || LLVMIsConstant(compared))
    return false;
  LLVMSetOperand(comparison, side, build_fence(context, compared, comparison));
  return true;
}

bool nb_equalities_hide(NbContext *context) {
  bool changed = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
      if (LLVMIsAFCmpInst(at))
        changed |= hide(context, at);
  return changed;
}

static bool show_all(LLVMValueRef fence) {
  bool changed = false;
  for (LLVMUseRef use = LLVMGetFirstUse(fence), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) ||
        !LLVMGetCallSiteStringAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, MARK,
                                        strlen(MARK)))
      continue;
    LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
    LLVMInstructionEraseFromParent(call);
    changed = true;
  }
  return changed;
}

bool nb_equalities_show(LLVMModuleRef module) {
  bool changed = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(module), next; function; function = next) {
    next = LLVMGetNextFunction(function);
    if (strncmp(nb_name(function), FENCE, strlen(FENCE)) != 0)
      continue;
    changed |= show_all(function);
    if (!LLVMGetFirstUse(function))
      LLVMDeleteFunction(function);
  }
  return changed;
}
