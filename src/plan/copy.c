// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/copy.h"

#include "emit/emit.h"
#include "emit/runtime.h"

enum { MAX_CHAIN = 16 };

LLVMValueRef nb_copy_array(LLVMValueRef pointer) {
  for (unsigned i = 0; LLVMIsAGetElementPtrInst(pointer); i++) {
    if (i == MAX_CHAIN || LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
      return NULL;
    pointer = LLVMGetOperand(pointer, 0);
  }
  return pointer;
}

static void dies_in_reverse(NbLinear *linear, LLVMValueRef copy) {
  const NbWorkBlock *block = nb_work_block_of(linear->work, copy);
  NbStatement *statement = NB_NEW(linear->work->context->arena, NbStatement);
  *statement = (NbStatement){.kind = NB_STATEMENT_ALLOCATE,
                             .origin = copy,
                             .address = copy,
                             .from_runtime = true,
                             .stacked = block->loop != NULL};
  nb_statement_append(&linear->blocks[block->index], statement);
}

LLVMValueRef nb_copy_allocate(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef count,
                              uint64_t bytes) {
  NbContext *context = linear->work->context;
  const NbRequest *request = linear->work->request;
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context->llvm, 0);
  LLVMTypeRef word = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef arguments[] = {count, LLVMConstInt(word, bytes, false),
                              nb_runtime_function_name(context, request->function),
                              nb_emit_budget(context, request, linear->work->function)};
  LLVMValueRef copy =
      nb_runtime_call(context, builder, "__nabla_tape_allocate", pointer, arguments, 4);
  dies_in_reverse(linear, copy);
  return copy;
}

/* The same address in the copy, of which `base` stands for the array. */
static LLVMValueRef address_in(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef pointer,
                               LLVMValueRef base) {
  if (!LLVMIsAGetElementPtrInst(pointer))
    return base;
  LLVMValueRef from = address_in(linear, builder, LLVMGetOperand(pointer, 0), base);
  unsigned count = (unsigned)LLVMGetNumOperands(pointer) - 1;
  LLVMValueRef *indices = NB_NEW_ARRAY(linear->work->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    indices[i] = LLVMGetOperand(pointer, i + 1);
  return LLVMBuildGEP2(builder, LLVMGetGEPSourceElementType(pointer), from, indices, count, "");
}

void nb_copy_read(NbLinear *linear, LLVMValueRef load, LLVMValueRef base, unsigned align) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(linear->work->context->llvm);
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(load));
  LLVMValueRef address = address_in(linear, builder, LLVMGetOperand(load, 0), base);
  LLVMValueRef again = LLVMBuildLoad2(builder, LLVMTypeOf(load), address, "kept");
  LLVMSetAlignment(again, align);
  nb_map_set(linear->again, load, again);
  nb_effects_note_lasting(linear->effects, again);
  LLVMDisposeBuilder(builder);
}
