// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Choices between structs that are values, as functions return them, become choices between their
 * elements: an integer among these may carry a float. */
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_ELEMENTS = 8, MOST_CHOICES = 1024 };

/* What an invoke gives is there behind the end of its block. */
static bool is_taken_at_end(LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMIsAInvokeInst(LLVMGetIncomingValue(phi, i)))
      return false;
  return true;
}

static bool is_split(LLVMValueRef choice) {
  unsigned count = nb_element_count(LLVMTypeOf(choice));
  if (!count || count > MOST_ELEMENTS || !nb_types_has_integer(LLVMTypeOf(choice)))
    return false;
  if (LLVMIsAPHINode(choice))
    return is_taken_at_end(choice);
  return LLVMIsASelectInst(choice) || LLVMIsAFreezeInst(choice);
}

static LLVMValueRef choose_element(LLVMBuilderRef builder, LLVMValueRef choice, unsigned index) {
  if (LLVMIsAPHINode(choice)) {
    LLVMTypeRef type = LLVMTypeOf(choice);
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    type = structure ? LLVMStructGetTypeAtIndex(type, index) : LLVMGetElementType(type);
    return LLVMBuildPhi(builder, type, "element");
  }
  if (LLVMIsAFreezeInst(choice)) {
    LLVMValueRef element = LLVMBuildExtractValue(builder, LLVMGetOperand(choice, 0), index, "");
    return LLVMBuildFreeze(builder, element, "element");
  }
  LLVMValueRef yes = LLVMBuildExtractValue(builder, LLVMGetOperand(choice, 1), index, "");
  LLVMValueRef no = LLVMBuildExtractValue(builder, LLVMGetOperand(choice, 2), index, "");
  return LLVMBuildSelect(builder, LLVMGetOperand(choice, 0), yes, no, "element");
}

/* A block may come in more than once. */
static void link_elements(NbArena *arena, LLVMBuilderRef builder, LLVMValueRef phi,
                          LLVMValueRef *elements) {
  NbMap *edges = nb_map_new(arena);
  unsigned count = nb_element_count(LLVMTypeOf(phi));
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef *taken = nb_map_get(edges, block);
    bool first = !taken;
    if (first)
      taken = NB_NEW_ARRAY(arena, LLVMValueRef, count);
    nb_map_set(edges, block, taken);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(block));
    for (unsigned k = 0; k < count; k++) {
      if (first)
        taken[k] = LLVMBuildExtractValue(builder, LLVMGetIncomingValue(phi, i), k, "");
      LLVMAddIncoming(elements[k], &taken[k], &block, 1);
    }
  }
}

static void split(NbArena *arena, LLVMBuilderRef builder, LLVMValueRef choice) {
  unsigned count = nb_element_count(LLVMTypeOf(choice));
  LLVMValueRef elements[MOST_ELEMENTS], whole = LLVMGetPoison(LLVMTypeOf(choice)), next = choice;
  LLVMPositionBuilderBefore(builder, choice);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(choice));
  for (unsigned i = 0; i < count; i++)
    elements[i] = choose_element(builder, choice, i);
  while (LLVMIsAPHINode(next))
    next = LLVMGetNextInstruction(next);
  LLVMPositionBuilderBefore(builder, next);
  for (unsigned i = 0; i < count; i++)
    whole = LLVMBuildInsertValue(builder, whole, elements[i], i, "");
  LLVMReplaceAllUsesWith(choice, whole);
  if (LLVMIsAPHINode(choice))
    link_elements(arena, builder, choice, elements);
  LLVMInstructionEraseFromParent(choice);
}

static bool split_next(NbArena *arena, LLVMBuilderRef builder, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!is_split(at))
      continue;
    split(arena, builder, at);
    return true;
  }
  return false;
}

/* Where exceptions are caught, what stands for their parts has to stay, whatever uses it. */
bool nb_types_split_choices(NbContext *context, LLVMValueRef function) {
  if (LLVMHasPersonalityFn(function))
    return false;
  NbArena *arena = nb_arena_new();
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  unsigned count = 0;
  while (count < MOST_CHOICES && split_next(arena, builder, function))
    count++;
  LLVMDisposeBuilder(builder);
  nb_arena_free(arena);
  if (!count)
    return false;
  nb_analyses_forget(context->analyses, function);
  LLVMDisposeMessage(
      nb_passes_run(context->analyses, context->module, function, "instsimplify,bdce,lcssa"));
  return true;
}
