// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers that are the addresses of pointers, joined beside these pointers.
 *
 * A derivative that kept such an integer for its reverse sweep would keep what a pointer might be
 * made of again, and it would not be known where the shadow of that lies. So the address is taken
 * of the pointer behind the join. */
#include "prepare/addresses.h"

#include "objects/graph.h"

static bool joins_addresses(LLVMValueRef inst) {
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMIntegerTypeKind || !LLVMIsAPHINode(inst))
    return false;
  for (unsigned i = 0; i < LLVMCountIncoming(inst); i++)
    if (!LLVMIsAPtrToIntInst(LLVMGetIncomingValue(inst, i)))
      return false;
  return true;
}

static LLVMValueRef arm_from(LLVMValueRef phi, LLVMBasicBlockRef block) {
  unsigned i = 0;
  while (LLVMGetIncomingBlock(phi, i) != block)
    i++;
  return LLVMGetIncomingValue(phi, i);
}

static bool joins_pointers_of(LLVMValueRef pointers, LLVMValueRef addresses) {
  for (unsigned i = 0; i < LLVMCountIncoming(addresses); i++) {
    LLVMValueRef pointer = LLVMGetOperand(LLVMGetIncomingValue(addresses, i), 0);
    if (arm_from(pointers, LLVMGetIncomingBlock(addresses, i)) != pointer)
      return false;
  }
  return true;
}

/* The pointers that the addresses are of, where they are joined, too; else NULL. */
static LLVMValueRef pointers_of(LLVMValueRef addresses) {
  LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetInstructionParent(addresses));
  while (LLVMIsAPHINode(phi) && !joins_pointers_of(phi, addresses))
    phi = LLVMGetNextInstruction(phi);
  return LLVMIsAPHINode(phi) ? phi : NULL;
}

static void take_address(LLVMBuilderRef builder, LLVMValueRef addresses, LLVMValueRef pointers) {
  LLVMPositionBuilderBefore(builder, nb_work_place_after_phis(LLVMGetInstructionParent(addresses)));
  LLVMValueRef address = LLVMBuildPtrToInt(builder, pointers, LLVMTypeOf(addresses), "");
  LLVMReplaceAllUsesWith(addresses, address);
  LLVMInstructionEraseFromParent(addresses);
}

static bool take_some(LLVMBuilderRef builder, LLVMValueRef function) {
  bool changed = false;
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    LLVMValueRef pointers = joins_addresses(at) ? pointers_of(at) : NULL;
    if (!pointers)
      continue;
    take_address(builder, at, pointers);
    changed = true;
  }
  return changed;
}

void nb_prepare_take_addresses(NbContext *context, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  while (take_some(builder, function)) {
  }
  LLVMDisposeBuilder(builder);
}
