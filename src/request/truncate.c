// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* __enzyme_truncate_op_func: a copy of a function that computes in a narrower format. Each
 * operation on floats of the wide format rounds its operands and its result; what lies in memory,
 * and goes in and out, stays wide. The functions that it calls are copied as well. */
#include "request/serving.h"

#include <string.h>

typedef struct Truncation {
  NbServing *serving;
  NbContext *context;
  LLVMTypeRef from, to;
  NbMap *copies; /* function -> its copy */
} Truncation;

static LLVMTypeRef format_of(const NbContext *context, uint64_t bits) {
  switch (bits) {
  case 64:
    return LLVMDoubleTypeInContext(context->llvm);
  case 32:
    return LLVMFloatTypeInContext(context->llvm);
  case 16:
    return LLVMHalfTypeInContext(context->llvm);
  default:
    return NULL;
  }
}

/* An exponent and a significand, without the sign and the leading bit; 0 where no processor has it.
 */
static uint64_t bits_of_format(uint64_t exponent, uint64_t significand) {
  static const struct {
    unsigned exponent, significand, bits;
  } formats[] = {{11, 52, 64}, {8, 23, 32}, {5, 10, 16}};
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].exponent == exponent && formats[i].significand == significand)
      return formats[i].bits;
  return 0;
}

/* The narrow type of a float of the wide format, or of a vector of them; NULL for others. */
static LLVMTypeRef narrow_type(const Truncation *truncation, LLVMTypeRef type) {
  if (type == truncation->from)
    return truncation->to;
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  if (!vector || LLVMGetElementType(type) != truncation->from)
    return NULL;
  return LLVMVectorType(truncation->to, LLVMGetVectorSize(type));
}

static LLVMValueRef narrowed(const Truncation *truncation, LLVMBuilderRef builder,
                             LLVMValueRef value) {
  LLVMTypeRef type = narrow_type(truncation, LLVMTypeOf(value));
  return type ? LLVMBuildFPTrunc(builder, value, type, "") : value;
}

static LLVMValueRef rounded(const Truncation *truncation, LLVMBuilderRef builder,
                            LLVMValueRef value) {
  LLVMValueRef narrow = narrowed(truncation, builder, value);
  return narrow == value ? value : LLVMBuildFPExt(builder, narrow, LLVMTypeOf(value), "");
}

static void round_operation(const Truncation *truncation, LLVMBuilderRef builder,
                            LLVMValueRef inst) {
  if (!narrow_type(truncation, LLVMTypeOf(inst)))
    return;
  LLVMValueRef left = narrowed(truncation, builder, LLVMGetOperand(inst, 0));
  LLVMValueRef right = narrowed(truncation, builder, LLVMGetOperand(inst, 1));
  LLVMValueRef result = LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(inst), left, right, "");
  if (LLVMCanValueUseFastMathFlags(inst) && LLVMCanValueUseFastMathFlags(result))
    LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(inst));
  LLVMReplaceAllUsesWith(inst, LLVMBuildFPExt(builder, result, LLVMTypeOf(inst), ""));
  LLVMInstructionEraseFromParent(inst);
}

static void round_operands(const Truncation *truncation, LLVMBuilderRef builder, LLVMValueRef inst,
                           unsigned count) {
  for (unsigned i = 0; i < count; i++)
    LLVMSetOperand(inst, i, rounded(truncation, builder, LLVMGetOperand(inst, i)));
}

static void round_result(const Truncation *truncation, LLVMBuilderRef builder, LLVMValueRef inst) {
  LLVMTypeRef type = narrow_type(truncation, LLVMTypeOf(inst));
  if (!type)
    return;
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(inst));
  LLVMValueRef narrow = LLVMBuildFPTrunc(builder, inst, type, "");
  LLVMValueRef wide = LLVMBuildFPExt(builder, narrow, LLVMTypeOf(inst), "");
  LLVMReplaceAllUsesWith(inst, wide);
  LLVMSetOperand(narrow, 0, inst);
}

static LLVMValueRef copy_of(Truncation *truncation, LLVMValueRef function);

/* A function of numbers, by its row, is an operation; any other without a body is left alone. */
static bool round_call(Truncation *truncation, LLVMBuilderRef builder, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  const NbRule *rule = nb_rule_of_call(truncation->context, call, NULL);
  if (!callee)
    return nb_refuse(truncation->context, NB_ERROR_INDIRECT_CALL, call,
                     "a function that is only known when the program runs is called, and it cannot "
                     "be truncated");
  if (LLVMCountBasicBlocks(callee)) {
    LLVMValueRef copy = copy_of(truncation, callee);
    if (copy)
      LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, copy);
    return copy != NULL;
  }
  if (!rule || rule->kind != NB_RULE_TANGENT || !LLVMIsACallInst(call))
    return true;
  round_operands(truncation, builder, call, LLVMGetNumArgOperands(call));
  round_result(truncation, builder, call);
  return true;
}

static bool round_instruction(Truncation *truncation, LLVMBuilderRef builder, LLVMValueRef inst) {
  LLVMPositionBuilderBefore(builder, inst);
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFRem:
    round_operation(truncation, builder, inst);
    return true;
  case LLVMFCmp:
    round_operands(truncation, builder, inst, 2);
    return true;
  case LLVMCall:
  case LLVMInvoke:
    return round_call(truncation, builder, inst);
  default:
    return true;
  }
}

static bool round_all(Truncation *truncation, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(truncation->context->llvm);
  bool ok = true;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; ok && at; at = next) {
      next = LLVMGetNextInstruction(at);
      ok = round_instruction(truncation, builder, at);
    }
  LLVMDisposeBuilder(builder);
  return ok;
}

/* NULL where it was refused. */
static LLVMValueRef copy_of(Truncation *truncation, LLVMValueRef function) {
  NbContext *context = truncation->context;
  LLVMValueRef copy = nb_map_get(truncation->copies, function);
  if (copy)
    return copy;
  const char *name = nb_arena_print(context->arena, "nabla.truncated.%s", nb_name(function));
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *parameters = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  copy = LLVMAddFunction(context->module, name, LLVMGlobalGetValueType(function));
  nb_map_set(truncation->copies, function, copy);
  LLVMSetLinkage(copy, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(copy, LLVMGetFunctionCallConv(function));
  LLVMGetParams(copy, parameters);
  nb_clone_body(copy, function, parameters);
  nb_attributes_copy_target(copy, function);
  for (unsigned i = 0; i <= count; i++) {
    unsigned attributes = LLVMGetAttributeCountAtIndex(function, i);
    LLVMAttributeRef *list = NB_NEW_ARRAY(context->arena, LLVMAttributeRef, attributes + 1);
    LLVMGetAttributesAtIndex(function, i, list);
    for (unsigned k = 0; k < attributes; k++)
      LLVMAddAttributeAtIndex(copy, i, list[k]);
  }
  return round_all(truncation, copy) ? copy : NULL;
}

/* The number behind the function; false where it is no constant. */
static bool take_number(NbServing *serving, uint64_t *number) {
  if (serving->next >= serving->count || serving->operands[serving->next].marker != NB_MARKER_NONE)
    return false;
  LLVMValueRef value = LLVMGetOperand(serving->call, serving->indices[serving->next++]);
  *number = LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
  return LLVMIsAConstantInt(value) != NULL;
}

bool nb_serving_emit_truncated(NbServing *serving, NbList *fields) {
  NbContext *context = serving->context;
  uint64_t numbers[3] = {0, 0, 0};
  unsigned count = 0;
  while (count < 3 && take_number(serving, &numbers[count]))
    count++;
  uint64_t to = count == 3 ? bits_of_format(numbers[1], numbers[2]) : numbers[1];
  Truncation truncation = {serving, context, format_of(context, numbers[0]), format_of(context, to),
                           nb_map_new(context->arena)};
  if (serving->next < serving->count || count < 2 || !truncation.from || !truncation.to ||
      to >= numbers[0])
    return nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, serving->call,
                     "behind the function the bits of two formats must stand, 64, 32 or 16, the "
                     "second narrower than the first, or the bits of one and then exponent and "
                     "significand of another that the processor has: others are not supported yet");
  LLVMValueRef copy = copy_of(&truncation, serving->function);
  if (copy)
    nb_list_push(fields, copy);
  return copy != NULL;
}
