// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "objects/path.h"

#include "objects/places.h"

enum { MOST_GEPS = 8 };

bool nb_path_steps(LLVMValueRef value) {
  bool constant = LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr;
  return constant || LLVMIsAGetElementPtrInst(value);
}

static uint64_t size_of(NbPath *path, LLVMTypeRef type) {
  path->failed |= LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind || !LLVMTypeIsSized(type);
  return path->failed ? 0 : LLVMABISizeOfType(path->context->layout, type);
}

static void step(NbPath *path, LLVMValueRef index, uint64_t size, uint64_t count) {
  if (LLVMIsAConstantInt(index)) {
    path->offset += LLVMConstIntGetSExtValue(index) * (int64_t)size;
    return;
  }
  path->failed |= path->count == NB_MOST_STEPS;
  if (path->failed)
    return;
  int64_t low, high;
  if (nb_integer_is_chosen(index, &low, &high))
    path->least += low * (int64_t)size;
  path->bounded |= count > 1;
  path->pairs[2 * path->count] = size;
  path->pairs[2 * path->count++ + 1] = path->bounded ? count : 0;
}

/* Is the array at the root a variable? One that comes first in what is declared there is not. */
static bool is_variable(LLVMValueRef root, LLVMTypeRef array) {
  if (LLVMIsAAllocaInst(root))
    return LLVMGetAllocatedType(root) == array;
  return LLVMIsAGlobalVariable(root) && LLVMGlobalGetValueType(root) == array;
}

/* How far an array goes that is a variable need not be said. */
static void step_into(NbPath *path, LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int count = LLVMGetNumOperands(gep);
  uint64_t size = size_of(path, type);
  if (!path->outer)
    path->outer = size;
  step(path, LLVMGetOperand(gep, 1), size, 0);
  for (int i = 2; i < count && !path->failed; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      path->offset += (int64_t)LLVMOffsetOfElement(path->context->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
    bool whole = i == 2 && path->root == LLVMGetOperand(gep, 0) && is_variable(path->root, type);
    uint64_t extent = array && !whole ? LLVMGetArrayLength2(type) : 0;
    type = LLVMGetElementType(type);
    step(path, index, size_of(path, type), extent);
  }
}

/* The path of a pointer back to what is no gep. */
NbPath nb_path_of(const NbContext *context, LLVMValueRef pointer) {
  NbPath path = {.context = context};
  LLVMValueRef geps[MOST_GEPS];
  unsigned count = 0;
  while (nb_path_steps(pointer) && count < MOST_GEPS) {
    geps[count++] = pointer;
    pointer = LLVMGetOperand(pointer, 0);
  }
  path.root = pointer;
  path.failed =
      nb_path_steps(pointer) || LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind;
  while (count && !path.failed)
    step_into(&path, geps[--count]);
  return path;
}

LLVMTypeRef nb_path_type(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    type = structure ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                     : LLVMGetElementType(type);
  }
  return type;
}

/* How far into what the gep counts in its further indices lead; false where one varies. */
static bool leads_into(const NbContext *context, LLVMValueRef gep, int64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (!LLVMIsAConstantInt(index))
      return false;
    int64_t at = LLVMConstIntGetSExtValue(index);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      *offset += (int64_t)LLVMOffsetOfElement(context->layout, type, (unsigned)at);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)at);
      continue;
    }
    type = LLVMGetElementType(type);
    *offset += at * (int64_t)LLVMABISizeOfType(context->layout, type);
  }
  return true;
}

LLVMTypeRef nb_path_struct(const NbContext *context, LLVMValueRef pointer, uint64_t *offset) {
  LLVMTypeRef found = NULL;
  int64_t total = 0;
  for (; nb_path_steps(pointer); pointer = LLVMGetOperand(pointer, 0)) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    LLVMValueRef first = LLVMGetOperand(pointer, 1);
    bool plain = LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
                 LLVMTypeIsSized(type) && LLVMGetTypeKind(type) != LLVMScalableVectorTypeKind;
    if (!plain || !leads_into(context, pointer, &total))
      break;
    int64_t size = (int64_t)LLVMABISizeOfType(context->layout, type);
    if (nb_is_declared_struct(type) && total >= 0 && total < size) {
      found = type;
      *offset = (uint64_t)total;
    }
    if (!LLVMIsAConstantInt(first))
      break;
    total += LLVMConstIntGetSExtValue(first) * size;
  }
  return found;
}
