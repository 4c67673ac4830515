// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "request/collected.h"

#include "base/names.h"
#include "bridge/unwind.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* What is seen are functions with bodies, and the constants that lead to them. */
static void see(NbMap *seen, LLVMValueRef value) {
  bool declared = LLVMIsAFunction(value) && LLVMIsDeclaration(value);
  if (LLVMIsAConstant(value) && !declared && !nb_map_has(seen, value))
    nb_map_set(seen, value, value);
}

static void see_operands(NbMap *seen, LLVMValueRef user) {
  int count = LLVMGetNumOperands(user);
  for (int i = 0; i < count; i++)
    see(seen, LLVMGetOperand(user, (unsigned)i));
}

static void see_body(NbMap *seen, LLVMValueRef function) {
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      see_operands(seen, at);
}

NbList nb_reach(NbArena *arena, LLVMValueRef function) {
  NbMap *seen = nb_map_new(arena);
  NbList list = nb_list(arena);
  see(seen, function);
  for (unsigned i = 0; i < nb_map_count(seen); i++) {
    LLVMValueRef reached = nb_map_get(seen, nb_map_key(seen, i));
    if (!LLVMIsAFunction(reached)) {
      see_operands(seen, reached);
      continue;
    }
    nb_list_push(&list, reached);
    see_body(seen, reached);
  }
  return list;
}

static void calls_in(NbContext *context, LLVMValueRef function, NbList *list,
                     bool (*wanted)(NbArena *arena, LLVMValueRef callee)) {
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      LLVMValueRef callee = nb_callee(at);
      if (callee && LLVMIsDeclaration(callee) && wanted(context->arena, callee))
        nb_list_push(list, at);
    }
  }
}

NbList nb_calls_of(NbContext *context, bool (*wanted)(NbArena *arena, LLVMValueRef callee)) {
  NbList list = nb_list(context->arena);
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    calls_in(context, function, &list, wanted);
  return list;
}

LLVMTypeRef nb_call_operand_pointee(LLVMValueRef call, unsigned index, const char *kind) {
  unsigned id = LLVMGetEnumAttributeKindForName(kind, strlen(kind));
  LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, index + 1, id);
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

unsigned nb_call_function_index(LLVMValueRef call) {
  if (!LLVMGetNumArgOperands(call))
    return 0;
  return nb_call_operand_pointee(call, 0, "sret") ? 1 : 0;
}

static bool is_zero_extended(LLVMValueRef call, unsigned index) {
  static const char kind[] = "zeroext";
  unsigned id = LLVMGetEnumAttributeKindForName(kind, sizeof kind - 1);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, index));
  bool boolean = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
  return boolean || LLVMGetCallSiteEnumAttribute(call, index + 1, id);
}

/* A struct of small floats is a vector in registers of vectors, and behind the last one an integer.
 */
static bool is_in_integer(LLVMTypeRef from, LLVMTypeRef to) {
  if (LLVMGetTypeKind(from) != LLVMIntegerTypeKind || LLVMGetTypeKind(to) != LLVMVectorTypeKind)
    return false;
  LLVMTypeKind element = LLVMGetTypeKind(LLVMGetElementType(to));
  bool half = element == LLVMHalfTypeKind || element == LLVMBFloatTypeKind;
  unsigned bits = element == LLVMFloatTypeKind ? 32 : half ? 16 : 0;
  return bits && LLVMGetIntTypeWidth(from) == bits * LLVMGetVectorSize(to);
}

LLVMValueRef nb_call_converted(LLVMBuilderRef builder, LLVMValueRef call, unsigned operand,
                               LLVMTypeRef to) {
  LLVMValueRef value = LLVMGetOperand(call, operand);
  LLVMTypeRef from = LLVMTypeOf(value);
  if (from == to)
    return value;
  if (nb_type_is_real(from) && nb_type_is_real(to))
    return LLVMBuildFPCast(builder, value, to, "");
  bool integers =
      LLVMGetTypeKind(from) == LLVMIntegerTypeKind && LLVMGetTypeKind(to) == LLVMIntegerTypeKind;
  if (!integers)
    return is_in_integer(from, to) ? LLVMBuildBitCast(builder, value, to, "") : NULL;
  if (LLVMGetIntTypeWidth(to) == 1)
    return LLVMBuildICmp(builder, LLVMIntNE, value, LLVMConstNull(from), "");
  return LLVMBuildIntCast2(builder, value, to, !is_zero_extended(call, operand), "");
}

void nb_call_take_attributes(NbArena *arena, LLVMValueRef call, LLVMValueRef function) {
  for (unsigned i = 0; i <= LLVMCountParams(function); i++) {
    unsigned count = LLVMGetAttributeCountAtIndex(function, i);
    LLVMAttributeRef *list = NB_NEW_ARRAY(arena, LLVMAttributeRef, count + 1);
    LLVMGetAttributesAtIndex(function, i, list);
    for (unsigned k = 0; k < count; k++)
      LLVMAddCallSiteAttribute(call, i, list[k]);
  }
}

bool nb_is_idle(const NbContext *context, LLVMValueRef instruction) {
  const NbRule *rule =
      LLVMIsAIntrinsicInst(instruction) ? nb_rule_of_call(context, instruction, NULL) : NULL;
  return rule && rule->kind == NB_RULE_INACTIVE && rule->result == NB_TYPE_VOID &&
         rule->effect_count == 0 && !rule->once;
}

/* What a local variable is set to, where one store is all that writes it and its address goes
 * nowhere; NULL otherwise. */
static LLVMValueRef only_store(const NbContext *context, LLVMValueRef variable) {
  LLVMValueRef stored = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) || nb_is_idle(context, user))
      continue;
    bool sets = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable;
    if (!sets || stored || LLVMGetOperand(user, 0) == variable)
      return NULL;
    stored = LLVMGetOperand(user, 0);
  }
  return stored;
}

LLVMValueRef nb_loaded_value(const NbContext *context, LLVMValueRef load) {
  LLVMValueRef from = LLVMGetOperand(load, 0);
  if (LLVMIsAAllocaInst(from))
    return only_store(context, from);
  if (LLVMIsAGlobalVariable(from) && LLVMIsGlobalConstant(from))
    return LLVMGetInitializer(from);
  return NULL;
}

/* The constant that a function always returns, as the one does that turns a lambda into a pointer;
 * NULL where it does not. */
static LLVMValueRef constant_result(LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  bool body = callee && LLVMCountBasicBlocks(callee) == 1;
  LLVMValueRef last = body ? LLVMGetBasicBlockTerminator(LLVMGetFirstBasicBlock(callee)) : NULL;
  bool returns = last && LLVMIsAReturnInst(last) && LLVMGetNumOperands(last) == 1;
  LLVMValueRef value = returns ? LLVMGetOperand(last, 0) : NULL;
  return value && LLVMIsAConstant(value) ? value : NULL;
}

LLVMValueRef nb_resolve_function(const NbContext *context, LLVMValueRef value) {
  for (unsigned budget = 64; value && budget; budget--) {
    if (LLVMIsAFunction(value))
      return value;
    if (LLVMIsAGlobalAlias(value))
      value = LLVMAliasGetAliasee(value);
    else if (LLVMIsACastInst(value) || LLVMIsAConstantExpr(value))
      value = LLVMGetOperand(value, 0);
    else if (LLVMIsACallInst(value))
      value = constant_result(value);
    else
      value = LLVMIsALoadInst(value) ? nb_loaded_value(context, value) : NULL;
  }
  return NULL;
}

static bool is_called_in(LLVMValueRef function, unsigned attribute) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (nb_callee(call) != function)
      continue;
    LLVMValueRef around = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    if (LLVMGetEnumAttributeAtIndex(around, whole, attribute))
      return true;
  }
  return false;
}

bool nb_entries_need_inlining(LLVMModuleRef module) {
  static const char attribute[] = "alwaysinline";
  unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
  LLVMValueRef function = LLVMGetFirstFunction(module);
  for (; function; function = LLVMGetNextFunction(function))
    if (nb_entry_is_served(nb_entry_kind(nb_name(function), NULL)) && is_called_in(function, kind))
      return true;
  return false;
}

LLVMValueRef nb_declare(NbContext *context, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(context->module, name);
  return function ? function : LLVMAddFunction(context->module, name, type);
}

static void drop_edge(LLVMBasicBlockRef to, LLVMBasicBlockRef from) {
  LLVMValueRef at = LLVMGetFirstInstruction(to);
  while (at && LLVMIsAPHINode(at)) {
    LLVMValueRef next = LLVMGetNextInstruction(at);
    if (LLVMCountIncoming(at) > 1) {
      nb_phi_remove(at, from);
    } else {
      LLVMReplaceAllUsesWith(at, LLVMGetPoison(LLVMTypeOf(at)));
      LLVMInstructionEraseFromParent(at);
    }
    at = next;
  }
}

bool nb_is_request(LLVMValueRef callee) {
  return !strncmp(nb_name(callee), NB_REQUEST_PREFIX, strlen(NB_REQUEST_PREFIX));
}

static bool is_ours(LLVMValueRef callee) {
  return !strncmp(nb_name(callee), "nabla.", strlen("nabla.")) || nb_is_request(callee) ||
         nb_stands_in(callee);
}

/* The call that was written before the invoke, which does the work in its place. */
static LLVMValueRef find_replacement(LLVMValueRef invoke) {
  LLVMValueRef at = LLVMGetPreviousInstruction(invoke);
  while (at && !(LLVMIsACallInst(at) && nb_callee(at) && is_ours(nb_callee(at))))
    at = LLVMGetPreviousInstruction(at);
  return at && nb_call_may_throw(at) ? at : NULL;
}

static void go_on(LLVMValueRef invoke) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(invoke)));
  LLVMPositionBuilderBefore(builder, invoke);
  LLVMBuildBr(builder, LLVMGetNormalDest(invoke));
  LLVMDisposeBuilder(builder);
  LLVMValueRef replacement = find_replacement(invoke);
  LLVMBasicBlockRef unwound = LLVMGetUnwindDest(invoke);
  LLVMBasicBlockRef head = LLVMGetInstructionParent(invoke);
  if (!replacement) {
    drop_edge(unwound, head);
    return;
  }
  nb_call_becomes_invoke(replacement, unwound);
  nb_phis_redirect(unwound, LLVMGetInstructionParent(invoke), head);
}

void nb_call_replace(LLVMValueRef call, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(call);
  if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
    LLVMReplaceAllUsesWith(call, value ? value : LLVMGetPoison(type));
  if (LLVMIsAInvokeInst(call))
    go_on(call);
  LLVMInstructionEraseFromParent(call);
}

void nb_call_retire(NbContext *context, LLVMValueRef call) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef nothing = LLVMGetPoison(LLVMInt1TypeInContext(context->llvm));
  LLVMValueRef place = LLVMBuildFreeze(builder, nothing, "");
  LLVMDisposeBuilder(builder);
  LLVMInstructionSetDebugLoc(place, LLVMInstructionGetDebugLoc(call));
  for (NbRefusal *refusal = context->refusals; refusal; refusal = refusal->next) {
    if (refusal->where == call)
      refusal->where = place;
  }
  nb_call_replace(call, NULL);
}

/* The function that the request is about, or where it is not seen which one, all that the calling
 * function mentions. */
static LLVMValueRef root_of(LLVMValueRef request) {
  LLVMValueRef function = LLVMGetOperand(request, nb_call_function_index(request));
  return LLVMIsAFunction(function) ? function
                                   : LLVMGetBasicBlockParent(LLVMGetInstructionParent(request));
}

NbList nb_request_reach(const NbContext *context, const NbList *requests) {
  NbMap *seen = nb_map_new(context->arena);
  NbList all = nb_list(context->arena);
  for (unsigned i = 0; i < requests->count; i++) {
    LLVMValueRef root = root_of(requests->items[i]);
    NbList reached =
        nb_map_has(seen, root) ? nb_list(context->arena) : nb_reach(context->arena, root);
    for (unsigned k = 0; k < reached.count; k++) {
      LLVMValueRef function = reached.items[k];
      if (!nb_map_has(seen, function))
        nb_list_push(&all, function);
      nb_map_set(seen, function, function);
    }
  }
  return all;
}
