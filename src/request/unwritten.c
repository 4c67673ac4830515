// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Static variables that no code of the file writes, or hands out the address of, are constants
 * while the requests are served: tables of names, coefficients or functions that the source does
 * not call const. The optimiser finds so, too; code at -O0 it has not seen. */
#include "objects/graph.h"
#include "request/collected.h"

enum { NESTING = 8 };

static bool is_only_read(NbContext *context, LLVMValueRef pointer, unsigned depth);

static bool only_reads(NbContext *context, LLVMValueRef user, LLVMValueRef pointer,
                       unsigned depth) {
  bool constant = LLVMIsAConstantExpr(user) != NULL;
  if (LLVMIsAGetElementPtrInst(user) || (constant && LLVMGetConstOpcode(user) == LLVMGetElementPtr))
    return depth && is_only_read(context, user, depth - 1);
  if (LLVMIsALoadInst(user))
    return nb_access_is_plain(user);
  if (!LLVMIsACallInst(user))
    return LLVMIsAICmpInst(user) != NULL;
  NbCall call = nb_call_of(context, user);
  return call.kind == NB_CALL_COPY && call.from == pointer && call.to != pointer;
}

static bool is_only_read(NbContext *context, LLVMValueRef pointer, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
    if (!only_reads(context, LLVMGetUser(use), pointer, depth))
      return false;
  return true;
}

static bool is_unwritten(NbContext *context, LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  bool own = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
  return own && !LLVMIsGlobalConstant(global) && LLVMGetInitializer(global) &&
         !LLVMIsExternallyInitialized(global) && !LLVMIsThreadLocal(global) &&
         !nb_map_has(context->declared_shadows, global) && LLVMGetFirstUse(global) &&
         is_only_read(context, global, NESTING);
}

NbList nb_unwritten_fix(NbContext *context) {
  NbList fixed = nb_list(context->arena);
  for (LLVMValueRef global = LLVMGetFirstGlobal(context->module); global;
       global = LLVMGetNextGlobal(global))
    if (is_unwritten(context, global))
      nb_list_push(&fixed, global);
  for (unsigned i = 0; i < fixed.count; i++)
    LLVMSetGlobalConstant(fixed.items[i], true);
  return fixed;
}

void nb_unwritten_put_back(const NbList *fixed) {
  for (unsigned i = 0; i < fixed->count; i++)
    LLVMSetGlobalConstant(fixed->items[i], false);
}
