// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/fits.h"

#include <string.h>

static bool type_fits(NbType type, LLVMTypeRef actual) {
  LLVMTypeKind kind = LLVMGetTypeKind(actual);
  switch (type) {
  case NB_TYPE_VOID:
    return kind == LLVMVoidTypeKind;
  case NB_TYPE_REAL:
    return nb_is_float_kind(kind);
  case NB_TYPE_DOUBLE:
    return kind == LLVMDoubleTypeKind;
  case NB_TYPE_FLOAT:
    return kind == LLVMFloatTypeKind;
  case NB_TYPE_INT:
  case NB_TYPE_BOOL:
    return kind == LLVMIntegerTypeKind;
  case NB_TYPE_POINTER:
    return kind == LLVMPointerTypeKind;
  case NB_TYPE_ANY:
    return kind != LLVMVoidTypeKind;
  }
  return false;
}

/* Several results come as a struct, or, where the ABI puts two floats into one register, as a
 * vector. */
static bool members_fit(const NbRule *rule, LLVMTypeRef actual) {
  if (LLVMGetTypeKind(actual) == LLVMVectorTypeKind) {
    bool fits = LLVMGetVectorSize(actual) == rule->member_count;
    for (unsigned i = 0; i < rule->member_count; i++)
      fits = fits && type_fits(rule->members[i].type, LLVMGetElementType(actual));
    return fits;
  }
  bool fits = LLVMGetTypeKind(actual) == LLVMStructTypeKind &&
              LLVMCountStructElementTypes(actual) == rule->member_count;
  for (unsigned i = 0; fits && i < rule->member_count; i++)
    fits = type_fits(rule->members[i].type, LLVMStructGetTypeAtIndex(actual, i));
  return fits;
}

/* A library's function of vectors takes and returns vectors of so many lanes, and nothing else. */
static bool lanes_fit(const NbRule *rule, LLVMValueRef call, unsigned lanes) {
  LLVMTypeRef type = LLVMTypeOf(call);
  bool fits = LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) == lanes &&
              rule->result == NB_TYPE_REAL && !rule->effect_count &&
              type_fits(rule->result, LLVMGetElementType(type)) &&
              LLVMGetNumArgOperands(call) == rule->parameter_count;
  for (unsigned i = 0; fits && i < rule->parameter_count; i++)
    fits = rule->parameters[i].type == NB_TYPE_REAL && LLVMTypeOf(LLVMGetOperand(call, i)) == type;
  return fits;
}

/* The name may say of which format the row's numbers are; nexttoward takes a longer one, too. */
static bool format_fits(NbFormat format, LLVMTypeRef actual, bool is_result) {
  LLVMTypeKind kind = LLVMGetTypeKind(actual);
  if (format == NB_FORMAT_LONG)
    return kind != LLVMFloatTypeKind;
  if (format != NB_FORMAT_FLOAT && format != NB_FORMAT_DOUBLE)
    return true;
  bool other = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || is_result;
  return !other || kind == (format == NB_FORMAT_FLOAT ? LLVMFloatTypeKind : LLVMDoubleTypeKind);
}

static bool is_copied(LLVMValueRef callee, unsigned index) {
  return index < LLVMCountParams(callee) && nb_has_attribute_at(callee, index + 1, "byval");
}

static bool parameter_fits(NbType type, NbFormat format, LLVMValueRef call, unsigned index) {
  LLVMTypeRef actual = LLVMTypeOf(LLVMGetOperand(call, index));
  return type_fits(type, actual) && (type != NB_TYPE_REAL || format_fits(format, actual, false)) &&
         (type != NB_TYPE_POINTER || !is_copied(nb_callee(call), index));
}

static bool result_fits(const NbRule *rule, NbFormat format, LLVMTypeRef actual) {
  if (rule->member_count)
    return members_fit(rule, actual);
  return type_fits(rule->result, actual) &&
         (rule->result != NB_TYPE_REAL || format_fits(format, actual, true));
}

bool nb_rule_fits(const NbContext *context, const NbRule *rule, NbFormat format,
                  LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  const char *name = nb_known_name(callee);
  if (LLVMGetIntrinsicID(callee))
    return true;
  unsigned lanes = nb_rules_lanes(context->rules, name, strlen(name));
  if (lanes)
    return lanes_fit(rule, call, lanes);
  unsigned count = LLVMGetNumArgOperands(call);
  bool fits = rule->variadic ? count >= rule->parameter_count : count == rule->parameter_count;
  for (unsigned i = 0; fits && i < rule->parameter_count; i++)
    fits = parameter_fits(rule->parameters[i].type, format, call, i);
  return fits && result_fits(rule, format, LLVMTypeOf(call));
}
