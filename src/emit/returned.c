// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A struct comes back in memory, with the types of the source, or in registers, with those that the
 * ABI makes of it: of three floats a pair of floats and one more, whichever members of the struct
 * they are. What is wanted are values whose types the ABI has made, too. So both are taken apart
 * into scalars, of which the order is the same; where it is not, one integer may hold several. */
#include "emit/returned.h"

#include "emit/emit.h"
#include "request/layout.h"

static bool is_void(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVoidTypeKind; }

static LLVMTypeRef type_of(const NbReturned *returned) {
  return returned->memory ? LLVMGetAllocatedType(returned->memory) : LLVMTypeOf(returned->result);
}

static bool is_struct_of(LLVMTypeRef type, const LLVMTypeRef *types, unsigned count) {
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) != count)
    return false;
  for (unsigned i = 0; i < count; i++)
    if (LLVMStructGetTypeAtIndex(type, i) != types[i])
      return false;
  return true;
}

/* Are the leaves of `wanted` those of `given` from `first` on, as far from one another? */
static bool continues(const NbLeaves *given, unsigned first, const NbLeaves *wanted) {
  if (wanted->overflow || !wanted->count || first + wanted->count > given->count)
    return false;
  unsigned long long base = given->items[first].offset;
  for (unsigned i = 0; i < wanted->count; i++) {
    const NbLeaf *have = &given->items[first + i], *want = &wanted->items[i];
    if (have->type != want->type || have->offset != base + want->offset - wanted->items[0].offset)
      return false;
  }
  return true;
}

/* Where the parts begin, scalar by scalar. */
static bool find_scalars(const NbContext *context, LLVMTypeRef given, const LLVMTypeRef *types,
                         unsigned count, unsigned long long *offsets) {
  const NbLeaves *leaves = nb_leaves_of(context, given);
  unsigned next = 0;
  for (unsigned i = 0; i < count; i++) {
    const NbLeaves *wanted = nb_leaves_of(context, types[i]);
    if (leaves->overflow || !continues(leaves, next, wanted))
      return false;
    offsets[i] = leaves->items[next].offset - wanted->items[0].offset;
    next += wanted->count;
  }
  return next == leaves->count;
}

static bool find_offsets(const NbContext *context, LLVMTypeRef given, const LLVMTypeRef *types,
                         unsigned count, unsigned long long *offsets) {
  LLVMTypeRef whole = LLVMStructTypeInContext(context->llvm, (LLVMTypeRef *)types, count, false);
  bool same = is_struct_of(given, types, count);
  if (!same && find_scalars(context, given, types, count, offsets))
    return true;
  for (unsigned i = 0; i < count; i++)
    offsets[i] = LLVMOffsetOfElement(context->layout, whole, i);
  return same || (count == 1 && given == types[0]) || nb_layout_agrees(context, given, whole);
}

bool nb_returned_places(const NbReturned *returned, const LLVMTypeRef *types, unsigned count,
                        LLVMValueRef *places) {
  const NbContext *context = returned->context;
  unsigned long long *offsets = NB_NEW_ARRAY(context->arena, unsigned long long, count + 1);
  LLVMTypeRef given = type_of(returned), byte = LLVMInt8TypeInContext(context->llvm);
  if (is_void(given) || !find_offsets(context, given, types, count, offsets))
    return false;
  LLVMValueRef memory =
      returned->memory ? returned->memory : nb_emit_in_memory(returned->builder, returned->result);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context->llvm), offsets[i], false);
    places[i] = LLVMBuildInBoundsGEP2(returned->builder, byte, memory, &offset, 1, "");
  }
  return true;
}

/* A pair of floats in one register may lie as one of them does. */
static LLVMValueRef load(const NbReturned *returned, LLVMTypeRef type, LLVMValueRef place) {
  LLVMValueRef value = LLVMBuildLoad2(returned->builder, type, place, "");
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMTypeRef scalar = vector ? LLVMGetElementType(type) : type;
  LLVMSetAlignment(value, LLVMABIAlignmentOfType(returned->context->layout, scalar));
  return value;
}

bool nb_returned_parts(const NbReturned *returned, const LLVMTypeRef *types, unsigned count,
                       LLVMValueRef *parts) {
  LLVMTypeRef given = type_of(returned);
  bool at_once = !returned->memory && count == 1 && given == types[0];
  bool by_members = !returned->memory && !at_once && is_struct_of(given, types, count);
  if (at_once)
    parts[0] = returned->result;
  for (unsigned i = 0; by_members && i < count; i++)
    parts[i] = LLVMBuildExtractValue(returned->builder, returned->result, i, "");
  if (at_once || by_members)
    return true;
  if (!nb_returned_places(returned, types, count, parts))
    return false;
  for (unsigned i = 0; i < count; i++)
    parts[i] = load(returned, types[i], parts[i]);
  return true;
}
