// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a derivative returns is a list of values; what the call expects is a C type as the ABI has
 * coerced it: a struct of two floats is a vector, a big one lies in memory. Both are laid out as
 * memory, and agree where each value lies where the expected type has a value of that type, or an
 * integer that covers it. */
#include "request/layout.h"
#include "request/serving.h"

static LLVMTypeRef type_of_fields(const NbServing *serving, const NbList *fields) {
  LLVMTypeRef *types = NB_NEW_ARRAY(serving->context->arena, LLVMTypeRef, fields->count + 1);
  for (unsigned i = 0; i < fields->count; i++)
    types[i] = LLVMTypeOf(fields->items[i]);
  return LLVMStructTypeInContext(serving->context->llvm, types, fields->count, false);
}

static void store_fields(const NbServing *serving, const NbList *fields, LLVMTypeRef type,
                         LLVMValueRef memory) {
  for (unsigned i = 0; i < fields->count; i++) {
    LLVMValueRef at = LLVMBuildStructGEP2(serving->builder, type, memory, i, "");
    LLVMBuildStore(serving->builder, fields->items[i], at);
  }
}

/* The optimiser turns this into register moves. */
LLVMValueRef nb_serving_through_memory(NbServing *serving, const NbList *fields,
                                       LLVMTypeRef expected) {
  LLVMTypeRef type = type_of_fields(serving, fields);
  LLVMTargetDataRef layout = serving->context->layout;
  bool wider = LLVMABISizeOfType(layout, type) > LLVMABISizeOfType(layout, expected);
  LLVMValueRef memory = nb_serving_local(serving, wider ? type : expected);
  unsigned alignment = LLVMABIAlignmentOfType(layout, type);
  if (alignment > LLVMGetAlignment(memory))
    LLVMSetAlignment(memory, alignment);
  store_fields(serving, fields, type, memory);
  return LLVMBuildLoad2(serving->builder, expected, memory, "");
}

static LLVMValueRef as_struct(const NbServing *serving, const NbList *fields, LLVMTypeRef type) {
  LLVMValueRef value = LLVMGetPoison(type);
  for (unsigned i = 0; i < fields->count; i++)
    value = LLVMBuildInsertValue(serving->builder, value, fields->items[i], i, "");
  return value;
}

static bool refuse_nothing(const NbServing *serving) {
  return nb_refuse(serving->context, NB_ERROR_WRONG_RESULT, serving->call,
                   "the call expects a result, but this derivative of '%s' returns none",
                   nb_shown_name(serving->context, serving->function));
}

static bool refuse_type(const NbServing *serving, LLVMTypeRef given, LLVMTypeRef expected) {
  NbArena *arena = serving->context->arena;
  return nb_refuse(serving->context, NB_ERROR_WRONG_RESULT, serving->call,
                   "this derivative of '%s' returns '%s', but the call expects '%s'",
                   nb_shown_name(serving->context, serving->function), nb_type_text(arena, given),
                   nb_type_text(arena, expected));
}

static bool deliver_in_memory(const NbServing *serving, const NbList *fields) {
  LLVMTypeRef given = type_of_fields(serving, fields);
  if (!fields->count)
    return refuse_nothing(serving);
  if (!nb_layout_agrees(serving->context, given, serving->memory_type))
    return refuse_type(serving, given, serving->memory_type);
  store_fields(serving, fields, given, serving->memory);
  return true;
}

bool nb_serving_deliver(NbServing *serving, const NbList *fields, LLVMValueRef *value) {
  *value = NULL;
  if (serving->memory)
    return deliver_in_memory(serving, fields);
  LLVMTypeRef expected = LLVMTypeOf(serving->call);
  if (!LLVMGetFirstUse(serving->call))
    return true;
  if (!fields->count)
    return refuse_nothing(serving);
  LLVMValueRef only = fields->count == 1 ? fields->items[0] : NULL;
  if (only && nb_type_is_real(LLVMTypeOf(only)) && nb_type_is_real(expected)) {
    *value = LLVMBuildFPCast(serving->builder, only, expected, "");
    return true;
  }
  LLVMTypeRef given = only ? LLVMTypeOf(only) : type_of_fields(serving, fields);
  if (!nb_layout_agrees_but(serving->context, given, expected, serving->call))
    return refuse_type(serving, given, expected);
  if (given == expected)
    *value = only ? only : as_struct(serving, fields, given);
  else
    *value = nb_serving_through_memory(serving, fields, expected);
  return true;
}
