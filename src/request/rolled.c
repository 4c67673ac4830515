// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that move several bytes one by one, as those do that exchange two objects, are copies to
 * prepare (prepare/moves.h), if they are still there then: vectors and straight lines of bytes
 * would be pieces of numbers. */
#include "request/rolled.h"

#include "objects/graph.h"

enum { LEAST_MOVED = 2 };

static bool is_byte(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 8;
}

/* Of the front end's code, where local variables are in memory. */
static bool moves_byte(LLVMValueRef inst) {
  LLVMValueRef value = LLVMIsAStoreInst(inst) ? LLVMGetOperand(inst, 0) : NULL;
  return value && LLVMIsALoadInst(value) && is_byte(LLVMTypeOf(value)) &&
         !LLVMIsAAllocaInst(LLVMGetOperand(inst, 1));
}

void nb_rolled_note(const NbContext *context) {
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function)) {
    unsigned moved = 0;
    for (LLVMValueRef at = nb_instruction_first(function); at && moved < LEAST_MOVED;
         at = nb_instruction_next(at))
      moved += moves_byte(at);
    if (moved == LEAST_MOVED)
      nb_loops_keep_rolled(function, moves_byte, LEAST_MOVED);
  }
}
