// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function of numbers that is only declared here may have derivatives of the user's. The analyses
 * want a body to look at, so it is lent one while the requests are served, in which the result
 * depends on every argument. Nobody may inline it: the function is weak meanwhile. What touches
 * memory is lent none, for nothing would say which. */
#include "request/collected.h"
#include "request/registrations.h"

static bool is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMIntegerTypeKind;
}

static bool is_of_numbers(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (!is_number(LLVMTypeOf(LLVMGetParam(function, i))))
      return false;
  return !LLVMIsFunctionVarArg(type) && is_number(LLVMGetReturnType(type));
}

static LLVMValueRef sum_of_floats(LLVMBuilderRef builder, LLVMValueRef function, LLVMTypeRef type) {
  LLVMValueRef sum = LLVMConstNull(type);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMIntegerTypeKind)
      continue;
    LLVMValueRef term = LLVMBuildFPCast(builder, parameter, type, "");
    sum = LLVMBuildFAdd(builder, sum, term, "");
  }
  return sum;
}

static void lend(NbContext *context, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  bool whole = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context->llvm, function, ""));
  LLVMBuildRet(builder, whole ? LLVMConstNull(type) : sum_of_floats(builder, function, type));
  LLVMDisposeBuilder(builder);
  LLVMSetLinkage(function, LLVMWeakAnyLinkage);
}

void nb_bodies_lend(NbContext *context) {
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(context->custom, i);
    NbCustom *custom = nb_map_get(context->custom, function);
    custom->bodyless = LLVMIsDeclaration(function) && is_of_numbers(function) &&
                       LLVMGetLinkage(function) == LLVMExternalLinkage;
    if (custom->bodyless)
      lend(context, function);
  }
}

void nb_bodies_take_back(NbContext *context) {
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(context->custom, i);
    const NbCustom *custom = nb_map_get(context->custom, function);
    if (!custom->bodyless)
      continue;
    LLVMDeleteBasicBlock(LLVMGetFirstBasicBlock(function));
    LLVMSetLinkage(function, LLVMExternalLinkage);
  }
}
