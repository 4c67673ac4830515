// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Variants whose slot holds a pointer or an integer, as the result of a vector of Rust's that
 * grows: LLVM reads the slot once, as an integer, behind the place where both ways meet, and makes
 * a pointer of that where the tag says so. Where the two ways do not meet, the pointer is the one
 * that was stored. */
#include "prepare/pointers.h"

#include "objects/graph.h"

static bool is_loaded_pointer(LLVMValueRef inst) {
  if (!LLVMIsAIntToPtrInst(inst))
    return false;
  LLVMValueRef integer = LLVMGetOperand(inst, 0);
  return LLVMIsALoadInst(integer) && nb_access_is_plain(integer);
}

bool nb_prepare_loads_pointers(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (is_loaded_pointer(at))
      return true;
  return false;
}
