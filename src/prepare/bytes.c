// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops over single bytes: `while (n--) *to++ = *from++`. The optimiser makes copies of them, but
 * not at -O0, where a number that is moved so would come in pieces. */
#include "prepare/bytes.h"

#include "objects/graph.h"

static bool moves_byte(LLVMValueRef inst) {
  if (!LLVMIsAStoreInst(inst) || LLVMGetVolatile(inst) ||
      LLVMIsAAllocaInst(LLVMGetOperand(inst, 1)))
    return false;
  LLVMValueRef value = LLVMGetOperand(inst, 0);
  return nb_is_byte(LLVMTypeOf(value)) && (LLVMIsALoadInst(value) || LLVMIsAConstantInt(value));
}

bool nb_prepare_moves_bytes(const NbContext *context, LLVMValueRef function) {
  if (!context->analyses)
    return false;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (moves_byte(at) && nb_loop_of(context->analyses, LLVMGetInstructionParent(at)))
      return true;
  return false;
}
