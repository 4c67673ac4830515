// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of the user's in several directions at once: what the user wrote for one of them is
 * called for each. So it may only take and return numbers, for memory would be changed by each of
 * the calls; and its tape is no memory that the first of them gives back. */
#include "emit/custom.h"
#include "emit/tangent.h"

typedef struct Wide {
  NbContext *context;
  const NbRequest *request;
  LLVMBuilderRef builder;
  LLVMValueRef own, single; /* the function that is written; that for one direction */
} Wide;

static LLVMTypeRef result_of(const NbRequest *request) {
  return LLVMGetReturnType(LLVMGlobalGetValueType(request->function));
}

static bool takes_numbers(const NbRequest *request) {
  LLVMTypeRef result = result_of(request);
  bool numbers = LLVMGetTypeKind(result) != LLVMVoidTypeKind && !nb_type_has_pointer(result);
  for (unsigned i = 0; i < request->count; i++)
    numbers = numbers && !nb_type_has_pointer(LLVMTypeOf(LLVMGetParam(request->function, i)));
  return numbers;
}

/* What is a tangent among the parameters has another type there. */
static LLVMValueRef call_in(const Wide *wide, unsigned lane) {
  unsigned count = LLVMCountParams(wide->own);
  LLVMValueRef *arguments = NB_NEW_ARRAY(wide->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(wide->single, i));
    arguments[i] = LLVMGetParam(wide->own, i);
    if (LLVMTypeOf(arguments[i]) != type)
      arguments[i] = nb_tangent_lane(wide->builder, arguments[i], type, wide->request->width, lane);
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(wide->single);
  return LLVMBuildCall2(wide->builder, type, wide->single, arguments, count, "");
}

/* Member by member: what is the same in all directions, else that of each. */
static LLVMValueRef join(const Wide *wide, const LLVMValueRef *results, LLVMTypeRef type) {
  unsigned width = wide->request->width;
  LLVMValueRef *lanes = NB_NEW_ARRAY(wide->context->arena, LLVMValueRef, width);
  LLVMValueRef whole = LLVMGetPoison(type);
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
    for (unsigned lane = 0; lane < width; lane++)
      lanes[lane] = LLVMBuildExtractValue(wide->builder, results[lane], i, "");
    LLVMTypeRef one = LLVMTypeOf(lanes[0]);
    LLVMValueRef part = LLVMStructGetTypeAtIndex(type, i) == one
                            ? lanes[0]
                            : nb_tangent_of_lanes(wide->builder, one, width, lanes);
    whole = LLVMBuildInsertValue(wide->builder, whole, part, i, "");
  }
  return whole;
}

static void write(Wide wide, LLVMValueRef own, LLVMValueRef single) {
  wide.own = own;
  wide.single = single;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(own));
  bool same = type == LLVMGetReturnType(LLVMGlobalGetValueType(single));
  unsigned count = same ? 1 : wide.request->width;
  LLVMValueRef *results = NB_NEW_ARRAY(wide.context->arena, LLVMValueRef, count);
  LLVMPositionBuilderAtEnd(wide.builder,
                           LLVMAppendBasicBlockInContext(wide.context->llvm, own, "entry"));
  for (unsigned lane = 0; lane < count; lane++)
    results[lane] = call_in(&wide, lane);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(wide.builder);
  else
    LLVMBuildRet(wide.builder, same ? results[0] : join(&wide, results, type));
}

static bool refuse(NbContext *context, const NbRequest *request, const char *reason) {
  return nb_refuse(context, NB_ERROR_CUSTOM_RULE, request->function,
                   "a derivative is registered for '%s' in one direction, and several are asked "
                   "for at once, but %s",
                   nb_user_name(context, request->function), reason);
}

bool nb_emit_custom_wide(NbContext *context, NbDerivative *derivative) {
  const NbRequest *request = &derivative->request;
  if (!takes_numbers(request))
    return refuse(context, request, "it takes or returns more than numbers");
  NbRequest one = *request;
  one.width = 1;
  one.top = false;
  NbDerivative *single = nb_derivative_of(context, &one);
  if (!single)
    return false;
  if (single->tape && nb_type_has_pointer(single->tape))
    return refuse(context, request, "its tape is memory, which the first of them may give back");
  derivative->tape = single->tape;
  Wide wide = {context, request, LLVMCreateBuilderInContext(context->llvm), NULL, NULL};
  if (derivative->forward)
    write(wide, derivative->forward, single->forward);
  if (derivative->augmented)
    write(wide, derivative->augmented, single->augmented);
  if (derivative->reverse)
    write(wide, derivative->reverse, single->reverse);
  if (derivative->reverse_again)
    write(wide, derivative->reverse_again, single->reverse_again);
  LLVMDisposeBuilder(wide.builder);
  return true;
}
