// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "request/unpack.h"

#include "objects/graph.h"

#include <string.h>

enum { WIDEST = 64 };

/* The members that lie in the part; false where they are not all whole ones. */
static bool find_members(const NbContext *context, NbPart *part, const NbLeaves *leaves) {
  unsigned long long end = part->offset + nb_store_size(context, part->type);
  for (unsigned i = 0; i < leaves->count; i++) {
    const NbLeaf *leaf = &leaves->items[i];
    unsigned long long leaf_end = leaf->offset + nb_store_size(context, leaf->type);
    if (leaf_end <= part->offset || leaf->offset >= end)
      continue;
    if (leaf->offset < part->offset || leaf_end > end || part->count == NB_MOST_MEMBERS ||
        !nb_layout_is_scalar(leaf->type))
      return false;
    part->members[part->count++] = *leaf;
  }
  return part->count > 1 || (part->count == 1 && part->members[0].type != part->type);
}

void nb_part_open_integer(const NbContext *context, NbPart *part, LLVMTypeRef whole,
                          unsigned long long offset) {
  bool integer = LLVMGetTypeKind(part->type) == LLVMIntegerTypeKind &&
                 LLVMGetIntTypeWidth(part->type) <= WIDEST;
  if (!integer || LLVMGetTypeKind(whole) != LLVMStructTypeKind || !nb_layout_is_plain(whole))
    return;
  const NbLeaves *leaves = nb_leaves_of(context, whole);
  part->offset = offset;
  if (!leaves->overflow && nb_leaves_have_float(leaves) && find_members(context, part, leaves))
    part->whole = whole;
  else
    part->count = 0;
}

/* Are they numbers and other things, or numbers of several formats? */
static bool is_mixed(const NbLeaves *leaves) {
  for (unsigned i = 1; i < leaves->count; i++)
    if (leaves->items[i].type != leaves->items[0].type)
      return nb_leaves_have_float(leaves);
  return false;
}

void nb_part_open_memory(const NbContext *context, NbPart *part, LLVMTypeRef whole) {
  if (!nb_layout_is_plain(whole))
    return;
  const NbLeaves *leaves = nb_leaves_of(context, whole);
  if (leaves->overflow || leaves->count > NB_MOST_MEMBERS || !is_mixed(leaves))
    return;
  part->memory = true;
  part->whole = whole;
  part->count = leaves->count;
  memcpy(part->members, leaves->items, leaves->count * sizeof *leaves->items);
}

unsigned nb_part_width(const NbPart *part) {
  if (part->absent)
    return 0;
  return part->whole ? part->count : 1;
}

/* --- Members in memory, and in integers. -------------------------------------------------------
 */

static LLVMValueRef number(const NbContext *context, unsigned long long value) {
  return LLVMConstInt(LLVMInt32TypeInContext(context->llvm), value, false);
}

/* The struct of which the part lies at the address; NULL where that is not seen. */
static LLVMValueRef struct_around(const NbContext *context, const NbPart *part,
                                  LLVMValueRef pointer) {
  if (!part->offset)
    return pointer;
  bool element = LLVMIsAGetElementPtrInst(pointer) && LLVMGetNumOperands(pointer) == 3;
  LLVMTypeRef type = element ? LLVMGetGEPSourceElementType(pointer) : NULL;
  if (!type || LLVMGetTypeKind(type) != LLVMStructTypeKind ||
      !LLVMIsNull(LLVMGetOperand(pointer, 1)))
    return NULL;
  unsigned index = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 2));
  bool here = LLVMOffsetOfElement(context->layout, type, index) == part->offset;
  return here ? LLVMGetOperand(pointer, 0) : NULL;
}

static LLVMValueRef member_address(const NbContext *context, LLVMBuilderRef builder,
                                   const NbPart *part, LLVMValueRef pointer, unsigned index) {
  unsigned long long offset = part->members[index].offset;
  LLVMValueRef memory = struct_around(context, part, pointer);
  if (memory)
    return nb_layout_address(context, builder, part->whole, memory, offset);
  LLVMValueRef distance = number(context, offset - part->offset);
  return LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context->llvm), pointer, &distance, 1,
                               "");
}

/* Says what the front end's type says of the access. An array of bytes may be storage for anything.
 */
static void note_member(NbContext *context, LLVMValueRef access, const NbLeaf *member) {
  bool byte = LLVMGetTypeKind(member->type) == LLVMIntegerTypeKind &&
              LLVMGetIntTypeWidth(member->type) == 8;
  if (!byte || !member->element)
    nb_access_note_member(context, access);
}

void nb_part_load(NbContext *context, LLVMBuilderRef builder, const NbPart *part,
                  LLVMValueRef pointer, LLVMValueRef *members) {
  for (unsigned i = 0; i < part->count; i++) {
    LLVMValueRef address = member_address(context, builder, part, pointer, i);
    members[i] = LLVMBuildLoad2(builder, part->members[i].type, address, "");
    note_member(context, members[i], &part->members[i]);
  }
}

void nb_part_store(NbContext *context, LLVMBuilderRef builder, const NbPart *part,
                   LLVMValueRef pointer, const LLVMValueRef *members) {
  for (unsigned i = 0; i < part->count; i++) {
    LLVMValueRef address = member_address(context, builder, part, pointer, i);
    note_member(context, LLVMBuildStore(builder, members[i], address), &part->members[i]);
  }
}

static LLVMTypeRef bits_of(const NbContext *context, LLVMTypeRef type) {
  return LLVMIntTypeInContext(context->llvm, (unsigned)nb_store_size(context, type) * 8);
}

static LLVMValueRef distance_of(const NbPart *part, unsigned index) {
  return LLVMConstInt(part->type, (part->members[index].offset - part->offset) * 8, false);
}

/* Cuts the members out of the integer. */
void nb_part_split(const NbContext *context, LLVMBuilderRef builder, const NbPart *part,
                   LLVMValueRef integer, LLVMValueRef *members) {
  for (unsigned i = 0; i < part->count; i++) {
    LLVMTypeRef type = part->members[i].type;
    LLVMValueRef shifted = LLVMBuildLShr(builder, integer, distance_of(part, i), "");
    LLVMValueRef bits = LLVMBuildTrunc(builder, shifted, bits_of(context, type), "");
    members[i] = LLVMGetTypeKind(type) == LLVMPointerTypeKind
                     ? LLVMBuildIntToPtr(builder, bits, type, "")
                     : LLVMBuildBitCast(builder, bits, type, "");
  }
}

LLVMValueRef nb_part_join(const NbContext *context, LLVMBuilderRef builder, const NbPart *part,
                          const LLVMValueRef *members) {
  LLVMValueRef joined = LLVMConstNull(part->type);
  for (unsigned i = 0; i < part->count; i++) {
    LLVMTypeRef type = part->members[i].type, bits = bits_of(context, type);
    LLVMValueRef integer = LLVMGetTypeKind(type) == LLVMPointerTypeKind
                               ? LLVMBuildPtrToInt(builder, members[i], bits, "")
                               : LLVMBuildBitCast(builder, members[i], bits, "");
    LLVMValueRef wide = LLVMBuildZExt(builder, integer, part->type, "");
    LLVMValueRef shifted = LLVMBuildShl(builder, wide, distance_of(part, i), "");
    joined = LLVMBuildOr(builder, joined, shifted, "");
  }
  return joined;
}
