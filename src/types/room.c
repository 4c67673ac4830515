// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Local variables that are room for whatever is moved through them: their declared type says
 * nothing. */
#include "types/facts.h"

bool nb_type_is_of_words(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    if (!nb_type_is_of_words(LLVMStructGetTypeAtIndex(type, i)))
      return false;
  return true;
}

/* Does the use copy or fill the variable, or nothing? A copy of a part says that it is a part. */
static bool moves_bytes(NbTypes *types, LLVMValueRef user, uint64_t size, bool *parts) {
  NbCall what = nb_is_call(user) ? nb_call_of(types->context, user) : (NbCall){0};
  if (what.kind == NB_CALL_COPY)
    *parts |= !LLVMIsAConstantInt(what.bytes) || nb_call_most(&what) != size;
  return what.kind == NB_CALL_COPY || what.kind == NB_CALL_FILL ||
         (what.kind != NB_CALL_NONE && nb_call_is_silent(types->context, user));
}

bool nb_variable_is_room(NbTypes *types, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGetAllocatedType(variable);
  uint64_t size = nb_store_size(types->context, type);
  bool parts = false;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
    if (!moves_bytes(types, LLVMGetUser(use), size, &parts))
      return false;
  return parts || nb_type_is_of_words(type);
}
