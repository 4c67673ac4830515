// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How many bytes variables have, and what is allocated. */
#include "objects/graph.h"

static uint64_t if_small(uint64_t value) { return value <= INT32_MAX ? value : NB_UNKNOWN_SIZE; }

/* What an expression of a row makes of the call's arguments; NB_UNKNOWN_SIZE where that is not
 * known or large. */
static uint64_t value_of(LLVMValueRef call, const NbExpr *expression) {
  if (expression->kind == NB_EXPR_PARAMETER) {
    LLVMValueRef argument = LLVMGetOperand(call, expression->index);
    return LLVMIsAConstantInt(argument) ? if_small(LLVMConstIntGetZExtValue(argument))
                                        : NB_UNKNOWN_SIZE;
  }
  if (expression->kind == NB_EXPR_CONVERT)
    return value_of(call, expression->operands[0]);
  if (expression->kind != NB_EXPR_MULTIPLY)
    return NB_UNKNOWN_SIZE;
  uint64_t left = value_of(call, expression->operands[0]);
  uint64_t right = value_of(call, expression->operands[1]);
  bool known = left != NB_UNKNOWN_SIZE && right != NB_UNKNOWN_SIZE;
  return known ? if_small(left * right) : NB_UNKNOWN_SIZE;
}

static uint64_t bytes_of_allocated(NbContext *context, LLVMValueRef call) {
  const NbRule *rule = LLVMIsACallInst(call) ? nb_rule_of_call(context, call, NULL) : NULL;
  bool known = rule && rule->kind == NB_RULE_ALLOCATE && rule->extent;
  return known ? value_of(call, rule->extent) : NB_UNKNOWN_SIZE;
}

/* The bytes of a variable of the module's own, which no other module makes longer. */
static uint64_t bytes_of_global(const NbContext *context, LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  bool own = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
             linkage == LLVMExternalLinkage;
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  bool known = own && LLVMGetInitializer(global) && LLVMTypeIsSized(type);
  return known ? if_small(LLVMABISizeOfType(context->layout, type)) : NB_UNKNOWN_SIZE;
}

static uint64_t bytes_of_local(const NbContext *context, LLVMValueRef local) {
  if (!LLVMIsAConstantInt(LLVMGetOperand(local, 0)))
    return NB_UNKNOWN_SIZE;
  LLVMTypeRef type = LLVMGetAllocatedType(local);
  uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0));
  if (LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind || count > INT32_MAX)
    return NB_UNKNOWN_SIZE;
  return count * LLVMABISizeOfType(context->layout, type);
}

uint64_t nb_object_bytes(NbContext *context, LLVMValueRef object) {
  if (LLVMIsAAllocaInst(object))
    return bytes_of_local(context, object);
  if (LLVMIsAGlobalVariable(object))
    return bytes_of_global(context, object);
  return bytes_of_allocated(context, object);
}

uint64_t nb_call_promised_bytes(LLVMValueRef call, unsigned argument) {
  static const char name[] = "dereferenceable";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef promise = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
  return promise ? LLVMGetEnumAttributeValue(promise) : 0;
}
