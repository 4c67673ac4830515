// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "derive/derive.h"

typedef struct Types {
  LLVMTypeRef *items;
  unsigned count;
} Types;

static LLVMTypeRef result_of(const NbRequest *request) {
  return LLVMGetReturnType(LLVMGlobalGetValueType(request->function));
}

static bool is_void(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVoidTypeKind; }

/* The primal's parameters and the shadows, with room for two more. */
static Types parameters_of(NbContext *context, const NbRequest *request) {
  LLVMTypeRef primal = LLVMGlobalGetValueType(request->function);
  Types types = {NB_NEW_ARRAY(context->arena, LLVMTypeRef, 2 * request->count + 2), request->count};
  LLVMGetParamTypes(primal, types.items);
  for (unsigned i = 0; i < request->count; i++)
    if (nb_role_has_shadow(request->roles[i]))
      types.items[types.count++] = types.items[i];
  return types;
}

static LLVMTypeRef struct_or_void(NbContext *context, Types types) {
  if (types.count == 0)
    return LLVMVoidTypeInContext(context->llvm);
  return LLVMStructTypeInContext(context->llvm, types.items, types.count, false);
}

static LLVMTypeRef pair_of(NbContext *context, LLVMTypeRef type) {
  LLVMTypeRef pair[] = {type, type};
  return struct_or_void(context, (Types){pair, 2});
}

static Types adjoints_of(NbContext *context, const NbRequest *request) {
  LLVMTypeRef primal = LLVMGlobalGetValueType(request->function);
  Types all = {NB_NEW_ARRAY(context->arena, LLVMTypeRef, request->count + 1), 0};
  Types out = {NB_NEW_ARRAY(context->arena, LLVMTypeRef, request->count + 1), 0};
  LLVMGetParamTypes(primal, all.items);
  for (unsigned i = 0; i < request->count; i++)
    if (request->roles[i] == NB_ROLE_OUT)
      out.items[out.count++] = all.items[i];
  return out;
}

static LLVMTypeRef function_type(LLVMTypeRef result, Types types) {
  return LLVMFunctionType(result, types.items, types.count, false);
}

LLVMTypeRef nb_type_forward(NbContext *context, const NbRequest *request) {
  LLVMTypeRef result = result_of(request);
  if (nb_result_has_shadow(request->result))
    result = pair_of(context, result);
  return function_type(result, parameters_of(context, request));
}

LLVMTypeRef nb_type_augmented(NbContext *context, const NbRequest *request) {
  Types types = parameters_of(context, request);
  LLVMTypeRef result = result_of(request);
  types.items[types.count++] = LLVMPointerTypeInContext(context->llvm, 0);
  if (context->max_tape)
    types.items[types.count++] = LLVMPointerTypeInContext(context->llvm, 0);
  if (nb_result_has_shadow(request->result))
    result = pair_of(context, result);
  return function_type(result, types);
}

LLVMTypeRef nb_type_reverse(NbContext *context, const NbRequest *request) {
  Types types = parameters_of(context, request);
  if (nb_result_has_adjoint(request->result))
    types.items[types.count++] = result_of(request);
  types.items[types.count++] = LLVMPointerTypeInContext(context->llvm, 0);
  return function_type(struct_or_void(context, adjoints_of(context, request)), types);
}

LLVMTypeRef nb_type_combined(NbContext *context, const NbRequest *request, bool primal) {
  Types types = parameters_of(context, request);
  Types adjoints = adjoints_of(context, request);
  Types results = {NB_NEW_ARRAY(context->arena, LLVMTypeRef, adjoints.count + 1), 0};
  if (nb_result_has_adjoint(request->result))
    types.items[types.count++] = result_of(request);
  if (primal && !is_void(result_of(request)))
    results.items[results.count++] = result_of(request);
  for (unsigned i = 0; i < adjoints.count; i++)
    results.items[results.count++] = adjoints.items[i];
  return function_type(struct_or_void(context, results), types);
}
