// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/named.h"

#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { WORD = 64 };

/* Integers that are joined by phis and selects, loaded and stored. */
typedef struct Web {
  NbContext *context;
  NbMap *fresh; /* member -> the pointer that it becomes, or itself */
  NbList members, stores;
  bool failed;
} Web;

static bool is_word(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == WORD;
}

static bool is_named(LLVMValueRef access) {
  const char *name = nb_access_is_plain(access) ? nb_tbaa_name(access) : NULL;
  return name && nb_tbaa_is_pointer(name);
}

/* --- Which they are --------------------------------------------------------------------------- */

static bool is_nothing(LLVMValueRef value) { return LLVMIsNull(value) || LLVMIsUndef(value); }

static void enter(Web *web, LLVMValueRef value) {
  if (is_nothing(value) || nb_map_has(web->fresh, value))
    return;
  bool load = LLVMIsALoadInst(value) && is_named(value);
  bool choice = LLVMIsASelectInst(value) && !LLVMIsAConstant(LLVMGetOperand(value, 0));
  web->failed |= !load && !choice && !LLVMIsAPHINode(value);
  nb_map_set(web->fresh, value, value);
  nb_list_push(&web->members, value);
}

static void enter_operands(Web *web, LLVMValueRef value) {
  bool choice = LLVMIsASelectInst(value) != NULL;
  for (int i = choice; (choice || LLVMIsAPHINode(value)) && i < LLVMGetNumOperands(value); i++)
    enter(web, LLVMGetOperand(value, (unsigned)i));
}

static void enter_users(Web *web, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && is_named(user))
      nb_list_push(&web->stores, user);
    else if (LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
      enter(web, user);
    else
      web->failed = true;
  }
}

static void collect(Web *web, LLVMValueRef load) {
  enter(web, load);
  for (unsigned i = 0; i < web->members.count && !web->failed; i++) {
    enter_operands(web, web->members.items[i]);
    enter_users(web, web->members.items[i]);
  }
}

/* --- What they become ------------------------------------------------------------------------- */

static LLVMTypeRef pointer_type(const Web *web) {
  return LLVMPointerTypeInContext(web->context->llvm, 0);
}

static LLVMValueRef fresh_of(const Web *web, LLVMValueRef value) {
  return is_nothing(value) ? LLVMConstNull(pointer_type(web)) : nb_map_get(web->fresh, value);
}

static void keep_metadata(const Web *web, LLVMValueRef fresh, LLVMValueRef old) {
  static const char *const kept[] = {"tbaa", "noalias", "alias.scope", "llvm.access.group"};
  for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++) {
    unsigned kind =
        LLVMGetMDKindIDInContext(web->context->llvm, kept[i], (unsigned)strlen(kept[i]));
    LLVMValueRef said = LLVMGetMetadata(old, kind);
    if (said)
      LLVMSetMetadata(fresh, kind, said);
  }
}

static void make(Web *web, LLVMBuilderRef builder, LLVMValueRef old) {
  LLVMValueRef none = LLVMConstNull(pointer_type(web)), fresh;
  LLVMPositionBuilderBefore(builder, old);
  if (LLVMIsALoadInst(old)) {
    fresh = LLVMBuildLoad2(builder, pointer_type(web), LLVMGetOperand(old, 0), nb_name(old));
    LLVMSetAlignment(fresh, LLVMGetAlignment(old));
    keep_metadata(web, fresh, old);
  } else if (LLVMIsAPHINode(old)) {
    fresh = LLVMBuildPhi(builder, pointer_type(web), nb_name(old));
  } else {
    fresh = LLVMBuildSelect(builder, LLVMGetOperand(old, 0), none, none, nb_name(old));
  }
  LLVMInstructionSetDebugLoc(fresh, LLVMInstructionGetDebugLoc(old));
  nb_map_set(web->fresh, old, fresh);
}

static void link(const Web *web, LLVMValueRef old) {
  LLVMValueRef fresh = fresh_of(web, old);
  for (unsigned i = 0; LLVMIsAPHINode(old) && i < LLVMCountIncoming(old); i++) {
    LLVMValueRef value = fresh_of(web, LLVMGetIncomingValue(old, i));
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(old, i);
    LLVMAddIncoming(fresh, &value, &from, 1);
  }
  for (unsigned i = 1; LLVMIsASelectInst(old) && i < 3; i++)
    LLVMSetOperand(fresh, i, fresh_of(web, LLVMGetOperand(old, i)));
}

static void rewrite(Web *web) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(web->context->llvm);
  for (unsigned i = 0; i < web->members.count; i++)
    make(web, builder, web->members.items[i]);
  for (unsigned i = 0; i < web->members.count; i++)
    link(web, web->members.items[i]);
  for (unsigned i = 0; i < web->stores.count; i++) {
    LLVMValueRef store = web->stores.items[i];
    LLVMSetOperand(store, 0, fresh_of(web, LLVMGetOperand(store, 0)));
  }
  for (unsigned i = 0; i < web->members.count; i++)
    LLVMReplaceAllUsesWith(web->members.items[i], LLVMGetUndef(LLVMTypeOf(web->members.items[i])));
  for (unsigned i = 0; i < web->members.count; i++)
    LLVMInstructionEraseFromParent(web->members.items[i]);
  LLVMDisposeBuilder(builder);
}

bool nb_prepare_name_pointers(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  LLVMValueRef at = nb_instruction_first(function);
  while (at) {
    LLVMValueRef next = nb_instruction_next(at);
    Web web = {context, NULL, nb_list(context->arena), nb_list(context->arena), false};
    if (LLVMIsALoadInst(at) && is_word(LLVMTypeOf(at)) && is_named(at)) {
      web.fresh = nb_map_new(context->arena);
      collect(&web, at);
      web.failed |= !web.stores.count;
    }
    if (web.fresh && !web.failed) {
      rewrite(&web);
      changed = true;
      next = nb_instruction_first(function);
    }
    at = next;
  }
  return changed;
}
