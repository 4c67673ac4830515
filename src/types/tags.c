// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Formats of floats by their names in TBAA, and copies that have such a name. */
#include "types/facts.h"

#include <string.h>

static const NbNamedFloat NAMED_FLOATS[] = {
    {"double", 8, LLVMDoubleTypeInContext},        {"float", 4, LLVMFloatTypeInContext},
    {"long double", 16, LLVMX86FP80TypeInContext}, {"_Float16", 2, LLVMHalfTypeInContext},
    {"__bf16", 2, LLVMBFloatTypeInContext},
};

const NbNamedFloat *nb_named_float(const char *name) {
  for (unsigned i = 0; i < sizeof NAMED_FLOATS / sizeof *NAMED_FLOATS; i++)
    if (!strcmp(name, NAMED_FLOATS[i].name))
      return &NAMED_FLOATS[i];
  return NULL;
}

bool nb_access_is_promised(LLVMValueRef access) {
  LLVMValueRef value = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
  const char *name = nb_tbaa_name(access);
  const NbNamedFloat *named = name ? nb_named_float(name) : NULL;
  LLVMTypeRef type = nb_scalar_type(LLVMTypeOf(value));
  return nb_access_is_typed(access) || (named && named->type(LLVMGetTypeContext(type)) == type);
}

/* The optimiser makes it of a loop that moves one float after the other. */
bool nb_tags_say_floats(NbTypes *types, LLVMValueRef copy, LLVMValueRef bytes, NbPiece *piece) {
  const char *name = nb_tbaa_name(copy);
  const NbNamedFloat *named = name ? nb_named_float(name) : NULL;
  bool constant = LLVMIsAConstantInt(bytes) != NULL;
  uint64_t factor =
      constant ? LLVMConstIntGetZExtValue(bytes) : nb_integer_factor(types->places, bytes);
  if (!named || factor % named->size)
    return false;
  LLVMTypeRef type = named->type(types->context->llvm);
  *piece = (NbPiece){0, named->size, named->size, NB_KIND_FLOAT, type, 0};
  return LLVMABISizeOfType(types->context->layout, type) == named->size;
}
