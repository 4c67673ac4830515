// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which functions return the bits of a float as an integer, as helpers that pun do before they are
 * inlined. What an integer argument carries is not asked here: a call that takes the bits of an
 * active number is refused where it stands. */
#include "activity/flow.h"

enum { DEEPEST = 8 };

typedef struct Search {
  NbContext *context;
  NbMap *seen; /* values and functions that were looked at */
  unsigned depth;
} Search;

static bool returns_bits(Search *search, LLVMValueRef function);

static bool is_bits(Search *search, NbTypes *types, LLVMValueRef value);

/* Is a float known to lie where an integer is loaded? */
static bool loads_bits(Search *search, NbTypes *types, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  NbLayout layout =
      nb_types_layout(types, pointer, nb_store_size(search->context, LLVMTypeOf(load)));
  for (unsigned i = 0; i < layout.count; i++)
    if (layout.pieces[i].kind == NB_KIND_FLOAT || layout.pieces[i].kind == NB_KIND_CONFLICT)
      return true;
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); LLVMIsAAllocaInst(pointer) && use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && is_bits(search, types, LLVMGetOperand(user, 0)))
      return true;
  }
  return false;
}

static bool any_operand_is_bits(Search *search, NbTypes *types, LLVMValueRef inst) {
  for (int i = 0; i < LLVMGetNumOperands(inst); i++)
    if (is_bits(search, types, LLVMGetOperand(inst, (unsigned)i)))
      return true;
  return false;
}

static bool is_bits(Search *search, NbTypes *types, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || nb_map_has(search->seen, value))
    return false;
  nb_map_set(search->seen, value, value);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMBitCast:
    return nb_activity_has_real(LLVMTypeOf(LLVMGetOperand(value, 0))) ||
           any_operand_is_bits(search, types, value);
  case LLVMLoad:
    return loads_bits(search, types, value);
  case LLVMCall:
    return nb_callee(value) && returns_bits(search, nb_callee(value));
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMAdd:
  case LLVMSub:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
    return any_operand_is_bits(search, types, value);
  default:
    return false;
  }
}

static bool returns_bits(Search *search, LLVMValueRef function) {
  if (LLVMCountBasicBlocks(function) == 0 || nb_map_has(search->seen, function))
    return false;
  if (search->depth == DEEPEST)
    return true;
  nb_map_set(search->seen, function, function);
  search->depth++;
  NbTypes *types = nb_types_of_group(nb_summary_of(search->context, function));
  bool found = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && !found;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    found = LLVMIsAReturnInst(last) && LLVMGetNumOperands(last) &&
            is_bits(search, types, LLVMGetOperand(last, 0));
  }
  search->depth--;
  return found;
}

bool nb_activity_returns_bits(NbActivity *activity, LLVMValueRef callee) {
  if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(callee))) != LLVMIntegerTypeKind)
    return false;
  if (!nb_map_has(activity->returns, callee)) {
    Search search = {activity->context, nb_map_new(activity->context->arena), 0};
    bool found = returns_bits(&search, callee);
    nb_map_set(activity->returns, callee, found ? callee : NULL);
  }
  return nb_map_get(activity->returns, callee) != NULL;
}
