// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs that are loaded or stored whole, with pointers among their members, are loaded or stored
 * member by member: a shadow pointer and a tangent then have each a place of its own. */
#include "prepare/aggregates.h"

#include <llvm-c/DebugInfo.h>

typedef struct Access {
  const NbContext *context;
  LLVMBuilderRef builder;
  LLVMValueRef pointer;
  unsigned align;
  bool store;
} Access;

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static unsigned member_count(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                                     : (unsigned)LLVMGetArrayLength2(type);
}

static LLVMTypeRef member_type(LLVMTypeRef type, unsigned index) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, index)
                                                     : LLVMGetElementType(type);
}

static uint64_t member_offset(const NbContext *context, LLVMTypeRef type, unsigned index) {
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
    return LLVMOffsetOfElement(context->layout, type, index);
  return index * LLVMABISizeOfType(context->layout, LLVMGetElementType(type));
}

static unsigned align_at(unsigned align, uint64_t offset) {
  while (offset % align)
    align /= 2;
  return align;
}

/* Loads the scalar into its place in `part`, a value of the aggregate around it, or stores it. */
static LLVMValueRef access_scalar(const Access *access, LLVMValueRef part, unsigned index,
                                  LLVMTypeRef type, uint64_t offset) {
  LLVMContextRef llvm = access->context->llvm;
  LLVMValueRef bytes = LLVMConstInt(LLVMInt64TypeInContext(llvm), offset, false);
  LLVMTypeRef byte = LLVMInt8TypeInContext(llvm);
  LLVMValueRef address =
      LLVMBuildInBoundsGEP2(access->builder, byte, access->pointer, &bytes, 1, "");
  LLVMValueRef inst;
  if (access->store) {
    LLVMValueRef value = LLVMBuildExtractValue(access->builder, part, index, "");
    inst = LLVMBuildStore(access->builder, value, address);
  } else {
    inst = LLVMBuildLoad2(access->builder, type, address, "");
    part = LLVMBuildInsertValue(access->builder, part, inst, index, "");
  }
  LLVMSetAlignment(inst, align_at(access->align, offset));
  return part;
}

static LLVMValueRef access_members(const Access *access, LLVMValueRef part, uint64_t offset) {
  LLVMTypeRef type = LLVMTypeOf(part);
  for (unsigned i = 0; i < member_count(type); i++) {
    LLVMTypeRef member = member_type(type, i);
    uint64_t at = offset + member_offset(access->context, type, i);
    if (!is_aggregate(member)) {
      part = access_scalar(access, part, i, member, at);
      continue;
    }
    LLVMValueRef inner =
        access->store ? LLVMBuildExtractValue(access->builder, part, i, "") : LLVMGetPoison(member);
    inner = access_members(access, inner, at);
    if (!access->store)
      part = LLVMBuildInsertValue(access->builder, part, inner, i, "");
  }
  return part;
}

static bool is_whole_access(LLVMValueRef inst) {
  bool store = LLVMIsAStoreInst(inst) != NULL;
  if ((!store && !LLVMIsALoadInst(inst)) || LLVMGetVolatile(inst))
    return false;
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(inst, 0) : inst);
  return is_aggregate(type) && nb_type_has_pointer(type);
}

static void split(const NbContext *context, LLVMValueRef inst) {
  Access access = {.context = context, .store = LLVMIsAStoreInst(inst) != NULL};
  access.builder = LLVMCreateBuilderInContext(context->llvm);
  access.align = LLVMGetAlignment(inst);
  access.pointer = LLVMGetOperand(inst, access.store ? 1 : 0);
  LLVMPositionBuilderBefore(access.builder, inst);
  LLVMSetCurrentDebugLocation2(access.builder, LLVMInstructionGetDebugLoc(inst));
  LLVMValueRef part = access.store ? LLVMGetOperand(inst, 0) : LLVMGetPoison(LLVMTypeOf(inst));
  LLVMValueRef whole = access_members(&access, part, 0);
  LLVMDisposeBuilder(access.builder);
  if (!access.store)
    LLVMReplaceAllUsesWith(inst, whole);
  LLVMInstructionEraseFromParent(inst);
}

void nb_prepare_split_aggregates(const NbContext *context, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
      next = LLVMGetNextInstruction(inst);
      if (is_whole_access(inst))
        split(context, inst);
    }
}
