// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where arrays start, by the strides in an address. */
#include "objects/path.h"
#include "objects/places.h"

enum { MOST_STEPS = 16, MOST_TERMS = 4 };

/* What an address adds to its root. */
typedef struct Sum {
  const NbPlaces *places;
  int64_t offset, before; /* `before`: what of it is negative */
  uint64_t least, rest;   /* strides: the smallest, and the greatest of the others; 0: none */
  uint64_t unit;          /* bytes that each unknown index counts; 0: there is none; 1: several */
} Sum;

static void add_stride(Sum *sum, uint64_t stride) {
  uint64_t other = stride;
  if (stride && (!sum->least || stride < sum->least)) {
    other = sum->least;
    sum->least = stride;
  }
  if (other > sum->rest)
    sum->rest = other;
}

static LLVMValueRef narrowed(LLVMValueRef index) {
  bool extended = LLVMIsASExtInst(index) || LLVMIsAZExtInst(index);
  return extended ? LLVMGetOperand(index, 0) : index;
}

static void add_index(Sum *sum, LLVMValueRef index, int64_t size, unsigned terms) {
  LLVMValueRef value = narrowed(index);
  bool binary = terms && LLVMIsABinaryOperator(value);
  LLVMOpcode opcode = binary ? LLVMGetInstructionOpcode(value) : LLVMUnreachable;
  if (LLVMIsAConstantInt(value)) {
    int64_t distance = LLVMConstIntGetSExtValue(value) * size;
    sum->offset += distance;
    sum->before += distance < 0 ? distance : 0;
  } else if (opcode == LLVMAdd || opcode == LLVMSub) {
    add_index(sum, LLVMGetOperand(value, 0), size, terms - 1);
    add_index(sum, LLVMGetOperand(value, 1), opcode == LLVMAdd ? size : -size, terms - 1);
  } else {
    uint64_t bytes = (uint64_t)(size < 0 ? -size : size);
    sum->unit = sum->unit && sum->unit != bytes ? 1 : bytes;
    add_stride(sum, bytes * nb_integer_factor(sum->places, index));
  }
}

static void add_gep(Sum *sum, LLVMValueRef gep) {
  LLVMTargetDataRef layout = sum->places->objects->context->layout;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  add_index(sum, LLVMGetOperand(gep, 1), (int64_t)LLVMABISizeOfType(layout, type), MOST_TERMS);
  for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      sum->offset += (int64_t)LLVMOffsetOfElement(layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    type = LLVMGetElementType(type);
    add_index(sum, index, (int64_t)LLVMABISizeOfType(layout, type), MOST_TERMS);
  }
}

/* What the phi steps on from, if it is a pointer that walks; else NULL. */
static LLVMValueRef add_walk(Sum *sum, LLVMValueRef phi) {
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
    return NULL;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef next = LLVMGetIncomingValue(phi, i);
    if (!LLVMIsAGetElementPtrInst(next) || LLVMGetOperand(next, 0) != phi)
      continue;
    Sum step = {.places = sum->places};
    add_gep(&step, next);
    int64_t distance = step.offset < 0 ? -step.offset : step.offset;
    add_stride(sum, nb_gcd((uint64_t)distance, step.least));
    return LLVMGetIncomingValue(phi, 1 - i);
  }
  return NULL;
}

static bool is_sized(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  return LLVMTypeIsSized(type) && LLVMGetTypeKind(type) != LLVMScalableVectorTypeKind &&
         LLVMGetTypeKind(LLVMTypeOf(gep)) == LLVMPointerTypeKind;
}

uint64_t nb_places_unit(const NbPlaces *places, LLVMValueRef pointer) {
  Sum sum = {.places = places};
  for (unsigned i = 0; i < MOST_STEPS && LLVMIsAGetElementPtrInst(pointer); i++) {
    if (!is_sized(pointer))
      return 0;
    add_gep(&sum, pointer);
    pointer = LLVMGetOperand(pointer, 0);
  }
  return LLVMIsAGetElementPtrInst(pointer) || LLVMIsAPHINode(pointer) ? 0 : sum.unit;
}

/* `before`, or what is less by less than the stride: whole strides. Where the first member of each
 * struct lies 40 bytes before the end, the first that is accessed lies at 8, and not at 0. */
static int64_t whole_strides(const Sum *sum) {
  int64_t stride = (int64_t)sum->least;
  int64_t over = stride > 0 ? -sum->before % stride : 0;
  return sum->before - (over ? stride - over : 0);
}

/* In `a[i - 1]` the index is at least 1: the array does not start before `a`. */
bool nb_places_start(const NbPlaces *places, LLVMValueRef pointer, NbOffsets *start) {
  Sum sum = {.places = places};
  LLVMValueRef root = pointer;
  for (unsigned i = 0; i < MOST_STEPS && root; i++) {
    pointer = root;
    bool gep = LLVMIsAGetElementPtrInst(root) && is_sized(root);
    if (gep)
      add_gep(&sum, root);
    root = gep ? LLVMGetOperand(root, 0) : add_walk(&sum, root);
  }
  NbOffsets place = nb_places_of(places, pointer);
  add_stride(&sum, nb_place_step(&place));
  *start = nb_place_at(place.base + sum.offset - whole_strides(&sum));
  if (!sum.least || root || places->lost || (!sum.rest && start->base < 0))
    return false;
  *start = nb_place_index(*start, sum.least, 2);
  *start = nb_place_stride(*start, sum.rest, false);
  return true;
}
