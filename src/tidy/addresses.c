// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Addresses that are the bits of numbers: pointers that were stored as numbers and are loaded
 * again.
 *
 * Without optimisation LLVM's selector of x86 instructions looks for an address through the casts
 * that make no instruction, takes a cast from a double for one of these, too, and addresses memory
 * by a general register that has the number of the vector register. Past a freeze it does not look.
 */
#include "objects/graph.h"
#include "tidy/tidy.h"

#include <llvm-c/DebugInfo.h>

static bool is_bits(LLVMValueRef pointer) {
  LLVMValueRef bits = LLVMIsAIntToPtrInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
  return bits && LLVMIsABitCastInst(bits);
}

void nb_tidy_keep_addresses(NbContext *context, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!is_bits(at))
      continue;
    LLVMPositionBuilderBefore(builder, at);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
    LLVMSetOperand(at, 0, LLVMBuildFreeze(builder, LLVMGetOperand(at, 0), ""));
  }
  LLVMDisposeBuilder(builder);
}
