// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The ABI returns a float that shares eight bytes with an integer as one integer, which has neither
 * tangent nor adjoint. What is differentiated then is a function that calls the user's, and returns
 * the members of the struct by themselves. Which they are is seen at the start of the pipeline,
 * where the function returns what a variable of the struct's type holds, and kept as text. */
#include "request/unpacked.h"

#include "base/names.h"
#include "direct/copy.h"
#include "objects/graph.h"
#include "request/byvalue.h"
#include "request/layout.h"

#include <string.h>

enum { MOST_MEMBERS = 16, FIRST_OFFSET = 'a' };

/* --- The text: for each member the letter of its offset, and that of its type. ---------------- */

static char letter_of(LLVMTypeRef type) {
  static const char integers[] = {0, '1', '2', 0, '4', 0, 0, 0, '8'};
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
    return 'h';
  case LLVMBFloatTypeKind:
    return 'b';
  case LLVMFloatTypeKind:
    return 'f';
  case LLVMDoubleTypeKind:
    return 'd';
  case LLVMPointerTypeKind:
    return 'p';
  case LLVMIntegerTypeKind: {
    unsigned bytes = LLVMGetIntTypeWidth(type) / 8;
    return bytes < sizeof integers ? integers[bytes] : 0;
  }
  default:
    return 0;
  }
}

static LLVMTypeRef type_of(const NbContext *context, char letter) {
  switch (letter) {
  case 'h':
    return LLVMHalfTypeInContext(context->llvm);
  case 'b':
    return LLVMBFloatTypeInContext(context->llvm);
  case 'f':
    return LLVMFloatTypeInContext(context->llvm);
  case 'd':
    return LLVMDoubleTypeInContext(context->llvm);
  case 'p':
    return LLVMPointerTypeInContext(context->llvm, 0);
  default:
    return LLVMIntTypeInContext(context->llvm, (unsigned)(letter - '0') * 8);
  }
}

/* The struct of the members; NULL where they do not lie there as the text says. */
static LLVMTypeRef struct_of(const NbContext *context, const char *text) {
  LLVMTypeRef types[MOST_MEMBERS];
  unsigned count = (unsigned)strlen(text) / 2;
  for (unsigned i = 0; i < count; i++)
    types[i] = type_of(context, text[2 * i + 1]);
  LLVMTypeRef type = LLVMStructTypeInContext(context->llvm, types, count, false);
  for (unsigned i = 0; i < count; i++)
    if (LLVMOffsetOfElement(context->layout, type, i) !=
        (unsigned long long)(text[2 * i] - FIRST_OFFSET))
      return NULL;
  return type;
}

const char *nb_unpacked_text(const NbContext *context, LLVMTypeRef whole) {
  char text[2 * MOST_MEMBERS + 1] = "";
  if (!nb_layout_is_plain(whole))
    return "";
  const NbLeaves *leaves = nb_leaves_of(context, whole);
  if (leaves->overflow || leaves->count > MOST_MEMBERS)
    return "";
  for (unsigned i = 0; i < leaves->count; i++) {
    text[2 * i] = (char)(FIRST_OFFSET + leaves->items[i].offset);
    text[2 * i + 1] = letter_of(leaves->items[i].type);
    if (!text[2 * i + 1])
      return "";
  }
  return struct_of(context, text) ? nb_arena_copy(context->arena, text, strlen(text)) : "";
}

/* --- The function. ---------------------------------------------------------------------------- */

/* The members of what the call returns, from memory: of the registers that the ABI returns. */
static LLVMValueRef members_of(NbContext *context, LLVMBuilderRef builder, LLVMValueRef call,
                               LLVMTypeRef result) {
  LLVMTypeRef given = LLVMTypeOf(call);
  LLVMTargetDataRef layout = context->layout;
  bool wider = LLVMABISizeOfType(layout, given) > LLVMABISizeOfType(layout, result);
  LLVMValueRef memory = LLVMBuildAlloca(builder, wider ? given : result, "");
  LLVMSetAlignment(memory, LLVMABIAlignmentOfType(layout, LLVMInt64TypeInContext(context->llvm)));
  LLVMBuildStore(builder, call, memory);
  LLVMValueRef members = LLVMGetPoison(result);
  for (unsigned i = 0; i < LLVMCountStructElementTypes(result); i++) {
    LLVMValueRef place = LLVMBuildStructGEP2(builder, result, memory, i, "");
    LLVMValueRef member = LLVMBuildLoad2(builder, LLVMStructGetTypeAtIndex(result, i), place, "");
    nb_access_note_member(context, member);
    members = LLVMBuildInsertValue(builder, members, member, i, "");
  }
  return members;
}

LLVMValueRef nb_unpacked_of(NbContext *context, LLVMValueRef function) {
  static const char prefix[] = NB_UNPACKED_PREFIX;
  const char *name = nb_arena_print(context->arena, "%s%s", prefix, nb_name(function));
  const char *text = nb_by_value_members_returned(context, function);
  LLVMValueRef made = LLVMGetNamedFunction(context->module, name);
  if (made || !*text)
    return made ? made : function;
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *params = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  LLVMTypeRef type = LLVMGlobalGetValueType(function), result = struct_of(context, text);
  LLVMGetParamTypes(type, types);
  made = nb_copy_declare(context, function, prefix, LLVMFunctionType(result, types, count, false));
  nb_by_value_note_parameters(context, made, function);
  LLVMGetParams(made, params);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context->llvm, made, ""));
  LLVMValueRef call = LLVMBuildCall2(builder, type, function, params, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
  LLVMBuildRet(builder, members_of(context, builder, call, result));
  LLVMDisposeBuilder(builder);
  return made;
}
