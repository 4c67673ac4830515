// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "effects/named.h"

#include "objects/graph.h"

/* Uses of a variable, in all of the module, that are looked at. */
enum { MOST_USES = 512 };

static bool is_address_of(LLVMValueRef user, LLVMValueRef pointer) {
  bool constant = LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr;
  return (constant || LLVMIsAGetElementPtrInst(user)) && LLVMGetOperand(user, 0) == pointer;
}

/* Does the user only come to the memory behind the pointer? */
static bool is_access(LLVMValueRef user, LLVMValueRef pointer) {
  if (LLVMIsAStoreInst(user))
    return LLVMGetOperand(user, 0) != pointer;
  return LLVMIsALoadInst(user) || LLVMIsAMemSetInst(user) || LLVMIsAMemCpyInst(user) ||
         LLVMIsAMemMoveInst(user);
}

/* Is the address never kept, passed, compared or chosen? `open` holds it and what is computed from
 * it. */
static bool stays_in_accesses(NbList *open) {
  for (unsigned next = 0, uses = 0; next < open->count; next++) {
    LLVMValueRef pointer = open->items[next];
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (++uses > MOST_USES)
        return false;
      if (is_address_of(user, pointer))
        nb_list_push(open, user);
      else if (!is_access(user, pointer))
        return false;
    }
  }
  return true;
}

static bool is_named_alone(NbMap *known, NbArena *arena, LLVMValueRef global) {
  static const char yes, no;
  const char *answer = nb_map_get(known, global);
  if (answer)
    return answer == &yes;
  LLVMLinkage linkage = LLVMGetLinkage(global);
  bool local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
  NbList open = nb_list(arena);
  nb_list_push(&open, global);
  bool alone = local && stays_in_accesses(&open);
  nb_map_set(known, global, (void *)(alone ? &yes : &no));
  return alone;
}

bool nb_named_alone(NbMap *known, NbClass *class) {
  class = nb_class_find(class);
  const uint64_t parameters = UINT64_MAX >> 1;
  bool alone = nb_class_member_count(class) > 0 && !(class->parameters & parameters) &&
               !(class->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE));
  for (unsigned i = 0; alone && i < nb_class_member_count(class); i++) {
    LLVMValueRef member = nb_class_member(class, i);
    alone = LLVMIsAGlobalVariable(member) && is_named_alone(known, class->graph->arena, member);
  }
  return alone;
}
