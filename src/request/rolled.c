// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that exchange two objects byte by byte, or copy one where LLVM does not see that they lie
 * apart, are copies to prepare (prepare/moves.h), if they are still there then: vectors and
 * straight lines of bytes would be pieces of numbers. Only in what is to be differentiated, for
 * other code is to be as fast as it was. */
#include "request/rolled.h"

#include "objects/graph.h"
#include "request/collected.h"

/* A byte that was loaded is stored; of the front end's code, where local variables are in memory.
 */
static bool moves_byte(LLVMValueRef inst) {
  LLVMValueRef value = LLVMIsAStoreInst(inst) ? LLVMGetOperand(inst, 0) : NULL;
  return value && LLVMIsALoadInst(value) && nb_is_byte(LLVMTypeOf(value)) &&
         !LLVMIsAAllocaInst(LLVMGetOperand(inst, 1));
}

static bool is_from_variable(LLVMValueRef inst) {
  return moves_byte(inst) && LLVMIsAAllocaInst(LLVMGetOperand(LLVMGetOperand(inst, 0), 0));
}

static bool is_from_elsewhere(LLVMValueRef inst) {
  return moves_byte(inst) && !is_from_variable(inst);
}

/* Does it store something else than a byte, or call a function that may? */
static bool does_more(LLVMValueRef inst) {
  if (LLVMIsAStoreInst(inst))
    return !moves_byte(inst) && !LLVMIsAAllocaInst(LLVMGetOperand(inst, 1));
  return nb_is_call(inst) && nb_memory_may_write_any(inst);
}

static bool moves_bytes(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (is_from_elsewhere(at))
      return true;
  return false;
}

void nb_rolled_note(const NbContext *context, const NbList *calls) {
  NbList reached = nb_request_reach(context, calls);
  for (unsigned i = 0; i < reached.count; i++)
    if (moves_bytes(reached.items[i]))
      nb_loops_keep_rolled(reached.items[i], is_from_elsewhere, is_from_variable, does_more);
}
