// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The row of a function of <complex.h> takes the real and the imaginary parts of its arguments. So
 * does the function in double; but the ABI passes a complex number in float as one vector, and one
 * in long double in memory. While requests are served, such calls go to a declaration that takes
 * parts. Results need no such care: they are structs or vectors of two. */
#include "request/parts.h"

#include "base/names.h"
#include "request/collected.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static LLVMValueRef number(NbContext *context, unsigned value) {
  return LLVMConstInt(LLVMInt32TypeInContext(context->llvm), value, false);
}

/* The type in memory of a parameter that the ABI copies there; NULL for others. */
static LLVMTypeRef copied_type(LLVMValueRef function, unsigned index) {
  static const char kind[] = "byval";
  unsigned id = LLVMGetEnumAttributeKindForName(kind, sizeof kind - 1);
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, index + 1, id);
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* The type of the parts of parameter `index`; NULL where it is not one complex number. */
static LLVMTypeRef part_type(LLVMValueRef function, unsigned index) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    return LLVMGetVectorSize(type) == 2 ? LLVMGetElementType(type) : NULL;
  LLVMTypeRef copied = copied_type(function, index);
  bool pair = copied && LLVMGetTypeKind(copied) == LLVMStructTypeKind &&
              LLVMCountStructElementTypes(copied) == 2;
  return pair ? LLVMStructGetTypeAtIndex(copied, 0) : NULL;
}

static bool takes_whole_numbers(NbContext *context, LLVMValueRef function) {
  const char *name = nb_name(function);
  const NbRule *rule = nb_rules_find(context->rules, name, strlen(name), NULL);
  unsigned count = LLVMCountParams(function);
  bool whole = rule && rule->complex && LLVMIsDeclaration(function) &&
               !LLVMGetIntrinsicID(function) && 2 * count == rule->parameter_count;
  for (unsigned i = 0; whole && i < count; i++)
    whole = part_type(function, i) != NULL;
  return whole;
}

static LLVMValueRef declare_parts(NbContext *context, LLVMValueRef function) {
  unsigned count = LLVMCountParams(function);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, 2 * count + 1);
  for (unsigned i = 0; i < 2 * count; i++)
    types[i] = part_type(function, i / 2);
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  const char *name = nb_arena_print(context->arena, NB_PARTS_PREFIX "%s", nb_name(function));
  return nb_declare(context, name, LLVMFunctionType(result, types, 2 * count, false));
}

static LLVMValueRef part_of(NbContext *context, LLVMBuilderRef builder, LLVMValueRef whole,
                            LLVMTypeRef copied, unsigned index) {
  if (!copied)
    return LLVMBuildExtractElement(builder, whole, number(context, index), "");
  LLVMValueRef place = LLVMBuildStructGEP2(builder, copied, whole, index, "");
  return LLVMBuildLoad2(builder, LLVMStructGetTypeAtIndex(copied, index), place, "");
}

static void pass_parts(NbContext *context, LLVMValueRef call, LLVMValueRef function) {
  LLVMValueRef parts = declare_parts(context, function);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, 2 * count + 1);
  for (unsigned i = 0; i < 2 * count; i++) {
    LLVMValueRef whole = LLVMGetOperand(call, i / 2);
    arguments[i] = part_of(context, builder, whole, copied_type(function, i / 2), i % 2);
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(parts);
  nb_call_replace(call, LLVMBuildCall2(builder, type, parts, arguments, 2 * count, ""));
  LLVMDisposeBuilder(builder);
}

static NbList direct_calls(NbContext *context, LLVMValueRef function) {
  NbList calls = nb_list(context->arena);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && nb_callee(user) == function &&
        LLVMGetNumArgOperands(user) == LLVMCountParams(function))
      nb_list_push(&calls, user);
  }
  return calls;
}

void nb_parts_take(NbContext *context) {
  NbList functions = nb_list(context->arena);
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    if (takes_whole_numbers(context, function))
      nb_list_push(&functions, function);
  for (unsigned i = 0; i < functions.count; i++) {
    NbList calls = direct_calls(context, functions.items[i]);
    for (unsigned k = 0; k < calls.count; k++)
      pass_parts(context, calls.items[k], functions.items[i]);
  }
}

/* --- When requests are served ----------------------------------------------------------------- */

static LLVMValueRef local_of(LLVMValueRef call, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef local = LLVMBuildAlloca(builder, type, "");
  LLVMDisposeBuilder(builder);
  return local;
}

static LLVMValueRef join(NbContext *context, LLVMBuilderRef builder, LLVMValueRef call,
                         LLVMValueRef function, unsigned index) {
  LLVMTypeRef copied = copied_type(function, index);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
  LLVMValueRef whole = copied ? local_of(call, copied) : LLVMGetPoison(type);
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef part = LLVMGetOperand(call, 2 * index + i);
    if (copied)
      LLVMBuildStore(builder, part, LLVMBuildStructGEP2(builder, copied, whole, i, ""));
    else
      whole = LLVMBuildInsertElement(builder, whole, part, number(context, i), "");
  }
  return whole;
}

/* What the ABI says about a parameter must stand at the call too. */
static void copy_attributes(NbContext *context, LLVMValueRef call, LLVMValueRef function,
                            unsigned index) {
  unsigned count = LLVMGetAttributeCountAtIndex(function, index + 1);
  LLVMAttributeRef *list = NB_NEW_ARRAY(context->arena, LLVMAttributeRef, count + 1);
  LLVMGetAttributesAtIndex(function, index + 1, list);
  for (unsigned i = 0; i < count; i++)
    LLVMAddCallSiteAttribute(call, index + 1, list[i]);
}

static void pass_whole(NbContext *context, LLVMValueRef call, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = join(context, builder, call, function, i);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef whole = LLVMBuildCall2(builder, type, function, arguments, count, "");
  for (unsigned i = 0; i < count; i++)
    copy_attributes(context, whole, function, i);
  nb_call_replace(call, whole);
  LLVMDisposeBuilder(builder);
}

bool nb_parts_put_back(NbContext *context) {
  static const char prefix[] = NB_PARTS_PREFIX;
  bool changed = false;
  LLVMValueRef parts = LLVMGetFirstFunction(context->module);
  while (parts) {
    LLVMValueRef next = LLVMGetNextFunction(parts);
    bool ours = !strncmp(nb_name(parts), prefix, sizeof prefix - 1);
    LLVMValueRef function =
        ours ? LLVMGetNamedFunction(context->module, nb_name(parts) + sizeof prefix - 1) : NULL;
    NbList calls = function ? direct_calls(context, parts) : nb_list(context->arena);
    for (unsigned i = 0; i < calls.count; i++)
      pass_whole(context, calls.items[i], function);
    if (function)
      LLVMDeleteFunction(parts);
    changed |= function != NULL;
    parts = next;
  }
  return changed;
}
