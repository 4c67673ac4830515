// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/lengths.h"

#include "models/models.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define NAME_PREFIX "nabla.lengths."

enum { NARROW = 32, WIDE = 64 };

static bool is_character(LLVMValueRef model, unsigned index) {
  static const char name[] = "dereferenceable";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef told = LLVMGetEnumAttributeAtIndex(model, index + 1, kind);
  return told && LLVMGetEnumAttributeValue(told) == 1;
}

unsigned nb_lengths_count(LLVMValueRef model) {
  unsigned count = 0;
  for (unsigned i = 0; i < LLVMCountParams(model); i++)
    count += is_character(model, i);
  return count;
}

static bool is_length(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
         (LLVMGetIntTypeWidth(type) == NARROW || LLVMGetIntTypeWidth(type) == WIDE);
}

/* The types of the parameters of `type`, and `more` times `last`. */
static LLVMTypeRef *parameters_of(const NbContext *context, LLVMTypeRef type, unsigned more,
                                  LLVMTypeRef last) {
  unsigned count = LLVMCountParamTypes(type);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + more + 1);
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < more; i++)
    types[count + i] = last;
  return types;
}

bool nb_lengths_fit(const LLVMTypeRef *types, unsigned count, LLVMValueRef model) {
  bool fit = count && count == nb_lengths_count(model);
  for (unsigned i = 0; fit && i < count; i++)
    fit = is_length(types[i]) && types[i] == types[0];
  return fit;
}

/* The type of the lengths that the call passes to the library's function; NULL where it passes
 * none. */
static LLVMTypeRef lengths_of(const NbContext *context, LLVMValueRef call, LLVMValueRef model) {
  LLVMTypeRef given = LLVMGetCalledFunctionType(call), own = LLVMGlobalGetValueType(model);
  unsigned count = LLVMCountParamTypes(own), all = LLVMCountParamTypes(given);
  if (all <= count || LLVMGetReturnType(given) != LLVMGetReturnType(own))
    return NULL;
  const LLVMTypeRef *types = parameters_of(context, given, 0, NULL);
  return nb_lengths_fit(types + count, all - count, model) ? types[count] : NULL;
}

/* --- Functions that take lengths ---------------------------------------------------------------
 */

static void copy_attributes(const NbContext *context, LLVMValueRef target, LLVMValueRef source) {
  for (unsigned i = 0; i <= LLVMCountParams(source) + 1; i++) {
    LLVMAttributeIndex index = i ? i - 1 : (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned count = LLVMGetAttributeCountAtIndex(source, index);
    LLVMAttributeRef *told = NB_NEW_ARRAY(context->arena, LLVMAttributeRef, count + 1);
    LLVMGetAttributesAtIndex(source, index, told);
    for (unsigned at = 0; at < count; at++)
      LLVMAddAttributeAtIndex(target, index, told[at]);
  }
}

static void write_body(const NbContext *context, LLVMValueRef taker, LLVMValueRef model) {
  unsigned count = LLVMCountParams(model);
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetParam(taker, i);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context->llvm, taker, ""));
  LLVMTypeRef type = LLVMGlobalGetValueType(model);
  LLVMValueRef result = LLVMBuildCall2(builder, type, model, arguments, count, "");
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, result);
  LLVMDisposeBuilder(builder);
}

/* What is made for the calls of the module. */
typedef struct Takers {
  NbContext *context;
  const NbList *functions;
  NbList *made, *names;
  LLVMTypeRef length; /* the widest that calls pass */
} Takers;

/* The function that takes the model's arguments and such lengths. */
static LLVMValueRef taker_of(Takers *takers, LLVMValueRef model, LLVMTypeRef length) {
  NbContext *context = takers->context;
  const char *name = nb_arena_print(context->arena, NAME_PREFIX "%s.%u", nb_name(model),
                                    LLVMGetIntTypeWidth(length));
  LLVMValueRef taker = LLVMGetNamedFunction(context->module, name);
  if (taker)
    return taker;
  LLVMTypeRef own = LLVMGlobalGetValueType(model);
  unsigned more = nb_lengths_count(model);
  LLVMTypeRef *types = parameters_of(context, own, more, length);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMGetReturnType(own), types, LLVMCountParamTypes(own) + more, false);
  taker = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(taker, LLVMInternalLinkage);
  copy_attributes(context, taker, model);
  write_body(context, taker, model);
  const char *library = nb_name(model);
  nb_list_push(takers->made, taker);
  nb_list_push(takers->names, nb_arena_copy(context->arena, library, strlen(library)));
  return taker;
}

/* --- Calls --------------------------------------------------------------------------------------
 */

static NbList calls_of(const NbContext *context, LLVMValueRef function) {
  NbList calls = nb_list(context->arena);
  LLVMUseRef use = LLVMGetFirstUse(function);
  for (; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
    if (is_call && LLVMGetCalledValue(user) == function)
      nb_list_push(&calls, user);
  }
  return calls;
}

/* The callee is a call's last operand. */
static void call_instead(LLVMValueRef call, LLVMValueRef callee) {
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
}

static void take_calls(Takers *takers, LLVMValueRef model) {
  NbList calls = calls_of(takers->context, model);
  for (unsigned i = 0; i < calls.count; i++) {
    LLVMTypeRef length = lengths_of(takers->context, calls.items[i], model);
    if (!length)
      continue;
    call_instead(calls.items[i], taker_of(takers, model, length));
    bool wider =
        !takers->length || LLVMGetIntTypeWidth(length) > LLVMGetIntTypeWidth(takers->length);
    takers->length = wider ? length : takers->length;
  }
}

static bool is_listed(const NbList *list, LLVMValueRef function) {
  bool listed = false;
  for (unsigned i = 0; i < list->count && !listed; i++)
    listed = list->items[i] == function;
  return listed;
}

static void add_lengths(Takers *takers, LLVMValueRef call, LLVMValueRef taker) {
  NbContext *context = takers->context;
  unsigned count = LLVMCountParams(taker), given = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = i < given ? LLVMGetOperand(call, i) : LLVMConstInt(takers->length, 1, false);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  LLVMTypeRef type = LLVMGlobalGetValueType(taker);
  LLVMReplaceAllUsesWith(call, LLVMBuildCall2(builder, type, taker, arguments, count, ""));
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(call);
}

/* What calls the library for the models, and functions of it that call others. */
static void add_lengths_in_models(Takers *takers, LLVMValueRef model) {
  NbList calls = calls_of(takers->context, model);
  for (unsigned i = 0; i < calls.count; i++) {
    LLVMValueRef caller = nb_function_around(calls.items[i]);
    bool ours = nb_models_is_own(caller) || is_listed(takers->functions, caller);
    if (ours && LLVMIsACallInst(calls.items[i]))
      add_lengths(takers, calls.items[i], taker_of(takers, model, takers->length));
  }
}

void nb_lengths_take(NbContext *context, const NbList *functions, NbList *made, NbList *names) {
  Takers takers = {context, functions, made, names, NULL};
  for (unsigned i = 0; i < functions->count; i++)
    if (nb_lengths_count(functions->items[i]))
      take_calls(&takers, functions->items[i]);
  for (unsigned i = 0; takers.length && i < functions->count; i++)
    if (nb_lengths_count(functions->items[i]))
      add_lengths_in_models(&takers, functions->items[i]);
}
