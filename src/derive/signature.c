// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "derive/derive.h"
#include "emit/tangent.h"

typedef struct Types {
  LLVMTypeRef *items;
  unsigned count;
} Types;

static LLVMTypeRef result_of(const NbRequest *request) {
  return LLVMGetReturnType(LLVMGlobalGetValueType(request->function));
}

static bool is_void(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVoidTypeKind; }

unsigned nb_request_shadows(const NbRequest *request, unsigned index) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(request->function, index));
  if (!nb_role_has_shadow(request->roles[index]))
    return 0;
  return nb_type_has_pointer(type) ? request->width : 1;
}

unsigned nb_request_first_shadow(const NbRequest *request, unsigned index) {
  unsigned at = request->count;
  for (unsigned i = 0; i < index; i++)
    at += nb_request_shadows(request, i);
  return at;
}

/* The primal's parameters and the shadows, with room for three more. */
static Types parameters_of(NbContext *context, const NbRequest *request) {
  LLVMTypeRef primal = LLVMGlobalGetValueType(request->function);
  unsigned room = nb_request_first_shadow(request, request->count) + 3;
  Types types = {NB_NEW_ARRAY(context->arena, LLVMTypeRef, room), request->count};
  LLVMGetParamTypes(primal, types.items);
  for (unsigned i = 0; i < request->count; i++) {
    bool pointer = nb_type_has_pointer(types.items[i]);
    for (unsigned k = 0; k < nb_request_shadows(request, i); k++)
      types.items[types.count++] =
          pointer ? types.items[i] : nb_tangent_type(types.items[i], request->width);
  }
  return types;
}

static LLVMTypeRef struct_or_void(NbContext *context, Types types) {
  if (types.count == 0)
    return LLVMVoidTypeInContext(context->llvm);
  return LLVMStructTypeInContext(context->llvm, types.items, types.count, false);
}

static LLVMTypeRef adjoint_of_result(const NbRequest *request) {
  return nb_tangent_type(result_of(request), request->width);
}

/* The result and its tangent. */
static LLVMTypeRef pair_of(NbContext *context, const NbRequest *request) {
  LLVMTypeRef pair[] = {result_of(request), adjoint_of_result(request)};
  return struct_or_void(context, (Types){pair, 2});
}

static Types adjoints_of(NbContext *context, const NbRequest *request) {
  LLVMTypeRef primal = LLVMGlobalGetValueType(request->function);
  Types all = {NB_NEW_ARRAY(context->arena, LLVMTypeRef, request->count + 1), 0};
  Types out = {NB_NEW_ARRAY(context->arena, LLVMTypeRef, request->count + 1), 0};
  LLVMGetParamTypes(primal, all.items);
  for (unsigned i = 0; i < request->count; i++)
    if (request->roles[i] == NB_ROLE_OUT)
      out.items[out.count++] = nb_tangent_type(all.items[i], request->width);
  return out;
}

static LLVMTypeRef function_type(LLVMTypeRef result, Types types) {
  return LLVMFunctionType(result, types.items, types.count, false);
}

/* The tape, and the queue that holds what has no place in it. */
static void add_record(NbContext *context, Types *types) {
  for (unsigned i = 0; i < 2; i++)
    types->items[types->count++] = LLVMPointerTypeInContext(context->llvm, 0);
}

LLVMTypeRef nb_type_forward(NbContext *context, const NbRequest *request) {
  LLVMTypeRef result = result_of(request);
  Types types = parameters_of(context, request);
  if (request->replayed)
    add_record(context, &types);
  if (nb_result_has_shadow(request->result))
    result = pair_of(context, request);
  return function_type(result, types);
}

LLVMTypeRef nb_type_recorded(NbContext *context, const NbRequest *request) {
  Types types = parameters_of(context, request);
  types.count = request->count;
  add_record(context, &types);
  return function_type(result_of(request), types);
}

LLVMTypeRef nb_type_augmented(NbContext *context, const NbRequest *request) {
  Types types = parameters_of(context, request);
  LLVMTypeRef result = result_of(request);
  types.items[types.count++] = LLVMPointerTypeInContext(context->llvm, 0);
  if (context->max_tape)
    types.items[types.count++] = LLVMPointerTypeInContext(context->llvm, 0);
  if (nb_result_has_shadow(request->result))
    result = pair_of(context, request);
  return function_type(result, types);
}

LLVMTypeRef nb_type_work(NbContext *context, const NbRequest *request) {
  bool reverse = request->mode == NB_MODE_REVERSE;
  LLVMTypeRef like =
      reverse ? nb_type_augmented(context, request) : nb_type_forward(context, request);
  unsigned count = LLVMCountParamTypes(like);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  LLVMGetParamTypes(like, types);
  return function_type(result_of(request), (Types){types, count});
}

bool nb_request_releases(const NbRequest *request) {
  for (unsigned i = 0; request->regions && i < request->region_count; i++)
    if (request->regions[i].flags & NB_REGION_RELEASED)
      return true;
  return false;
}

LLVMTypeRef nb_type_reverse(NbContext *context, const NbRequest *request) {
  Types types = parameters_of(context, request);
  if (nb_result_has_adjoint(request->result))
    types.items[types.count++] = adjoint_of_result(request);
  types.items[types.count++] = LLVMPointerTypeInContext(context->llvm, 0);
  if (nb_request_releases(request))
    types.items[types.count++] = LLVMPointerTypeInContext(context->llvm, 0);
  return function_type(struct_or_void(context, adjoints_of(context, request)), types);
}

LLVMTypeRef nb_type_combined(NbContext *context, const NbRequest *request, bool primal) {
  Types types = parameters_of(context, request);
  Types adjoints = adjoints_of(context, request);
  Types results = {NB_NEW_ARRAY(context->arena, LLVMTypeRef, adjoints.count + 1), 0};
  if (nb_result_has_adjoint(request->result))
    types.items[types.count++] = adjoint_of_result(request);
  if (primal && !is_void(result_of(request)))
    results.items[results.count++] = result_of(request);
  for (unsigned i = 0; i < adjoints.count; i++)
    results.items[results.count++] = adjoints.items[i];
  return function_type(struct_or_void(context, results), types);
}

/* --- For debuggers --------------------------------------------------------------------------- */

/* Of several shadows of a parameter, the first has a name. */
void nb_derive_debug(const NbRequest *request, LLVMValueRef function, const char *part) {
  nb_debug_adopt(function, request->function, part);
  for (unsigned i = 0; i < request->count; i++) {
    nb_debug_parameter(function, i, request->function, i, "");
    if (nb_request_shadows(request, i))
      nb_debug_parameter(function, nb_request_first_shadow(request, i), request->function, i, "d_");
  }
}
