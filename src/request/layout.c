// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "request/layout.h"

#include "objects/graph.h"
#include "objects/path.h"
#include "request/byvalue.h"

enum { WIDEST_ALIGN = 8, MOST_DEPTH = 16 };

static void add_leaves(NbLeaves *leaves, LLVMTypeRef type, unsigned long long offset);

static void add_elements(NbLeaves *leaves, LLVMTypeRef type, unsigned long long offset,
                         unsigned long long count) {
  LLVMTypeRef element = LLVMGetElementType(type);
  unsigned long long size = LLVMABISizeOfType(leaves->layout, element);
  if (!size)
    return;
  unsigned first = leaves->count;
  for (unsigned long long i = 0; i < count && !leaves->overflow; i++)
    add_leaves(leaves, element, offset + i * size);
  for (unsigned i = first; i < leaves->count; i++)
    leaves->items[i].element = true;
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
    leaves->items[leaves->count++] = (NbLeaf){offset, type, false};
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

bool nb_layout_has(const NbContext *context, LLVMTypeRef type, unsigned long long offset) {
  const NbLeaves *leaves = nb_leaves_of(context, type);
  bool has = leaves->overflow;
  for (unsigned i = 0; i < leaves->count; i++) {
    const NbLeaf *leaf = &leaves->items[i];
    unsigned long long end = leaf->offset + LLVMStoreSizeOfType(leaves->layout, leaf->type);
    has |= offset >= leaf->offset && offset < end;
  }
  return has;
}

bool nb_layout_agrees(const NbContext *context, LLVMTypeRef given, LLVMTypeRef expected) {
  return nb_layout_agrees_but(context, given, expected, NULL);
}

bool nb_layout_agrees_but(const NbContext *context, LLVMTypeRef given, LLVMTypeRef expected,
                          LLVMValueRef padded) {
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
    if (padded && nb_by_value_is_padding(context, padded, leaf->offset))
      continue;
    if (is_integer(leaf->type) ? !is_integer_of(leaf, from) : !holds(from, leaf))
      return false;
  }
  return true;
}

bool nb_leaves_have_float(const NbLeaves *leaves) {
  for (unsigned i = 0; i < leaves->count; i++)
    if (nb_type_has_float(leaves->items[i].type))
      return true;
  return false;
}

static bool is_plain(LLVMTypeRef type, bool packed, unsigned depth) {
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return depth < MOST_DEPTH && is_plain(LLVMGetElementType(type), packed, depth + 1);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
    return nb_layout_is_scalar(type);
  if (depth == MOST_DEPTH || !nb_is_declared_struct(type) || (LLVMIsPackedStruct(type) && !packed))
    return false;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    if (!is_plain(LLVMStructGetTypeAtIndex(type, i), packed, depth + 1))
      return false;
  return true;
}

bool nb_layout_is_plain(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMTypeIsSized(type) &&
         is_plain(type, false, 0);
}

bool nb_layout_has_no_union(LLVMTypeRef type) {
  return LLVMTypeIsSized(type) && is_plain(type, true, 0);
}

bool nb_layout_is_scalar(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMIntegerTypeKind)
    return LLVMGetIntTypeWidth(type) % 8 == 0;
  return nb_is_float_kind(kind) || kind == LLVMPointerTypeKind;
}

LLVMValueRef nb_layout_address(const NbContext *context, LLVMBuilderRef builder, LLVMTypeRef whole,
                               LLVMValueRef memory, unsigned long long offset) {
  LLVMTypeRef type = whole, index_type = LLVMInt32TypeInContext(context->llvm);
  LLVMValueRef indices[MOST_DEPTH + 2] = {LLVMConstNull(index_type)};
  unsigned count = 1;
  while (!nb_layout_is_scalar(type)) {
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    LLVMTypeRef element = structure ? NULL : LLVMGetElementType(type);
    unsigned long long size = element ? LLVMABISizeOfType(context->layout, element) : 0;
    unsigned index =
        structure ? LLVMElementAtOffset(context->layout, type, offset) : (unsigned)(offset / size);
    offset -= structure ? LLVMOffsetOfElement(context->layout, type, index) : index * size;
    indices[count++] = LLVMConstInt(index_type, index, false);
    type = structure ? LLVMStructGetTypeAtIndex(type, index) : element;
  }
  return LLVMBuildInBoundsGEP2(builder, whole, memory, indices, count, "");
}

/* --- What is copied. -------------------------------------------------------------------------- */

/* Of what is passed or returned by value, in memory. */
static LLVMTypeRef passed(LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  unsigned index = nb_parameter_index(parameter);
  LLVMTypeRef type = nb_parameter_pointee(function, index, "byval");
  return type ? type : nb_parameter_pointee(function, index, "sret");
}

static LLVMTypeRef pointee(LLVMValueRef pointer) {
  if (LLVMIsAArgument(pointer))
    return passed(pointer);
  if (LLVMIsAAllocaInst(pointer))
    return LLVMGetAllocatedType(pointer);
  if (LLVMIsAGlobalVariable(pointer))
    return LLVMGlobalGetValueType(pointer);
  return nb_path_steps(pointer) ? nb_path_type(pointer) : NULL;
}

LLVMTypeRef nb_layout_struct_at(const NbContext *context, LLVMValueRef pointer, uint64_t bytes) {
  LLVMTypeRef type = pointee(pointer);
  while (type && LLVMTypeIsSized(type)) {
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    uint64_t size = LLVMABISizeOfType(context->layout, type);
    if (structure && size >= bytes && size < bytes + WIDEST_ALIGN)
      return type;
    if (size < bytes)
      return NULL;
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
      type = LLVMGetElementType(type);
    else
      type =
          structure && LLVMCountStructElementTypes(type) ? LLVMStructGetTypeAtIndex(type, 0) : NULL;
  }
  return NULL;
}

LLVMTypeRef nb_layout_copied(const NbContext *context, LLVMValueRef copy) {
  LLVMValueRef size = LLVMGetOperand(copy, 2);
  if (!LLVMIsAConstantInt(size))
    return NULL;
  uint64_t bytes = LLVMConstIntGetZExtValue(size);
  LLVMTypeRef to = nb_layout_struct_at(context, LLVMGetOperand(copy, 0), bytes);
  LLVMTypeRef from = nb_layout_struct_at(context, LLVMGetOperand(copy, 1), bytes);
  LLVMTypeRef type = to ? to : from;
  return !from || from == type ? type : NULL;
}
