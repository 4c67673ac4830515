// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types/slots.h"

#include "base/names.h"
#include "objects/graph.h"

#include <string.h>

bool nb_access_is_slot(LLVMValueRef access) {
  return LLVMIsAInstruction(access) &&
         (nb_access_has_note(access, NB_TAPE_SLOT) || nb_tbaa_is_slot(access));
}

bool nb_access_says_type(LLVMValueRef access) {
  return nb_tbaa_name(access) || nb_access_is_slot(access);
}

/* One type alone under a root of its own, which may alias everything. */
static LLVMValueRef slot_tag(LLVMContextRef llvm) {
  LLVMMetadataRef name = LLVMMDStringInContext2(llvm, NB_TBAA_SLOT, strlen(NB_TBAA_SLOT));
  LLVMMetadataRef zero = LLVMValueAsMetadata(LLVMConstInt(LLVMInt64TypeInContext(llvm), 0, false));
  LLVMMetadataRef type[] = {name, LLVMMDNodeInContext2(llvm, &name, 1), zero};
  LLVMMetadataRef scalar = LLVMMDNodeInContext2(llvm, type, 3);
  LLVMMetadataRef tag[] = {scalar, scalar, zero};
  return LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, tag, 3));
}

void nb_access_note_slot(LLVMValueRef access) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(access));
  unsigned tag = LLVMGetMDKindIDInContext(llvm, "tbaa", strlen("tbaa"));
  nb_access_note(access, NB_TAPE_SLOT);
  if (!LLVMGetMetadata(access, tag))
    LLVMSetMetadata(access, tag, slot_tag(llvm));
}

void nb_access_note_as(LLVMValueRef access, LLVMValueRef origin) {
  if (nb_access_is_slot(origin))
    nb_access_note_slot(access);
}
