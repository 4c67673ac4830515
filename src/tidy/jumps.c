// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops around a switch in which one variable takes the old value of another.
 *
 * LLVM makes a jump through a table of the switch and, for a better prediction of jumps, copies the
 * block of the loop's variables to where it is reached from. There it takes the new value of the
 * other variable for the old one (LLVM 19 to 22, early tail duplication). Control that goes through
 * such a switch is frequent in derivatives of cycles that are entered at several places. Without a
 * table there is nothing to copy. */
#include "objects/graph.h"
#include "tidy/tidy.h"

#include <string.h>

/* A smaller switch gets no table. */
enum { LEAST_CASES = 4 };

#define ATTRIBUTE "no-jump-tables"

static bool takes_old_value(LLVMValueRef phi) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef arm = LLVMGetIncomingValue(phi, i);
    if (arm != phi && LLVMIsAPHINode(arm) && LLVMGetInstructionParent(arm) == block)
      return true;
  }
  return false;
}

static bool exchanges(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(at) && !takes_old_value(at))
    at = LLVMGetNextInstruction(at);
  return LLVMIsAPHINode(at) != NULL;
}

static bool may_jump_by_table(LLVMBasicBlockRef block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  return LLVMIsASwitchInst(last) && LLVMGetNumSuccessors(last) > LEAST_CASES;
}

bool nb_tidy_avoid_tables(LLVMValueRef function) {
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  while (block && !(may_jump_by_table(block) && exchanges(block)))
    block = LLVMGetNextBasicBlock(block);
  if (!block)
    return false;
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAttributeRef none = LLVMCreateStringAttribute(llvm, ATTRIBUTE, strlen(ATTRIBUTE), "true", 4);
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, none);
  return true;
}
