// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that set a few elements to constants: clang makes one of `T t = {.v = {x}}` for the rest of
 * an array. Stores at known places say what each member of a struct is, a loop that leads over them
 * does not. */
#include "prepare/fills.h"

#include "objects/graph.h"
#include "prepare/single.h"

enum { MOST_ITERATIONS = 16 };

static bool stores_constant(LLVMValueRef inst) {
  return LLVMIsAStoreInst(inst) && LLVMIsAConstant(LLVMGetOperand(inst, 0)) &&
         nb_access_is_plain(inst);
}

static bool is_fill(LLVMBasicBlockRef block) {
  unsigned stores = 0;
  for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
       inst = LLVMGetNextInstruction(inst)) {
    bool stored = stores_constant(inst);
    if (!stored && !nb_single_leads_on(inst))
      return false;
    stores += stored;
  }
  return stores > 0 && nb_single_repeats(block);
}

NbList nb_prepare_find_fills(const NbContext *context, LLVMValueRef function) {
  NbList headers = nb_list(context->arena);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); context->analyses && block;
       block = LLVMGetNextBasicBlock(block))
    if (is_fill(block))
      nb_list_push(&headers, block);
  return headers;
}

bool nb_prepare_spell_fills(const NbContext *context, const NbList *headers) {
  bool changed = false;
  for (unsigned i = 0; i < headers->count; i++)
    changed |= nb_loop_unroll(context->analyses, headers->items[i], MOST_ITERATIONS);
  return changed;
}
