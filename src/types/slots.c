// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types/slots.h"

#include "base/names.h"
#include "objects/graph.h"

#include <string.h>

static unsigned kind_of_note(LLVMContextRef llvm) {
  return LLVMGetMDKindIDInContext(llvm, NB_TAPE_SLOT, (unsigned)strlen(NB_TAPE_SLOT));
}

bool nb_access_is_slot(LLVMValueRef access) {
  unsigned kind = kind_of_note(LLVMGetTypeContext(LLVMTypeOf(access)));
  return LLVMIsAInstruction(access) && LLVMGetMetadata(access, kind);
}

bool nb_access_says_type(LLVMValueRef access) {
  return nb_tbaa_name(access) || nb_access_is_slot(access);
}

void nb_access_note_slot(LLVMValueRef access) { nb_access_note(access, NB_TAPE_SLOT); }

void nb_access_note_as(LLVMValueRef access, LLVMValueRef origin) {
  if (nb_access_is_slot(origin))
    nb_access_note_slot(access);
}
