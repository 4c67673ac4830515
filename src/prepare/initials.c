// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What structs begin with: clang copies `T t = {TAG}` from a constant. Of that constant, whose type
 * is that of a union's first member, nothing is needed but the tag; and as memory that is copied,
 * it would have to hold what the struct holds, at all times. */
#include "prepare/initials.h"

#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_STORES = 8, MOST_BYTES = 512 };

/* The part of the constant from `first` to before `end`. */
typedef struct Initial {
  LLVMTargetDataRef layout;
  uint64_t first, end;
  LLVMValueRef values[MOST_STORES];
  uint64_t offsets[MOST_STORES];
  unsigned count;
  bool failed;
} Initial;

static void add(Initial *initial, LLVMValueRef value, uint64_t offset) {
  uint64_t end = offset + LLVMStoreSizeOfType(initial->layout, LLVMTypeOf(value));
  if (end <= initial->first || offset >= initial->end)
    return;
  initial->failed |= !LLVMIsAConstantInt(value) || initial->count == MOST_STORES ||
                     offset < initial->first || end > initial->end;
  if (initial->failed)
    return;
  initial->values[initial->count] = value;
  initial->offsets[initial->count++] = offset - initial->first;
}

/* Adds what is not zero in the constant. */
static void add_all(Initial *initial, LLVMValueRef value, uint64_t offset) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (LLVMIsNull(value) || LLVMIsUndef(value) || initial->failed)
    return;
  if (kind == LLVMStructTypeKind) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      add_all(initial, LLVMGetAggregateElement(value, i),
              offset + LLVMOffsetOfElement(initial->layout, type, i));
  } else if (kind == LLVMArrayTypeKind) {
    uint64_t size = LLVMABISizeOfType(initial->layout, LLVMGetElementType(type));
    for (uint64_t i = 0; i < LLVMGetArrayLength2(type); i++)
      add_all(initial, LLVMGetAggregateElement(value, (unsigned)i), offset + i * size);
  } else {
    add(initial, value, offset);
  }
}

/* The struct that a private constant is; NULL where it is none. */
static LLVMValueRef initial_of(LLVMValueRef from) {
  bool known = LLVMIsAGlobalVariable(from) && LLVMIsGlobalConstant(from) &&
               LLVMGetLinkage(from) == LLVMPrivateLinkage && LLVMGetInitializer(from);
  LLVMValueRef value = known ? LLVMGetInitializer(from) : NULL;
  return value && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMStructTypeKind ? value : NULL;
}

/* Finds what a copy takes from such a constant; false where it takes from none, or too much. */
static bool find(NbContext *context, const NbCall *what, Initial *initial) {
  int64_t first = 0;
  bool copies = what->kind == NB_CALL_COPY && what->callee && LLVMGetIntrinsicID(what->callee) &&
                LLVMIsAConstantInt(what->bytes) && LLVMIsNull(LLVMGetOperand(what->call, 3)) &&
                LLVMIsAConstant(what->from);
  bool within = copies && nb_constant_offset(context->module, what->from, &first);
  LLVMValueRef from = within ? LLVMGetOperand(what->from, 0) : what->from;
  LLVMValueRef value = copies && first >= 0 ? initial_of(from) : NULL;
  if (!value)
    return false;
  uint64_t bytes = LLVMConstIntGetZExtValue(what->bytes);
  uint64_t size = LLVMABISizeOfType(context->layout, LLVMTypeOf(value));
  initial->first = (uint64_t)first;
  initial->end = initial->first + bytes;
  if (size > MOST_BYTES || bytes > size || initial->end > size)
    return false;
  add_all(initial, value, 0);
  return !initial->failed;
}

static void spell(NbContext *context, LLVMBuilderRef builder, LLVMValueRef call) {
  NbCall what = nb_call_of(context, call);
  Initial initial = {.layout = context->layout};
  if (!find(context, &what, &initial))
    return;
  LLVMTypeRef byte = LLVMInt8TypeInContext(context->llvm);
  LLVMTypeRef word = LLVMInt64TypeInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  LLVMBuildMemSet(builder, what.to, LLVMConstNull(byte), what.bytes, 1);
  for (unsigned i = 0; i < initial.count; i++) {
    LLVMValueRef offset = LLVMConstInt(word, initial.offsets[i], false);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(builder, byte, what.to, &offset, 1, "");
    LLVMSetAlignment(LLVMBuildStore(builder, initial.values[i], at), 1);
  }
  LLVMInstructionEraseFromParent(call);
}

void nb_prepare_spell_initials(NbContext *context, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    if (LLVMIsACallInst(at))
      spell(context, builder, at);
  }
  LLVMDisposeBuilder(builder);
}
