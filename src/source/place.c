// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/place.h"

static bool passes(const Function *f, LLVMValueRef value) {
  return LLVMIsAInstruction(value) && (!f || source_is_folded(f, value));
}

static bool is_small(int64_t number) { return number < 1 << 30 && number > -(1 << 30); }

static bool is_number(LLVMValueRef value, int64_t number) {
  return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
         LLVMConstIntGetSExtValue(value) == number;
}

static bool is_sum_with(LLVMValueRef sum, LLVMValueRef value, int64_t number) {
  return LLVMIsAInstruction(sum) && LLVMGetInstructionOpcode(sum) == LLVMAdd &&
         LLVMGetOperand(sum, 0) == value && is_number(LLVMGetOperand(sum, 1), number);
}

/* Is it asked whether it is 0? */
static bool is_held_to_zero(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool equality = LLVMIsAICmpInst(user) && LLVMGetICmpPredicate(user) <= LLVMIntNE;
    if (equality && is_number(LLVMGetOperand(user, 1), 0))
      return true;
  }
  return false;
}

/* Does the value count how often its loop has run, up from 0, or is yet to run, down to 0? No loop
 * runs so often that the bytes of an array with an element for each time could not be counted. */
static bool is_counter(NbAnalyses *analyses, LLVMValueRef value) {
  NbLoop *loop =
      LLVMIsAPHINode(value) ? nb_loop_of(analyses, LLVMGetInstructionParent(value)) : NULL;
  LLVMBasicBlockRef latch = loop ? nb_loop_latch(loop) : NULL;
  if (!latch || nb_loop_header(loop) != LLVMGetInstructionParent(value) ||
      LLVMCountIncoming(value) != 2)
    return false;
  unsigned last = LLVMGetIncomingBlock(value, 1) == latch;
  LLVMValueRef first = LLVMGetIncomingValue(value, !last);
  LLVMValueRef next = LLVMGetIncomingValue(value, last);
  if (is_sum_with(next, value, 1))
    return is_number(first, 0);
  return is_sum_with(next, value, -1) && (is_held_to_zero(value) || is_held_to_zero(next));
}

enum { BITS_OF_BYTES = 63, BITS_OF_STEP = 30 };

/* Do its sums with others, and its products with sizes, not wrap around? */
static bool is_limited(const Writer *writer, LLVMValueRef value) {
  NbAnalyses *analyses = writer->context->analyses;
  const int64_t limit = INT64_C(1) << (BITS_OF_BYTES - BITS_OF_STEP);
  if (LLVMIsAConstantInt(value))
    return LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
           is_small(LLVMConstIntGetSExtValue(value));
  if (!LLVMIsAInstruction(value) || is_counter(analyses, value))
    return LLVMIsAInstruction(value) != NULL;
  if (LLVMGetInstructionOpcode(value) == LLVMAdd && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
      is_counter(analyses, LLVMGetOperand(value, 0)))
    return is_limited(writer, LLVMGetOperand(value, 1));
  int64_t low, high;
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(value));
  NbScev *scev = nb_scev_of(analyses, function, value);
  return scev && nb_scev_range(analyses, function, scev, &low, &high) && low >= -limit &&
         high <= limit;
}

/* Is it a factor such as sizes in bytes are? A count of iterations times a larger one may wrap. */
static bool is_size(LLVMOpcode opcode, LLVMValueRef second) {
  enum { BITS_OF_SIZE = 16 };
  if (!LLVMIsAConstantInt(second) || LLVMGetIntTypeWidth(LLVMTypeOf(second)) > 64)
    return false;
  int64_t number = LLVMConstIntGetSExtValue(second);
  int64_t most = opcode == LLVMShl ? BITS_OF_SIZE : 1 << BITS_OF_SIZE;
  return number <= most && number >= (opcode == LLVMShl ? 0 : -most);
}

bool source_does_not_wrap(const Writer *writer, LLVMValueRef integer) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(integer);
  LLVMTypeRef type = LLVMTypeOf(integer);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 64)
    return false;
  LLVMValueRef first = LLVMGetOperand(integer, 0), second = LLVMGetOperand(integer, 1);
  bool sum = opcode == LLVMAdd || opcode == LLVMSub;
  bool product = (opcode == LLVMMul || opcode == LLVMShl) && is_size(opcode, second);
  return (sum && is_limited(writer, first) && is_limited(writer, second)) ||
         (product && is_limited(writer, first));
}

/* Does the sum or product with a constant not wrap around? */
static bool is_exact(const Writer *writer, LLVMValueRef integer, const Place *place) {
  bool wide = LLVMGetIntTypeWidth(LLVMTypeOf(integer)) == 64;
  return LLVMGetNSW(integer) || (wide && place->inside) || source_does_not_wrap(writer, integer);
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

/* One step into an index: its constant part, its factor. */
static LLVMValueRef step_into(const Writer *writer, Place *place, LLVMValueRef value,
                              int64_t *scale) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  LLVMValueRef first = LLVMGetOperand(value, 0);
  bool sum = opcode == LLVMAdd || opcode == LLVMMul || opcode == LLVMShl;
  LLVMValueRef second = sum ? LLVMIsAConstantInt(LLVMGetOperand(value, 1)) : NULL;
  if (opcode == LLVMSExt || (opcode == LLVMZExt && LLVMGetNNeg(value)))
    return LLVMGetIntTypeWidth(LLVMTypeOf(first)) >= 32 ? first : NULL;
  if (!second || LLVMGetIntTypeWidth(LLVMTypeOf(second)) > 64 || !is_exact(writer, value, place))
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

static void add_index(const Function *f, const Writer *writer, Place *place, LLVMValueRef index,
                      int64_t scale) {
  if (LLVMIsAConstantInt(index)) {
    place->offset += LLVMConstIntGetSExtValue(index) * scale;
    return;
  }
  LLVMValueRef inner = index;
  while (inner && passes(f, inner)) {
    index = inner;
    inner = LLVMIsABinaryOperator(inner) || LLVMIsACastInst(inner)
                ? step_into(writer, place, inner, &scale)
                : NULL;
  }
  add_term(place, inner ? inner : index, scale);
}

static void add_gep(const Function *f, const Writer *writer, Place *place, LLVMValueRef gep) {
  LLVMTargetDataRef layout = writer->context->layout;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int count = LLVMGetNumOperands(gep);
  place->inside = place->inside && LLVMIsInBounds(gep);
  add_index(f, writer, place, LLVMGetOperand(gep, 1), (int64_t)LLVMABISizeOfType(layout, type));
  for (int i = 2; i < count; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      place->offset += (int64_t)LLVMOffsetOfElement(layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    type = LLVMGetElementType(type);
    add_index(f, writer, place, index, (int64_t)LLVMABISizeOfType(layout, type));
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
