// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/access.h"

#include "emit/alias.h"
#include "emit/tangent.h"

LLVMValueRef nb_shadow_load(const NbLinear *linear, LLVMBuilderRef builder,
                            const NbStatement *statement, const LLVMValueRef *addresses) {
  LLVMValueRef lanes[NB_MOST_WIDTH];
  if (statement->interleaved) {
    LLVMTypeRef type = nb_tangent_type(statement->type, statement->width);
    LLVMValueRef all = LLVMBuildLoad2(builder, type, addresses[0], "tangent");
    LLVMSetAlignment(all, statement->align);
    nb_alias_shadow(linear, all);
    return all;
  }
  for (unsigned lane = 0; lane < statement->width; lane++) {
    lanes[lane] = LLVMBuildLoad2(builder, statement->type, addresses[lane], "tangent");
    LLVMSetAlignment(lanes[lane], statement->align);
    nb_alias_shadow(linear, lanes[lane]);
  }
  return nb_tangent_of_lanes(builder, statement->type, statement->width, lanes);
}

void nb_shadow_store(const NbLinear *linear, LLVMBuilderRef builder, const NbStatement *statement,
                     const LLVMValueRef *addresses, LLVMValueRef tangent) {
  if (statement->interleaved) {
    LLVMValueRef store = LLVMBuildStore(builder, tangent, addresses[0]);
    LLVMSetAlignment(store, statement->align);
    nb_alias_shadow(linear, store);
    return;
  }
  for (unsigned lane = 0; lane < statement->width; lane++) {
    LLVMValueRef value = nb_tangent_lane(builder, tangent, statement->type, statement->width, lane);
    LLVMValueRef store = LLVMBuildStore(builder, value, addresses[lane]);
    LLVMSetAlignment(store, statement->align);
    nb_alias_shadow(linear, store);
  }
}
