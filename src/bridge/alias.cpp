// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Alias facts, as LLVM's scoped metadata. */
#include "bridge/internal.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace nabla;

LLVMMetadataRef nb_alias_scope_new(LLVMContextRef context, const char *name) {
  LLVMContext &llvm = *unwrap(context);
  MDBuilder builder(llvm);
  MDNode *domain = builder.createAnonymousAliasScopeDomain(name);
  return wrap(MDNode::get(llvm, {builder.createAnonymousAliasScope(domain, name)}));
}

LLVMMetadataRef nb_access_group_new(LLVMContextRef context) {
  return wrap(MDNode::getDistinct(*unwrap(context), {}));
}

void nb_access_group_join(LLVMValueRef access, LLVMMetadataRef group) {
  Instruction &instruction = instruction_of(access);
  const unsigned kind = LLVMContext::MD_access_group;
  auto *joined = cast<MDNode>(unwrap(group));
  instruction.setMetadata(kind, uniteAccessGroups(instruction.getMetadata(kind), joined));
}

bool nb_access_group_has(LLVMValueRef access, LLVMMetadataRef group) {
  const MDNode *groups = instruction_of(access).getMetadata(LLVMContext::MD_access_group);
  const Metadata *wanted = unwrap(group);
  return groups == wanted || (groups && is_contained(groups->operands(), wanted));
}

void nb_access_groups_of_both(LLVMValueRef access, LLVMValueRef one, LLVMValueRef other) {
  MDNode *both = intersectAccessGroups(&instruction_of(one), &instruction_of(other));
  instruction_of(access).setMetadata(LLVMContext::MD_access_group, both);
}

static void add(LLVMValueRef access, unsigned kind, LLVMMetadataRef scope) {
  Instruction &instruction = instruction_of(access);
  auto *list = cast<MDNode>(unwrap(scope));
  instruction.setMetadata(kind, MDNode::concatenate(instruction.getMetadata(kind), list));
}

void nb_alias_inside(LLVMValueRef access, LLVMMetadataRef scope) {
  add(access, LLVMContext::MD_alias_scope, scope);
}

void nb_alias_outside(LLVMValueRef access, LLVMMetadataRef scope) {
  add(access, LLVMContext::MD_noalias, scope);
}
