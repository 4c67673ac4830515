// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Reductions of vectors of floats become chains of what they are made of: each link has a rule. */
#include "prepare/reductions.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* A link is a binary intrinsic, whose name is the end of the reduction's without its `f` and with a
 * suffix, or an operator where there is none; those begin with the first argument of the reduction.
 */
typedef struct Reduction {
  const char *name, *suffix;
  LLVMOpcode opcode;
} Reduction;

static const Reduction reductions[] = {
    {"llvm.vector.reduce.fadd", NULL, LLVMFAdd},   {"llvm.vector.reduce.fmul", NULL, LLVMFMul},
    {"llvm.vector.reduce.fmax", "num", LLVMCall},  {"llvm.vector.reduce.fmin", "num", LLVMCall},
    {"llvm.vector.reduce.fmaximum", "", LLVMCall}, {"llvm.vector.reduce.fminimum", "", LLVMCall},
};

static const Reduction *reduction_of(LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsACallInst(call) ? nb_callee(call) : NULL;
  unsigned id = callee ? LLVMGetIntrinsicID(callee) : 0;
  for (unsigned i = 0; id && i < sizeof reductions / sizeof *reductions; i++)
    if (id == LLVMLookupIntrinsicID(reductions[i].name, strlen(reductions[i].name)))
      return &reductions[i];
  return NULL;
}

static LLVMValueRef link(NbContext *context, LLVMBuilderRef builder, const Reduction *reduction,
                         LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMValueRef arguments[] = {a, b};
  if (!reduction->suffix)
    return LLVMBuildBinOp(builder, reduction->opcode, a, b, "");
  const char *name = nb_arena_print(context->arena, "llvm.%s%s", strrchr(reduction->name, '.') + 2,
                                    reduction->suffix);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(context->module, id, &type, 1);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, 2, "");
}

static void expand(NbContext *context, LLVMValueRef call, const Reduction *reduction) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMTypeRef index = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef vector = LLVMGetOperand(call, reduction->suffix ? 0 : 1);
  LLVMValueRef value = reduction->suffix ? NULL : LLVMGetOperand(call, 0);
  LLVMFastMathFlags flags = LLVMCanValueUseFastMathFlags(call) ? LLVMGetFastMathFlags(call) : 0;
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i++) {
    LLVMValueRef at = LLVMConstInt(index, i, false);
    LLVMValueRef lane = LLVMBuildExtractElement(builder, vector, at, "");
    value = value ? link(context, builder, reduction, value, lane) : lane;
    if (LLVMIsAInstruction(value) && value != lane && LLVMCanValueUseFastMathFlags(value))
      LLVMSetFastMathFlags(value, flags);
  }
  LLVMReplaceAllUsesWith(call, value);
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

/* --- Parts of a long vector are added to a short one, in whichever order ---------------------- */

static const char partial[] = "llvm.vector.partial.reduce.fadd";

static bool is_partial(LLVMValueRef inst) {
  LLVMValueRef callee = LLVMIsACallInst(inst) ? nb_callee(inst) : NULL;
  unsigned id = callee ? LLVMGetIntrinsicID(callee) : 0;
  return id && id == LLVMLookupIntrinsicID(partial, strlen(partial)) &&
         LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMVectorTypeKind;
}

static void expand_partial(NbContext *context, LLVMValueRef call) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMTypeRef index = LLVMInt32TypeInContext(context->llvm);
  LLVMValueRef sum = LLVMGetOperand(call, 0), vector = LLVMGetOperand(call, 1);
  unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(sum));
  LLVMValueRef *mask = NB_NEW_ARRAY(context->arena, LLVMValueRef, lanes);
  LLVMFastMathFlags flags = LLVMCanValueUseFastMathFlags(call) ? LLVMGetFastMathFlags(call) : 0;
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i += lanes) {
    for (unsigned lane = 0; lane < lanes; lane++)
      mask[lane] = LLVMConstInt(index, i + lane, false);
    LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(vector));
    LLVMValueRef chosen = LLVMConstVector(mask, lanes);
    LLVMValueRef part = LLVMBuildShuffleVector(builder, vector, none, chosen, "");
    sum = LLVMBuildFAdd(builder, sum, part, "");
    if (LLVMIsAInstruction(sum))
      LLVMSetFastMathFlags(sum, flags);
  }
  LLVMReplaceAllUsesWith(call, sum);
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

void nb_prepare_expand_reductions(NbContext *context, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
      next = LLVMGetNextInstruction(inst);
      const Reduction *reduction = reduction_of(inst);
      bool fixed = reduction &&
                   LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, reduction->suffix ? 0 : 1))) ==
                       LLVMVectorTypeKind;
      if (fixed)
        expand(context, inst, reduction);
      else if (is_partial(inst))
        expand_partial(context, inst);
    }
}
