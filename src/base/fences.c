// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/fences.h"

#include <string.h>

static const LLVMAttributeIndex WHOLE = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

LLVMValueRef nb_fence_build(LLVMBuilderRef builder, LLVMValueRef value, const char *mark) {
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder)));
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned id = LLVMLookupIntrinsicID(NB_FENCE_INTRINSIC, strlen(NB_FENCE_INTRINSIC) - 1);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
  LLVMValueRef fence =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, &value, 1, "");
  LLVMContextRef llvm = LLVMGetModuleContext(module);
  LLVMAddCallSiteAttribute(fence, WHOLE,
                           LLVMCreateStringAttribute(llvm, mark, (unsigned)strlen(mark), "", 0));
  return fence;
}

bool nb_fence_is(LLVMValueRef value, const char *mark) {
  return LLVMIsACallInst(value) &&
         LLVMGetCallSiteStringAttribute(value, WHOLE, mark, (unsigned)strlen(mark));
}

void nb_fence_drop(LLVMValueRef fence) {
  LLVMReplaceAllUsesWith(fence, LLVMGetOperand(fence, 0));
  LLVMInstructionEraseFromParent(fence);
}
