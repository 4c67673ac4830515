// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that LLVM's vectoriser gets wrong are left to themselves.
 *
 * Before it takes an index that is cut to fewer bits, and widened again, for one that only grows,
 * it tests that the index does not wrap in those bits. From LLVM 20 on it takes the test of a wide
 * one for that of a narrow one, too (LLVM's change 118184), and so reads past the end of `table[i %
 * 8]` in a loop that also has an index of 32 bits. Where the trip count is known to fit into 32
 * bits the wide index needs no test, and nothing goes wrong: so it is in most programs, and less
 * often in derivatives, whose loops go up to a number in a tape. */
#include "objects/graph.h"
#include "tidy/tidy.h"

static bool may_widen(LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  return opcode == LLVMZExt || opcode == LLVMSExt || opcode == LLVMAnd;
}

/* The bits from which `inst` widens a recurrence of the loop; 0: it does nothing of the kind. */
static unsigned width_of(NbAnalyses *analyses, LLVMValueRef inst, NbLoop *loop) {
  NbScev *value = may_widen(inst) ? nb_scev_of(analyses, inst, inst) : NULL;
  return value ? nb_scev_widened_from(analyses, value, loop) : 0;
}

/* `widths` has for each loop the first width that was met. */
static void visit(NbContext *context, LLVMValueRef inst, NbMap *widths) {
  NbLoop *loop = nb_loop_of(context->analyses, LLVMGetInstructionParent(inst));
  unsigned width = loop ? width_of(context->analyses, inst, loop) : 0;
  if (!width)
    return;
  void *first = nb_map_get(widths, loop);
  if (!first)
    nb_map_set(widths, loop, (void *)(uintptr_t)width);
  else if (first != (void *)(uintptr_t)width)
    nb_loop_forbid_vectors(loop);
}

void nb_tidy_keep_scalar(NbContext *context, LLVMValueRef function) {
  if (!nb_vectoriser_mixes_widths())
    return;
  nb_analyses_forget(context->analyses, function);
  NbMap *widths = nb_map_new(context->arena);
  for (LLVMValueRef inst = nb_instruction_first(function); inst; inst = nb_instruction_next(inst))
    visit(context, inst, widths);
}
