// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Words of which no access says what they are, and which are only moved: what a union holds, where
 * the optimiser made one of the moves of all its members. Where numbers lie at one time, pointers
 * at another, they become copies of bytes, by way of a variable: of these the run finds out what
 * they moved. */
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>

enum { WORD = 8 };

static bool is_mixed(NbTypes *types, LLVMValueRef pointer) {
  NbClass *class = nb_value_class(types->objects, pointer);
  return nb_types_also_hold(types, pointer, WORD, NB_KIND_FLOAT, false) &&
         nb_types_also_hold(types, pointer, WORD, NB_KIND_POINTER, false) &&
         !nb_class_is_external(class);
}

static bool is_unnamed(LLVMValueRef access) {
  return nb_access_is_plain(access) && nb_tbaa_is_any(access);
}

static bool is_only_stored(LLVMValueRef load) {
  if (!LLVMIsALoadInst(load) || !is_unnamed(load) || !LLVMGetFirstUse(load) ||
      LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMPointerTypeKind)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != load || !is_unnamed(user))
      return false;
  }
  return true;
}

static bool moves_mixed(NbTypes *types, LLVMValueRef load) {
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use))
    if (!is_mixed(types, LLVMGetOperand(LLVMGetUser(use), 1)))
      return false;
  return is_mixed(types, LLVMGetOperand(load, 0));
}

static void copy(NbContext *context, LLVMBuilderRef builder, LLVMValueRef place, LLVMValueRef to,
                 LLVMValueRef from) {
  LLVMPositionBuilderBefore(builder, place);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(place));
  LLVMBuildMemCpy(builder, to, 1, from, 1,
                  LLVMConstInt(LLVMInt64TypeInContext(context->llvm), WORD, false));
}

static void rewrite(NbContext *context, LLVMValueRef function, LLVMValueRef load) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(context->llvm), WORD);
  LLVMValueRef variable = LLVMBuildAlloca(builder, bytes, "word");
  LLVMSetAlignment(variable, WORD);
  copy(context, builder, load, variable, LLVMGetOperand(load, 0));
  while (LLVMGetFirstUse(load)) {
    LLVMValueRef store = LLVMGetUser(LLVMGetFirstUse(load));
    copy(context, builder, store, LLVMGetOperand(store, 1), variable);
    LLVMInstructionEraseFromParent(store);
  }
  LLVMInstructionEraseFromParent(load);
  LLVMDisposeBuilder(builder);
}

bool nb_types_copy_unnamed(NbContext *context, LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  NbTypes *types = NULL;
  NbList moved = nb_list(arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!is_only_stored(at))
      continue;
    if (!types)
      types = nb_types_in(context, arena, nb_objects_in(context, arena, function));
    if (moves_mixed(types, at))
      nb_list_push(&moved, at);
  }
  for (unsigned i = 0; i < moved.count; i++)
    rewrite(context, function, moved.items[i]);
  bool changed = moved.count != 0;
  nb_arena_free(arena);
  return changed;
}
