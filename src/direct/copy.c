// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "direct/copy.h"

#include "bridge/body.h"

#include <string.h>

static void copy_attributes(LLVMValueRef to, LLVMValueRef from) {
  enum { MOST = 64 };
  LLVMAttributeRef attributes[MOST];
  for (unsigned i = 0; i <= LLVMCountParams(from) + 1; i++) {
    LLVMAttributeIndex index = i <= LLVMCountParams(from) ? i : LLVMAttributeFunctionIndex;
    unsigned count = LLVMGetAttributeCountAtIndex(from, index);
    if (count > MOST)
      continue;
    LLVMGetAttributesAtIndex(from, index, attributes);
    for (unsigned k = 0; k < count; k++)
      LLVMAddAttributeAtIndex(to, index, attributes[k]);
  }
}

LLVMValueRef nb_copy_declare(NbContext *context, LLVMValueRef function, const char *prefix,
                             LLVMTypeRef type) {
  const char *name = nb_arena_print(context->arena, "%s%s", prefix, nb_name(function));
  LLVMValueRef copy = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(copy, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(copy, LLVMGetFunctionCallConv(function));
  copy_attributes(copy, function);
  return copy;
}

void nb_copy_write(NbContext *context, LLVMValueRef copy, LLVMValueRef function) {
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *parameters = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    const char *name = nb_name(LLVMGetParam(function, i));
    parameters[i] = LLVMGetParam(copy, i);
    LLVMSetValueName2(parameters[i], name, strlen(name));
  }
  nb_clone_body(copy, function, parameters);
}

LLVMValueRef nb_copy_local(LLVMValueRef call, LLVMTypeRef type, const char *name) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef local = LLVMBuildAlloca(builder, type, name);
  LLVMDisposeBuilder(builder);
  return local;
}

LLVMValueRef nb_copy_call(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef callee,
                          LLVMValueRef *arguments) {
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  unsigned count = LLVMCountParams(callee);
  if (LLVMIsAInvokeInst(call))
    return LLVMBuildInvoke2(builder, type, callee, arguments, count, LLVMGetNormalDest(call),
                            LLVMGetUnwindDest(call), "");
  return LLVMBuildCall2(builder, type, callee, arguments, count, "");
}

void nb_copy_passing(LLVMValueRef fresh, LLVMValueRef call, unsigned index) {
  const char *const kinds[] = {"byval", "sret"};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(kinds[i], strlen(kinds[i]));
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, index + 1, kind);
    if (attribute)
      LLVMAddCallSiteAttribute(fresh, index + 1, attribute);
  }
}
