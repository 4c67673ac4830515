// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What pointers lead to, by the accesses through them: C's pointers have types, LLVM's have none.
 */
#include "source/writer.h"

enum { DEEP = 8 };

typedef struct Search {
  LLVMTypeRef named;    /* a struct that an address computation names */
  LLVMTypeRef accessed; /* what is read and written */
  bool several;
} Search;

static void found(LLVMTypeRef *known, LLVMTypeRef type, bool *several) {
  *several = *several || (*known && *known != type);
  *known = type;
}

static bool is_element(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || nb_is_float_kind(kind)) &&
         source_is_value(type);
}

static void search(Search *result, LLVMValueRef pointer, unsigned depth);

static void search_user(Search *result, LLVMValueRef user, LLVMValueRef pointer, unsigned depth) {
  LLVMTypeRef type = NULL;
  bool several = false;
  if (LLVMIsALoadInst(user))
    type = LLVMTypeOf(user);
  if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer)
    type = LLVMTypeOf(LLVMGetOperand(user, 0));
  if (type && is_element(type))
    found(&result->accessed, type, &result->several);
  if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != pointer || !depth)
    return;
  LLVMTypeRef source = LLVMGetGEPSourceElementType(user);
  if (LLVMGetTypeKind(source) == LLVMStructTypeKind && source_is_value(source))
    found(&result->named, source, &several);
  result->several = result->several || several;
  search(result, user, depth - 1);
}

static void search(Search *result, LLVMValueRef pointer, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
    search_user(result, LLVMGetUser(use), pointer, depth);
}

static LLVMTypeRef infer(LLVMValueRef pointer) {
  Search result = {0};
  search(&result, pointer, DEEP);
  if (result.named)
    return result.named;
  return result.several ? NULL : result.accessed;
}

LLVMTypeRef source_pointee(Writer *writer, LLVMValueRef pointer) {
  bool variable = LLVMIsAInstruction(pointer) || LLVMIsAArgument(pointer);
  if (!variable || LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
    return NULL;
  if (!nb_map_has(writer->pointees, pointer))
    nb_map_set(writer->pointees, pointer, infer(pointer));
  return nb_map_get(writer->pointees, pointer);
}
