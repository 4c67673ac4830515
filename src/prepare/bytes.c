// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops over single bytes: `while (n--) *to++ = *from++`, or over short runs of bytes. The
 * optimiser makes copies of them, but not at -O0, where a number that is moved so would come in
 * pieces. */
#include "prepare/bytes.h"

#include "objects/graph.h"

enum { LONGEST_PIECE = 64 };

unsigned nb_prepare_size_moved(LLVMValueRef access) {
  LLVMTypeRef type = LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
  if (!nb_access_is_plain(access) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
    return 0;
  unsigned bits = LLVMGetIntTypeWidth(type);
  return bits % 8 == 0 && bits <= LONGEST_PIECE ? bits / 8 : 0;
}

unsigned nb_prepare_piece(LLVMValueRef access) {
  unsigned size = nb_prepare_size_moved(access);
  return size == 1 || LLVMGetAlignment(access) == 1 ? size : 0;
}

static bool moves_piece(LLVMValueRef inst) {
  if (!LLVMIsAStoreInst(inst) || LLVMIsAAllocaInst(LLVMGetOperand(inst, 1)) ||
      !nb_prepare_piece(inst))
    return false;
  LLVMValueRef value = LLVMGetOperand(inst, 0);
  return LLVMIsALoadInst(value) || LLVMIsAConstantInt(value);
}

bool nb_prepare_moves_bytes(const NbContext *context, LLVMValueRef function) {
  if (!context->analyses)
    return false;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (moves_piece(at) && nb_loop_of(context->analyses, LLVMGetInstructionParent(at)))
      return true;
  return false;
}
