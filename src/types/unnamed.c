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

/* The accesses of a function; where some have names of the front end's, those without were made of
 * several with different names, or of a copy. Where none has, those of code that no pass looked at
 * count that are not of pointers by the struct that they are of, unless the file keeps to its
 * types. Those of derivatives have none either. */
typedef struct Accesses {
  NbContext *context;
  NbTypes *types; /* NULL until asked for */
  bool named, derived;
} Accesses;

static bool has_no_name(const Accesses *accesses, LLVMValueRef access) {
  return !accesses->derived && !nb_tbaa_name(access) && !nb_tbaa_is_slot(access) &&
         (accesses->named || (!nb_types_are_kept(accesses->context) &&
                              nb_access_is_unoptimised(accesses->context, access) &&
                              !nb_access_is_of_pointer(access)));
}

static bool is_unnamed(const Accesses *accesses, LLVMValueRef access) {
  return nb_access_is_plain(access) && (nb_tbaa_is_any(access) || has_no_name(accesses, access));
}

/* Does the front end name accesses in the function? It does where it optimises. */
static bool has_names(LLVMValueRef function) {
  unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(function)), "tbaa", 4);
  bool named = false;
  LLVMValueRef at = nb_instruction_first(function);
  for (; at && !named; at = nb_instruction_next(at)) {
    LLVMValueRef tag = LLVMGetMetadata(at, kind);
    named = tag && nb_tbaa_name(at) && !nb_tbaa_is_own(tag);
  }
  return named;
}

static bool is_word(const Accesses *accesses, LLVMValueRef load) {
  return LLVMIsALoadInst(load) && is_unnamed(accesses, load) &&
         LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind;
}

/* Is the word stored by its use, as it is? */
static bool is_moved(const Accesses *accesses, LLVMUseRef use, LLVMValueRef word) {
  LLVMValueRef user = LLVMGetUser(use);
  return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == word && is_unnamed(accesses, user);
}

static bool is_moved_somewhere(const Accesses *accesses, LLVMValueRef word) {
  bool moved = false;
  for (LLVMUseRef use = LLVMGetFirstUse(word); use && !moved; use = LLVMGetNextUse(use))
    moved = is_moved(accesses, use, word);
  return moved;
}

/* The stores of the word where such memory is; what else uses it takes it for a pointer. */
static NbList mixed_stores(const Accesses *accesses, LLVMValueRef word) {
  NbList stores = nb_list(accesses->types->arena);
  for (LLVMUseRef use = LLVMGetFirstUse(word); use; use = LLVMGetNextUse(use))
    if (is_moved(accesses, use, word) &&
        is_mixed(accesses->types, LLVMGetOperand(LLVMGetUser(use), 1)))
      nb_list_push(&stores, LLVMGetUser(use));
  return stores;
}

static void copy(NbContext *context, LLVMBuilderRef builder, LLVMValueRef place, LLVMValueRef to,
                 LLVMValueRef from) {
  LLVMPositionBuilderBefore(builder, place);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(place));
  LLVMBuildMemCpy(builder, to, 1, from, 1,
                  LLVMConstInt(LLVMInt64TypeInContext(context->llvm), WORD, false));
}

/* The word's bytes at this time. */
static LLVMValueRef keep(NbContext *context, LLVMBuilderRef builder, LLVMValueRef load) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(load));
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(context->llvm), WORD);
  LLVMValueRef variable = LLVMBuildAlloca(builder, bytes, "word");
  LLVMSetAlignment(variable, WORD);
  copy(context, builder, load, variable, LLVMGetOperand(load, 0));
  return variable;
}

static void rewrite(NbContext *context, LLVMValueRef load, const NbList *stores) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMValueRef variable = keep(context, builder, load);
  for (unsigned i = 0; i < stores->count; i++) {
    copy(context, builder, stores->items[i], LLVMGetOperand(stores->items[i], 1), variable);
    LLVMInstructionEraseFromParent(stores->items[i]);
  }
  if (!LLVMGetFirstUse(load))
    LLVMInstructionEraseFromParent(load);
  LLVMDisposeBuilder(builder);
}

bool nb_types_copy_unnamed(NbContext *context, LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  Accesses accesses = {context, NULL, has_names(function), context->again};
  NbList moved = nb_list(arena), moves = nb_list(arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!is_word(&accesses, at) || !is_moved_somewhere(&accesses, at))
      continue;
    if (!accesses.types)
      accesses.types = nb_types_in(context, arena, nb_objects_in(context, arena, function));
    if (!is_mixed(accesses.types, LLVMGetOperand(at, 0)))
      continue;
    NbList *stores = NB_NEW(arena, NbList);
    *stores = mixed_stores(&accesses, at);
    if (!stores->count)
      continue;
    nb_list_push(&moved, at);
    nb_list_push(&moves, stores);
  }
  for (unsigned i = 0; i < moved.count; i++)
    rewrite(context, moved.items[i], moves.items[i]);
  bool changed = moved.count != 0;
  nb_arena_free(arena);
  return changed;
}
