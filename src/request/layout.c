// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "request/layout.h"

static void add_leaves(NbLeaves *leaves, LLVMTypeRef type, unsigned long long offset);

static void add_elements(NbLeaves *leaves, LLVMTypeRef type, unsigned long long offset,
                         unsigned long long count) {
  LLVMTypeRef element = LLVMGetElementType(type);
  unsigned long long size = LLVMABISizeOfType(leaves->layout, element);
  if (!size)
    return;
  for (unsigned long long i = 0; i < count && !leaves->overflow; i++)
    add_leaves(leaves, element, offset + i * size);
}

static void add_members(NbLeaves *leaves, LLVMTypeRef type, unsigned long long offset) {
  unsigned count = LLVMCountStructElementTypes(type);
  for (unsigned i = 0; i < count && !leaves->overflow; i++) {
    unsigned long long inner = LLVMOffsetOfElement(leaves->layout, type, i);
    add_leaves(leaves, LLVMStructGetTypeAtIndex(type, i), offset + inner);
  }
}

static void add_leaves(NbLeaves *leaves, LLVMTypeRef type, unsigned long long offset) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind)
    add_members(leaves, type, offset);
  else if (kind == LLVMArrayTypeKind)
    add_elements(leaves, type, offset, LLVMGetArrayLength2(type));
  else if (kind == LLVMVectorTypeKind)
    add_elements(leaves, type, offset, LLVMGetVectorSize(type));
  else if (leaves->count == NB_LEAF_LIMIT)
    leaves->overflow = true;
  else
    leaves->items[leaves->count++] = (NbLeaf){offset, type};
}

NbLeaves *nb_leaves_of(const NbContext *context, LLVMTypeRef type) {
  NbLeaves *leaves = NB_NEW(context->arena, NbLeaves);
  leaves->layout = context->layout;
  add_leaves(leaves, type, 0);
  return leaves;
}

static bool is_integer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind; }

/* Has `leaves` a leaf that holds `wanted`: the same, or a covering integer? */
static bool holds(const NbLeaves *leaves, const NbLeaf *wanted) {
  unsigned long long end = wanted->offset + LLVMStoreSizeOfType(leaves->layout, wanted->type);
  for (unsigned i = 0; i < leaves->count; i++) {
    const NbLeaf *leaf = &leaves->items[i];
    if (leaf->offset == wanted->offset && leaf->type == wanted->type)
      return true;
    unsigned long long leaf_end = leaf->offset + LLVMStoreSizeOfType(leaves->layout, leaf->type);
    if (is_integer(leaf->type) && leaf->offset <= wanted->offset && end <= leaf_end)
      return true;
  }
  return false;
}

/* The ABI makes an integer only of what has an integer in it. */
static bool is_integer_of(const NbLeaf *leaf, const NbLeaves *from) {
  unsigned long long end = leaf->offset + LLVMStoreSizeOfType(from->layout, leaf->type);
  for (unsigned i = 0; i < from->count; i++) {
    const NbLeaf *part = &from->items[i];
    if (is_integer(part->type) && part->offset >= leaf->offset && part->offset < end)
      return true;
  }
  return false;
}

bool nb_layout_agrees(const NbContext *context, LLVMTypeRef given, LLVMTypeRef expected) {
  const NbLeaves *from = nb_leaves_of(context, given);
  const NbLeaves *to = nb_leaves_of(context, expected);
  if (from->overflow || to->overflow)
    return false;
  for (unsigned i = 0; i < from->count; i++) {
    if (!holds(to, &from->items[i]))
      return false;
  }
  for (unsigned i = 0; i < to->count; i++) {
    const NbLeaf *leaf = &to->items[i];
    if (is_integer(leaf->type) ? !is_integer_of(leaf, from) : !holds(from, leaf))
      return false;
  }
  return true;
}
