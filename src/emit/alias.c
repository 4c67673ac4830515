// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/alias.h"

static bool is_told(const NbLinear *linear) {
  return linear->shadow_scope && !nb_without(linear->work->context, NB_OPTIMISATION_ALIAS);
}

void nb_alias_shadow(const NbLinear *linear, LLVMValueRef access) {
  if (is_told(linear))
    nb_alias_inside(access, linear->shadow_scope);
}

void nb_alias_other(const NbLinear *linear, LLVMValueRef access) {
  if (is_told(linear))
    nb_alias_outside(access, linear->shadow_scope);
}

void nb_alias_primal(const NbLinear *linear) {
  for (unsigned i = 0; i < nb_map_count(linear->following); i++) {
    LLVMValueRef inst = (LLVMValueRef)nb_map_key(linear->following, i);
    if (LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst) || LLVMIsAMemIntrinsic(inst))
      nb_alias_other(linear, inst);
  }
}
