// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a derivative returns is a list of values; what the call expects is a C type as the ABI has
 * coerced it: a struct of two floats is a vector, a big one lies in memory. Both are laid out as
 * memory, and agree where each value lies where the expected type has a value of that type, or an
 * integer that covers it. */
#include "request/serving.h"

typedef struct Leaf {
  unsigned long long offset;
  LLVMTypeRef type;
} Leaf;

enum { LEAF_LIMIT = 256 };

typedef struct Leaves {
  LLVMTargetDataRef layout;
  unsigned count;
  bool overflow;
  Leaf items[LEAF_LIMIT];
} Leaves;

static void add_leaves(Leaves *leaves, LLVMTypeRef type, unsigned long long offset);

static void add_elements(Leaves *leaves, LLVMTypeRef type, unsigned long long offset,
                         unsigned long long count) {
  LLVMTypeRef element = LLVMGetElementType(type);
  unsigned long long size = LLVMABISizeOfType(leaves->layout, element);
  for (unsigned long long i = 0; i < count && !leaves->overflow; i++)
    add_leaves(leaves, element, offset + i * size);
}

static void add_members(Leaves *leaves, LLVMTypeRef type, unsigned long long offset) {
  unsigned count = LLVMCountStructElementTypes(type);
  for (unsigned i = 0; i < count && !leaves->overflow; i++) {
    unsigned long long inner = LLVMOffsetOfElement(leaves->layout, type, i);
    add_leaves(leaves, LLVMStructGetTypeAtIndex(type, i), offset + inner);
  }
}

static void add_leaves(Leaves *leaves, LLVMTypeRef type, unsigned long long offset) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind)
    add_members(leaves, type, offset);
  else if (kind == LLVMArrayTypeKind)
    add_elements(leaves, type, offset, LLVMGetArrayLength2(type));
  else if (kind == LLVMVectorTypeKind)
    add_elements(leaves, type, offset, LLVMGetVectorSize(type));
  else if (leaves->count == LEAF_LIMIT)
    leaves->overflow = true;
  else
    leaves->items[leaves->count++] = (Leaf){offset, type};
}

static Leaves *leaves_of(const NbServing *serving, LLVMTypeRef type) {
  Leaves *leaves = NB_NEW(serving->context->arena, Leaves);
  leaves->layout = serving->context->layout;
  add_leaves(leaves, type, 0);
  return leaves;
}

static bool is_integer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind; }

/* Has `leaves` a leaf that holds `wanted`: the same, or a covering integer? */
static bool holds(const Leaves *leaves, const Leaf *wanted) {
  unsigned long long end = wanted->offset + LLVMStoreSizeOfType(leaves->layout, wanted->type);
  for (unsigned i = 0; i < leaves->count; i++) {
    const Leaf *leaf = &leaves->items[i];
    if (leaf->offset == wanted->offset && leaf->type == wanted->type)
      return true;
    unsigned long long leaf_end = leaf->offset + LLVMStoreSizeOfType(leaves->layout, leaf->type);
    if (is_integer(leaf->type) && leaf->offset <= wanted->offset && end <= leaf_end)
      return true;
  }
  return false;
}

static bool agrees(const NbServing *serving, LLVMTypeRef given, LLVMTypeRef expected) {
  const Leaves *from = leaves_of(serving, given);
  const Leaves *to = leaves_of(serving, expected);
  if (from->overflow || to->overflow)
    return false;
  for (unsigned i = 0; i < from->count; i++) {
    if (!holds(to, &from->items[i]))
      return false;
  }
  for (unsigned i = 0; i < to->count; i++) {
    if (!is_integer(to->items[i].type) && !holds(from, &to->items[i]))
      return false;
  }
  return true;
}

static LLVMTypeRef type_of_fields(const NbServing *serving, const NbList *fields) {
  LLVMTypeRef *types = NB_NEW_ARRAY(serving->context->arena, LLVMTypeRef, fields->count + 1);
  for (unsigned i = 0; i < fields->count; i++)
    types[i] = LLVMTypeOf(fields->items[i]);
  return LLVMStructTypeInContext(serving->context->llvm, types, fields->count, false);
}

static void store_fields(const NbServing *serving, const NbList *fields, LLVMTypeRef type,
                         LLVMValueRef memory) {
  for (unsigned i = 0; i < fields->count; i++) {
    LLVMValueRef at = LLVMBuildStructGEP2(serving->builder, type, memory, i, "");
    LLVMBuildStore(serving->builder, fields->items[i], at);
  }
}

/* The fields read back as `expected`; sroa turns this into register moves. */
static LLVMValueRef through_memory(NbServing *serving, const NbList *fields, LLVMTypeRef type,
                                   LLVMTypeRef expected) {
  LLVMTargetDataRef layout = serving->context->layout;
  bool wider = LLVMABISizeOfType(layout, type) > LLVMABISizeOfType(layout, expected);
  LLVMValueRef memory = nb_serving_local(serving, wider ? type : expected);
  unsigned alignment = LLVMABIAlignmentOfType(layout, type);
  if (alignment > LLVMGetAlignment(memory))
    LLVMSetAlignment(memory, alignment);
  store_fields(serving, fields, type, memory);
  return LLVMBuildLoad2(serving->builder, expected, memory, "");
}

static LLVMValueRef as_struct(const NbServing *serving, const NbList *fields, LLVMTypeRef type) {
  LLVMValueRef value = LLVMGetPoison(type);
  for (unsigned i = 0; i < fields->count; i++)
    value = LLVMBuildInsertValue(serving->builder, value, fields->items[i], i, "");
  return value;
}

static bool refuse_nothing(const NbServing *serving) {
  return nb_refuse(serving->context, NB_ERROR_WRONG_RESULT, serving->call,
                   "the call expects a result, but this derivative of '%s' returns none",
                   nb_name(serving->function));
}

static bool refuse_type(const NbServing *serving, LLVMTypeRef given, LLVMTypeRef expected) {
  NbArena *arena = serving->context->arena;
  return nb_refuse(serving->context, NB_ERROR_WRONG_RESULT, serving->call,
                   "this derivative of '%s' returns '%s', but the call expects '%s'",
                   nb_name(serving->function), nb_type_text(arena, given),
                   nb_type_text(arena, expected));
}

static bool deliver_in_memory(const NbServing *serving, const NbList *fields) {
  LLVMTypeRef given = type_of_fields(serving, fields);
  if (!fields->count)
    return refuse_nothing(serving);
  if (!agrees(serving, given, serving->memory_type))
    return refuse_type(serving, given, serving->memory_type);
  store_fields(serving, fields, given, serving->memory);
  return true;
}

bool nb_serving_deliver(NbServing *serving, const NbList *fields, LLVMValueRef *value) {
  *value = NULL;
  if (serving->memory)
    return deliver_in_memory(serving, fields);
  LLVMTypeRef expected = LLVMTypeOf(serving->call);
  if (!LLVMGetFirstUse(serving->call))
    return true;
  if (!fields->count)
    return refuse_nothing(serving);
  LLVMValueRef only = fields->count == 1 ? fields->items[0] : NULL;
  if (only && nb_type_is_real(LLVMTypeOf(only)) && nb_type_is_real(expected)) {
    *value = LLVMBuildFPCast(serving->builder, only, expected, "");
    return true;
  }
  LLVMTypeRef given = only ? LLVMTypeOf(only) : type_of_fields(serving, fields);
  if (!agrees(serving, given, expected))
    return refuse_type(serving, given, expected);
  if (given == expected)
    *value = only ? only : as_struct(serving, fields, given);
  else
    *value = through_memory(serving, fields, type_of_fields(serving, fields), expected);
  return true;
}
