// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/masks.h"

#include "emit/tangent.h"

LLVMValueRef nb_masks_all(LLVMTypeRef type) {
  return LLVMConstBitCast(LLVMConstAllOnes(nb_tangent_bits(type)), type);
}

LLVMValueRef nb_masks_join(LLVMBuilderRef builder, LLVMValueRef left, LLVMValueRef right) {
  LLVMTypeRef type = LLVMTypeOf(left), bits = nb_tangent_bits(type);
  left = LLVMBuildBitCast(builder, left, bits, "");
  right = LLVMBuildBitCast(builder, right, bits, "");
  LLVMValueRef both = LLVMBuildOr(builder, left, right, "");
  return LLVMBuildBitCast(builder, both, type, "");
}

/* All bits where one of those that go is set, or the highest of those that stay. */
static LLVMValueRef narrow(LLVMBuilderRef builder, LLVMValueRef wide, LLVMTypeRef bits) {
  LLVMValueRef kept = LLVMBuildTrunc(builder, wide, bits, "");
  LLVMValueRef again = LLVMBuildZExt(builder, kept, LLVMTypeOf(wide), "");
  LLVMValueRef lost = LLVMBuildICmp(builder, LLVMIntNE, again, wide, "");
  LLVMValueRef full = LLVMBuildICmp(builder, LLVMIntSLT, kept, LLVMConstNull(bits), "");
  LLVMValueRef all = LLVMBuildOr(builder, lost, full, "");
  return LLVMBuildSelect(builder, all, LLVMConstAllOnes(bits), kept, "");
}

LLVMValueRef nb_masks_cast(LLVMBuilderRef builder, LLVMValueRef mask, LLVMTypeRef type) {
  LLVMTypeRef from = nb_tangent_bits(LLVMTypeOf(mask)), to = nb_tangent_bits(type);
  unsigned old = LLVMGetIntTypeWidth(nb_scalar_type(from));
  unsigned new = LLVMGetIntTypeWidth(nb_scalar_type(to));
  LLVMValueRef bits = LLVMBuildBitCast(builder, mask, from, "");
  if (new < old)
    bits = narrow(builder, bits, to);
  else if (new > old)
    bits = LLVMBuildSExt(builder, bits, to, "");
  return LLVMBuildBitCast(builder, bits, type, "");
}

/* --- Choices ---------------------------------------------------------------------------------- */

static bool is_zero(LLVMValueRef value) { return nb_is_constant(value) && LLVMIsNull(value); }

/* Only what a rule wrote is looked at: what the program chooses is a value like any other. */
NbMaskChoice nb_masks_choice(const NbLinear *linear, const NbSource *source) {
  LLVMValueRef coefficient = source->coefficient;
  NbMaskChoice choice = {.never = !source->value || (coefficient && is_zero(coefficient))};
  if (choice.never || !coefficient || !LLVMIsASelectInst(coefficient) ||
      nb_map_has(linear->following, coefficient))
    return choice;
  LLVMValueRef yes = LLVMGetOperand(coefficient, 1), no = LLVMGetOperand(coefficient, 2);
  bool constant = nb_is_constant(yes) && nb_is_constant(no);
  if (constant && is_zero(yes) != is_zero(no)) {
    choice.decision = LLVMGetOperand(coefficient, 0);
    choice.where_false = is_zero(yes);
  }
  return choice;
}

/* --- Derivatives of the user's ---------------------------------------------------------------- */

static bool is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool plain = kind != LLVMVectorTypeKind && kind != LLVMStructTypeKind &&
               kind != LLVMArrayTypeKind && kind != LLVMVoidTypeKind;
  return plain && nb_type_has_float(type);
}

static LLVMTypeRef result_type(const NbRequest *request) {
  return LLVMGetReturnType(LLVMGlobalGetValueType(request->function));
}

static bool takes_numbers(const NbRequest *request) {
  for (unsigned i = 0; i < request->count; i++)
    if (nb_role_has_shadow(request->roles[i]) &&
        !is_number(LLVMTypeOf(LLVMGetParam(request->function, i))))
      return false;
  return request->result == NB_ROLE_CONST || is_number(result_type(request));
}

static LLVMValueRef call_primal(NbContext *context, LLVMBuilderRef builder,
                                const NbDerivative *derivative) {
  LLVMValueRef function = derivative->request.function;
  unsigned count = derivative->request.count;
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetParam(derivative->forward, i);
  LLVMValueRef call =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
  return call;
}

/* Of the result: all that there is in the masks of the arguments. */
static LLVMValueRef join_arguments(LLVMBuilderRef builder, const NbDerivative *derivative) {
  const NbRequest *request = &derivative->request;
  LLVMTypeRef type = nb_tangent_type(result_type(request), request->width);
  LLVMValueRef all = LLVMConstNull(type);
  unsigned next = request->count;
  for (unsigned i = 0; i < request->count; i++) {
    if (!nb_role_has_shadow(request->roles[i]))
      continue;
    LLVMValueRef mask = LLVMGetParam(derivative->forward, next);
    LLVMValueRef cast = nb_masks_cast(builder, mask, type);
    all = nb_masks_join(builder, all, cast);
    next += nb_request_shadows(request, i);
  }
  return all;
}

static void build_return(LLVMBuilderRef builder, const NbDerivative *derivative,
                         LLVMValueRef result) {
  if (derivative->request.result == NB_ROLE_CONST) {
    bool none = LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVoidTypeKind;
    none ? LLVMBuildRetVoid(builder) : LLVMBuildRet(builder, result);
    return;
  }
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(derivative->forward));
  LLVMValueRef mask = join_arguments(builder, derivative);
  LLVMValueRef both = LLVMBuildInsertValue(builder, LLVMGetPoison(type), result, 0, "");
  LLVMBuildRet(builder, LLVMBuildInsertValue(builder, both, mask, 1, ""));
}

bool nb_masks_emit_custom(NbContext *context, NbDerivative *derivative) {
  LLVMValueRef function = derivative->request.function;
  if (!takes_numbers(&derivative->request))
    return nb_refuse(context, NB_ERROR_SPARSITY, function,
                     "a derivative is registered for '%s', which takes or returns more than "
                     "numbers: which of them depends on which cannot be read off it",
                     nb_shown_name(context, function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context->llvm, derivative->forward, "");
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMValueRef result = call_primal(context, builder, derivative);
  build_return(builder, derivative, result);
  LLVMDisposeBuilder(builder);
  return true;
}
