// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs that are loaded or stored whole, with pointers among their members, are loaded or stored
 * member by member: a shadow pointer and a tangent then have each a place of its own. */
#include "prepare/aggregates.h"

#include <llvm-c/DebugInfo.h>

/* Deeper in each other members are left to the whole that holds them. */
enum { MOST_DEPTH = 16 };

typedef struct Access {
  const NbContext *context;
  LLVMBuilderRef builder;
  LLVMValueRef pointer;
  unsigned align;
  bool store;
  LLVMValueRef whole;               /* what is stored */
  unsigned path[MOST_DEPTH], depth; /* the indices of the member in the whole */
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

/* How many of the indices are those of the path from `from` on. */
static unsigned indices_in_common(const Access *access, unsigned from, LLVMValueRef insert) {
  unsigned count = LLVMGetNumIndices(insert), common = 0;
  const unsigned *indices = LLVMGetIndices(insert);
  while (common < count && from + common < access->depth &&
         indices[common] == access->path[from + common])
    common++;
  return common;
}

/* The member that the path leads to: the value that it was set to, where that is seen. */
static LLVMValueRef stored_member(const Access *access) {
  LLVMValueRef value = access->whole;
  unsigned depth = 0;
  while (depth < access->depth && LLVMIsAInsertValueInst(value)) {
    unsigned common = indices_in_common(access, depth, value);
    bool set = common == LLVMGetNumIndices(value);
    depth += set ? common : 0;
    value = LLVMGetOperand(value, set);
  }
  for (; depth < access->depth; depth++)
    value = LLVMBuildExtractValue(access->builder, value, access->path[depth], "");
  return value;
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
    inst = LLVMBuildStore(access->builder, stored_member(access), address);
  } else {
    inst = LLVMBuildLoad2(access->builder, type, address, "");
    part = LLVMBuildInsertValue(access->builder, part, inst, index, "");
  }
  LLVMSetAlignment(inst, align_at(access->align, offset));
  return part;
}

/* `part` is the aggregate of `type`; of a store, nothing. */
static LLVMValueRef access_members(Access *access, LLVMTypeRef type, LLVMValueRef part,
                                   uint64_t offset) {
  unsigned depth = access->depth++;
  for (unsigned i = 0; i < member_count(type); i++) {
    LLVMTypeRef member = member_type(type, i);
    uint64_t at = offset + member_offset(access->context, type, i);
    access->path[depth] = i;
    if (!is_aggregate(member)) {
      part = access_scalar(access, part, i, member, at);
      continue;
    }
    LLVMValueRef inner = access->store ? NULL : LLVMGetPoison(member);
    inner = access_members(access, member, inner, at);
    if (!access->store)
      part = LLVMBuildInsertValue(access->builder, part, inner, i, "");
  }
  access->depth = depth;
  return part;
}

static unsigned depth_of(LLVMTypeRef type) {
  unsigned deepest = 0;
  if (!is_aggregate(type))
    return 0;
  unsigned count = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? 1 : member_count(type);
  for (unsigned i = 0; i < count && member_count(type); i++) {
    unsigned depth = depth_of(member_type(type, i));
    deepest = depth > deepest ? depth : deepest;
  }
  return deepest + 1;
}

static bool is_whole_access(LLVMValueRef inst) {
  bool store = LLVMIsAStoreInst(inst) != NULL;
  if ((!store && !LLVMIsALoadInst(inst)) || LLVMGetVolatile(inst))
    return false;
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(inst, 0) : inst);
  return is_aggregate(type) && nb_type_has_pointer(type) && depth_of(type) <= MOST_DEPTH;
}

static void split(const NbContext *context, LLVMValueRef inst) {
  Access access = {.context = context, .store = LLVMIsAStoreInst(inst) != NULL};
  access.builder = LLVMCreateBuilderInContext(context->llvm);
  access.align = LLVMGetAlignment(inst);
  access.pointer = LLVMGetOperand(inst, access.store ? 1 : 0);
  LLVMPositionBuilderBefore(access.builder, inst);
  LLVMSetCurrentDebugLocation2(access.builder, LLVMInstructionGetDebugLoc(inst));
  access.whole = access.store ? LLVMGetOperand(inst, 0) : NULL;
  LLVMTypeRef type = LLVMTypeOf(access.store ? access.whole : inst);
  LLVMValueRef part = access.store ? NULL : LLVMGetPoison(type);
  LLVMValueRef whole = access_members(&access, type, part, 0);
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
