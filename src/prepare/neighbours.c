// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* x86's instructions between neighbouring lanes, as shuffles and operators on whole vectors. They
 * work within parts of 128 bits. */
#include "prepare/neighbours.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { PART_BITS = 128, MOST_LANES = 8 };

typedef enum {
  NEITHER,
  PAIRS,      /* of the first vector, then of the second: even lane, operator, odd lane */
  ALTERNATING /* even lanes are differences, odd ones sums */
} Form;

typedef struct Operation {
  const char *name;
  Form form;
  LLVMOpcode opcode; /* of PAIRS */
} Operation;

static const Operation operations[] = {
    {"hadd.", PAIRS, LLVMFAdd}, {"hsub.", PAIRS, LLVMFSub}, {"addsub.", ALTERNATING, LLVMFAdd}};

static const char *rest_behind(const char *text, const char *start) {
  size_t length = strlen(start);
  return strncmp(text, start, length) == 0 ? text + length : NULL;
}

/* The operation that the call is on vectors of floats; its form is NEITHER where it is none. */
static Operation operation_of(LLVMValueRef call) {
  Operation none = {NULL, NEITHER, LLVMFAdd};
  LLVMValueRef callee = LLVMIsACallInst(call) ? nb_callee(call) : NULL;
  if (!callee || LLVMGetIntrinsicID(callee) == 0)
    return none;
  const char *name = LLVMGetValueName(callee);
  const char *rest = rest_behind(name, "llvm.x86.sse3.");
  rest = rest ? rest : rest_behind(name, "llvm.x86.avx.");
  for (unsigned i = 0; rest && i < sizeof operations / sizeof *operations; i++)
    if (rest_behind(rest, operations[i].name))
      return operations[i];
  return none;
}

static LLVMValueRef shuffle(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b,
                            const unsigned *lanes, unsigned count) {
  LLVMValueRef mask[MOST_LANES];
  LLVMTypeRef index = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(a)));
  for (unsigned i = 0; i < count; i++)
    mask[i] = LLVMConstInt(index, lanes[i], false);
  return LLVMBuildShuffleVector(builder, a, b, LLVMConstVector(mask, count), "");
}

static LLVMValueRef build_pairs(const NbContext *context, LLVMBuilderRef builder, LLVMOpcode opcode,
                                LLVMValueRef a, LLVMValueRef b) {
  unsigned even[MOST_LANES], odd[MOST_LANES];
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(a));
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(a));
  unsigned part = PART_BITS / (unsigned)LLVMSizeOfTypeInBits(context->layout, element);
  for (unsigned i = 0; i < count; i++) {
    unsigned within = i % part, start = i - within;
    unsigned pair = within < part / 2 ? within : count + within - part / 2;
    even[i] = start + (pair < count ? 2 * pair : count + 2 * (pair - count));
    odd[i] = even[i] + 1;
  }
  LLVMValueRef first = shuffle(builder, a, b, even, count);
  LLVMValueRef second = shuffle(builder, a, b, odd, count);
  return LLVMBuildBinOp(builder, opcode, first, second, "");
}

static LLVMValueRef build_alternating(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b) {
  unsigned lanes[MOST_LANES];
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(a));
  for (unsigned i = 0; i < count; i++)
    lanes[i] = i % 2 ? count + i : i;
  LLVMValueRef difference = LLVMBuildFSub(builder, a, b, "");
  LLVMValueRef sum = LLVMBuildFAdd(builder, a, b, "");
  return shuffle(builder, difference, sum, lanes, count);
}

static void expand(const NbContext *context, LLVMValueRef call, Operation operation) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  LLVMValueRef value = operation.form == PAIRS
                           ? build_pairs(context, builder, operation.opcode, a, b)
                           : build_alternating(builder, a, b);
  LLVMReplaceAllUsesWith(call, value);
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

void nb_prepare_expand_neighbours(NbContext *context, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
      next = LLVMGetNextInstruction(inst);
      Operation operation = operation_of(inst);
      if (operation.form != NEITHER)
        expand(context, inst, operation);
    }
}
