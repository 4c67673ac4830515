// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arguments whose primal memory the caller does not need (enzyme_dupnoneed): the stores into it go,
 * so that the pointer may be null. Where only the run tells whether a pointer leads there, a value
 * goes into memory of nobody's instead, and a movement of many bytes moves none. */
#include "emit/emit.h"

typedef struct Drop {
  const NbLinear *linear;
  LLVMBuilderRef builder;
  NbMap *flags; /* pointer -> an i1: is its memory unneeded? */
} Drop;

static LLVMTypeRef bit_type(const Drop *drop) {
  return LLVMInt1TypeInContext(drop->linear->work->context->llvm);
}

static NbNeed need_of(const Drop *drop, LLVMValueRef pointer) {
  return nb_unneeded_need(drop->linear->unneeded, pointer);
}

static LLVMValueRef flag_of(Drop *drop, LLVMValueRef pointer);

static LLVMValueRef flag_of_phi(Drop *drop, LLVMValueRef phi) {
  LLVMPositionBuilderBefore(drop->builder, phi);
  LLVMValueRef flag = LLVMBuildPhi(drop->builder, bit_type(drop), "unneeded");
  nb_map_set(drop->flags, phi, flag);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef arm = flag_of(drop, LLVMGetIncomingValue(phi, i));
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMAddIncoming(flag, &arm, &from, 1);
  }
  return flag;
}

static LLVMValueRef flag_of_select(Drop *drop, LLVMValueRef choice) {
  LLVMValueRef first = flag_of(drop, LLVMGetOperand(choice, 1));
  LLVMValueRef second = flag_of(drop, LLVMGetOperand(choice, 2));
  LLVMPositionBuilderBefore(drop->builder, choice);
  return LLVMBuildSelect(drop->builder, LLVMGetOperand(choice, 0), first, second, "unneeded");
}

/* The program of choices, repeated on truth values. */
static LLVMValueRef flag_of(Drop *drop, LLVMValueRef pointer) {
  NbNeed need = need_of(drop, pointer);
  if (need != NB_NEED_EITHER)
    return LLVMConstInt(bit_type(drop), need == NB_NEED_NO, false);
  LLVMValueRef flag = nb_map_get(drop->flags, pointer);
  if (flag)
    return flag;
  if (LLVMIsAPHINode(pointer))
    return flag_of_phi(drop, pointer);
  flag = LLVMIsASelectInst(pointer) ? flag_of_select(drop, pointer)
                                    : flag_of(drop, LLVMGetOperand(pointer, 0));
  nb_map_set(drop->flags, pointer, flag);
  return flag;
}

static LLVMValueRef make_spare(const Drop *drop, LLVMTypeRef type, unsigned align) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(drop->linear->work->function);
  LLVMPositionBuilderBefore(drop->builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef spare = LLVMBuildAlloca(drop->builder, type, "spare");
  if (align > LLVMGetAlignment(spare))
    LLVMSetAlignment(spare, align);
  return spare;
}

/* What the instruction writes through the operand goes to spare memory instead. */
static void redirect(Drop *drop, LLVMValueRef inst, unsigned operand, LLVMTypeRef type,
                     unsigned align) {
  LLVMValueRef pointer = LLVMGetOperand(inst, operand);
  LLVMValueRef flag = flag_of(drop, pointer);
  LLVMValueRef spare = make_spare(drop, type, align);
  LLVMPositionBuilderBefore(drop->builder, inst);
  LLVMSetOperand(inst, operand, LLVMBuildSelect(drop->builder, flag, spare, pointer, ""));
}

static void drop_store(Drop *drop, LLVMValueRef store) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
  NbNeed need = need_of(drop, LLVMGetOperand(store, 1));
  if (need == NB_NEED_NO)
    LLVMInstructionEraseFromParent(store);
  else if (need == NB_NEED_EITHER)
    redirect(drop, store, 1, type, LLVMGetAlignment(store));
}

static void drop_bytes(Drop *drop, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef to = LLVMGetOperand(call, rule->operands[0]);
  unsigned extent = rule->operands[rule->kind == NB_RULE_COPY ? 2 : 1];
  if (need_of(drop, to) == NB_NEED_YES)
    return;
  LLVMValueRef bytes = LLVMGetOperand(call, extent);
  LLVMValueRef flag = flag_of(drop, to);
  LLVMPositionBuilderBefore(drop->builder, call);
  bytes = LLVMBuildSelect(drop->builder, flag, LLVMConstNull(LLVMTypeOf(bytes)), bytes, "");
  LLVMSetOperand(call, extent, bytes);
}

/* What a row writes is a scalar, no larger than two doubles. */
static void drop_written(Drop *drop, LLVMValueRef call) {
  LLVMTypeRef type = LLVMArrayType2(LLVMDoubleTypeInContext(drop->linear->work->context->llvm), 2);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (need_of(drop, LLVMGetOperand(call, i)) != NB_NEED_YES)
      redirect(drop, call, i, type, 2 * sizeof(double));
}

static void drop_from(Drop *drop, LLVMValueRef inst) {
  if (LLVMIsAStoreInst(inst)) {
    drop_store(drop, inst);
    return;
  }
  const NbRule *rule =
      LLVMIsACallInst(inst) ? nb_rule_of_call(drop->linear->work->context, inst, NULL) : NULL;
  if (!rule)
    return;
  if (rule->kind == NB_RULE_COPY || rule->kind == NB_RULE_FILL)
    drop_bytes(drop, inst, rule);
  else
    drop_written(drop, inst);
}

void nb_emit_drop_unneeded(const NbLinear *linear, LLVMValueRef function) {
  NbContext *context = linear->work->context;
  if (!linear->unneeded)
    return;
  Drop drop = {linear, LLVMCreateBuilderInContext(context->llvm), nb_map_new(context->arena)};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
      next = LLVMGetNextInstruction(inst);
      if (nb_map_has(linear->following, inst))
        drop_from(&drop, inst);
    }
  LLVMDisposeBuilder(drop.builder);
}
