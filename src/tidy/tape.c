// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The tape of a combined derivative. Every access goes through the address of one field: each field
 * becomes a variable, so that an array among them does not keep the others in memory. At most
 * STACK_BYTES of arrays stay on the stack; the others share one block of the heap. */
#include "emit/runtime.h"
#include "tidy/tidy.h"

enum { STACK_BYTES = 4096, HEAP_ALIGNMENT = 16 };

typedef struct Split {
  NbContext *context;
  LLVMValueRef tape; /* an alloca */
  LLVMTypeRef type;
  unsigned count;
  LLVMValueRef *places; /* by field; NULL: none yet */
  unsigned *in_block;   /* by field: its number in the block plus one; 0: on the stack */
  LLVMTypeRef block_type;
  LLVMValueRef block; /* NULL: nothing is on the heap */
  LLVMBuilderRef builder;
} Split;

/* Inlining folds the address of the first field into that of the tape. */
static bool is_field_address(LLVMValueRef user, LLVMTypeRef tape) {
  return LLVMIsAGetElementPtrInst(user) && LLVMGetGEPSourceElementType(user) == tape &&
         LLVMGetNumOperands(user) == 3;
}

/* --- What the heap takes --------------------------------------------------------------------- */

static bool may_be_moved(const Split *split, LLVMTypeRef field) {
  LLVMTypeKind kind = LLVMGetTypeKind(field);
  return (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) &&
         LLVMABIAlignmentOfType(split->context->layout, field) <= HEAP_ALIGNMENT;
}

/* Fields stay in their order as long as there is room on the stack for them. */
static void choose(Split *split) {
  NbList types = nb_list(split->context->arena);
  uint64_t left = STACK_BYTES;
  for (unsigned i = 0; i < split->count; i++) {
    LLVMTypeRef field = LLVMStructGetTypeAtIndex(split->type, i);
    if (!may_be_moved(split, field))
      continue;
    uint64_t bytes = LLVMABISizeOfType(split->context->layout, field);
    if (bytes <= left) {
      left -= bytes;
      continue;
    }
    nb_list_push(&types, field);
    split->in_block[i] = types.count;
  }
  if (types.count)
    split->block_type = LLVMStructTypeInContext(split->context->llvm, (LLVMTypeRef *)types.items,
                                                types.count, false);
}

static void allocate(Split *split, LLVMValueRef function) {
  NbContext *context = split->context;
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context->llvm, 0);
  uint64_t bytes = LLVMABISizeOfType(context->layout, split->block_type);
  LLVMValueRef arguments[] = {LLVMConstInt(count, 1, false), LLVMConstInt(count, bytes, false),
                              nb_runtime_function_name(context, function), LLVMConstNull(pointer)};
  split->block =
      nb_runtime_call(context, split->builder, "__nabla_tape_allocate", pointer, arguments, 4);
}

static void release(Split *split) {
  LLVMTypeRef nothing = LLVMVoidTypeInContext(split->context->llvm);
  LLVMValueRef combined = LLVMGetBasicBlockParent(LLVMGetInstructionParent(split->tape));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(combined); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAReturnInst(last))
      continue;
    LLVMPositionBuilderBefore(split->builder, last);
    nb_runtime_call(split->context, split->builder, "__nabla_tape_release", nothing, &split->block,
                    1);
  }
}

/* --- Fields ---------------------------------------------------------------------------------- */

static LLVMValueRef place_of(Split *split, unsigned field) {
  if (split->places[field])
    return split->places[field];
  LLVMTypeRef type = LLVMStructGetTypeAtIndex(split->type, field);
  LLVMBasicBlockRef entry = LLVMGetInstructionParent(split->tape);
  if (split->in_block[field]) {
    LLVMPositionBuilderBefore(split->builder, split->tape);
    split->places[field] = LLVMBuildStructGEP2(split->builder, split->block_type, split->block,
                                               split->in_block[field] - 1, "tape.field");
  } else {
    LLVMPositionBuilderBefore(split->builder, LLVMGetFirstInstruction(entry));
    split->places[field] = LLVMBuildAlloca(split->builder, type, "tape.field");
  }
  return split->places[field];
}

static void replace(Split *split, LLVMValueRef address) {
  if (!is_field_address(address, split->type))
    return;
  unsigned field = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(address, 2));
  LLVMReplaceAllUsesWith(address, place_of(split, field));
  LLVMInstructionEraseFromParent(address);
}

void nb_tidy_split_tape(NbContext *context, LLVMValueRef function, LLVMValueRef tape) {
  LLVMTypeRef type = LLVMGetAllocatedType(tape);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
    return;
  unsigned count = LLVMCountStructElementTypes(type);
  Split split = {.context = context, .tape = tape, .type = type, .count = count};
  split.places = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  split.in_block = NB_NEW_ARRAY(context->arena, unsigned, count + 1);
  NbList users = nb_list(context->arena);
  for (LLVMUseRef use = LLVMGetFirstUse(tape); use; use = LLVMGetNextUse(use))
    nb_list_push(&users, LLVMGetUser(use));
  split.builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(split.builder, tape);
  choose(&split);
  if (split.block_type)
    allocate(&split, function);
  for (unsigned i = 0; i < users.count; i++)
    replace(&split, users.items[i]);
  if (LLVMGetFirstUse(tape))
    LLVMReplaceAllUsesWith(tape, place_of(&split, 0));
  if (split.block)
    release(&split);
  LLVMDisposeBuilder(split.builder);
  LLVMInstructionEraseFromParent(tape);
}
