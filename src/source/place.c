// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/place.h"

static bool passes(const Function *f, LLVMValueRef value) {
  return LLVMIsAInstruction(value) && (!f || source_is_folded(f, value));
}

/* Does the sum or product not wrap around? */
static bool is_exact(LLVMValueRef integer, const Place *place) {
  bool wide = LLVMGetIntTypeWidth(LLVMTypeOf(integer)) == 64;
  return LLVMGetNSW(integer) || (wide && place->inside);
}

static void add_term(Place *place, LLVMValueRef value, int64_t scale) {
  for (unsigned i = 0; i < place->count; i++)
    if (place->terms[i].value == value) {
      place->terms[i].scale += scale;
      return;
    }
  if (place->count == TERMS_MAX) {
    place->known = false;
    return;
  }
  place->terms[place->count++] = (Term){value, scale};
}

static bool is_small(int64_t number) { return number < 1 << 30 && number > -(1 << 30); }

/* One step into an index: its constant part, its factor. */
static LLVMValueRef step_into(Place *place, LLVMValueRef value, int64_t *scale) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  LLVMValueRef first = LLVMGetOperand(value, 0);
  bool sum = opcode == LLVMAdd || opcode == LLVMMul || opcode == LLVMShl;
  LLVMValueRef second = sum ? LLVMIsAConstantInt(LLVMGetOperand(value, 1)) : NULL;
  if (opcode == LLVMSExt || (opcode == LLVMZExt && LLVMGetNNeg(value)))
    return LLVMGetIntTypeWidth(LLVMTypeOf(first)) >= 32 ? first : NULL;
  if (!second || LLVMGetIntTypeWidth(LLVMTypeOf(second)) > 64 || !is_exact(value, place))
    return NULL;
  int64_t number = LLVMConstIntGetSExtValue(second);
  if (!is_small(number) || !is_small(*scale))
    return NULL;
  if (opcode == LLVMAdd)
    place->offset += number * *scale;
  else if (opcode == LLVMMul)
    *scale *= number;
  else if (number >= 0 && number < 30)
    *scale <<= number;
  else
    return NULL;
  return first;
}

static void add_index(const Function *f, Place *place, LLVMValueRef index, int64_t scale) {
  if (LLVMIsAConstantInt(index)) {
    place->offset += LLVMConstIntGetSExtValue(index) * scale;
    return;
  }
  LLVMValueRef inner = index;
  while (inner && passes(f, inner)) {
    index = inner;
    inner = LLVMIsABinaryOperator(inner) || LLVMIsACastInst(inner) ? step_into(place, inner, &scale)
                                                                   : NULL;
  }
  add_term(place, inner ? inner : index, scale);
}

static void add_gep(const Function *f, const Writer *writer, Place *place, LLVMValueRef gep) {
  LLVMTargetDataRef layout = writer->context->layout;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int count = LLVMGetNumOperands(gep);
  place->inside = place->inside && LLVMIsInBounds(gep);
  add_index(f, place, LLVMGetOperand(gep, 1), (int64_t)LLVMABISizeOfType(layout, type));
  for (int i = 2; i < count; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      place->offset += (int64_t)LLVMOffsetOfElement(layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    type = LLVMGetElementType(type);
    add_index(f, place, index, (int64_t)LLVMABISizeOfType(layout, type));
  }
}

Place source_place(const Function *f, Writer *writer, LLVMValueRef pointer) {
  Place place = {.base = pointer, .inside = true, .known = true};
  while (LLVMIsAGetElementPtrInst(place.base) && passes(f, place.base)) {
    LLVMValueRef gep = place.base;
    add_gep(f, writer, &place, gep);
    place.base = LLVMGetOperand(gep, 0);
  }
  int64_t offset;
  if (LLVMIsAConstantExpr(place.base) && LLVMGetConstOpcode(place.base) == LLVMGetElementPtr &&
      nb_constant_offset(writer->context->module, place.base, &offset)) {
    place.offset += offset;
    place.base = LLVMGetOperand(place.base, 0);
  }
  return place;
}
