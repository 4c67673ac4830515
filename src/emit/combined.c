// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The combined derivative: the augmented forward, then the reverse, with a tape on the stack. */
#include "emit/emit.h"

typedef struct Call {
  LLVMValueRef *arguments;
  unsigned count;
} Call;

static Call pass_parameters(NbContext *context, const NbDerivative *derivative,
                            LLVMValueRef combined) {
  Call call = {NULL, nb_emit_tape_index(&derivative->request)};
  call.arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, call.count + 2);
  for (unsigned i = 0; i < call.count; i++)
    call.arguments[i] = LLVMGetParam(combined, i);
  return call;
}

static LLVMValueRef build_call(LLVMBuilderRef builder, LLVMValueRef function, Call call) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  return LLVMBuildCall2(builder, type, function, call.arguments, call.count, "");
}

static bool is_void(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVoidTypeKind;
}

static void build_return(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef primal,
                         LLVMValueRef adjoints) {
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
    LLVMBuildRetVoid(builder);
    return;
  }
  LLVMValueRef result = LLVMGetPoison(type);
  unsigned next = 0;
  if (primal)
    result = LLVMBuildInsertValue(builder, result, primal, next++, "");
  unsigned count = is_void(adjoints) ? 0 : LLVMCountStructElementTypes(LLVMTypeOf(adjoints));
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef adjoint = LLVMBuildExtractValue(builder, adjoints, i, "");
    result = LLVMBuildInsertValue(builder, result, adjoint, next++, "");
  }
  LLVMBuildRet(builder, result);
}

/* What all tapes of this run together may take. */
static LLVMValueRef build_budget(NbContext *context, LLVMBuilderRef builder) {
  LLVMTypeRef type = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef budget = LLVMBuildAlloca(builder, type, "budget");
  LLVMBuildStore(builder, LLVMConstInt(type, context->max_tape, false), budget);
  return budget;
}

void nb_emit_combined(NbContext *context, const NbDerivative *derivative, LLVMValueRef combined,
                      bool wants_primal) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder,
                           LLVMAppendBasicBlockInContext(context->llvm, combined, "entry"));
  LLVMValueRef tape = derivative->tape ? LLVMBuildAlloca(builder, derivative->tape, "tape")
                                       : LLVMConstNull(LLVMPointerTypeInContext(context->llvm, 0));
  Call forward = pass_parameters(context, derivative, combined);
  Call back = pass_parameters(context, derivative, combined);
  forward.arguments[forward.count++] = tape;
  if (context->max_tape)
    forward.arguments[forward.count++] = build_budget(context, builder);
  LLVMValueRef primal = build_call(builder, derivative->augmented, forward);
  if (nb_result_has_shadow(derivative->request.result))
    primal = LLVMBuildExtractValue(builder, primal, 0, "");
  if (nb_result_has_adjoint(derivative->request.result)) {
    back.arguments[back.count] = LLVMGetParam(combined, back.count);
    back.count++;
  }
  back.arguments[back.count++] = tape;
  LLVMValueRef adjoints = build_call(builder, derivative->reverse, back);
  bool returned = wants_primal && !is_void(primal);
  build_return(builder, LLVMGetReturnType(LLVMGlobalGetValueType(combined)),
               returned ? primal : NULL, adjoints);
  LLVMDisposeBuilder(builder);
}
