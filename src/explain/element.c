// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The address is a sum of bytes: it is taken apart into products of a value, a constant and sizes
 * of dimensions, and each goes to the dimension whose stride it has. */
#include "explain/element.h"

#include <string.h>

enum { DEPTH_MAX = 12, BITS_MAX = 32 };

typedef struct {
  Element *element;
  LLVMTargetDataRef layout;
  int64_t size; /* of an element */
} Reading;

static bool add(Reading *reading, LLVMValueRef value, int64_t times, unsigned extents,
                unsigned depth);

static bool add_term(Element *element, LLVMValueRef value, int64_t times, unsigned extents) {
  for (unsigned i = 0; i < element->count; i++) {
    ElementTerm *term = &element->terms[i];
    if (term->value == value && term->extents == extents) {
      term->times += times;
      return true;
    }
  }
  if (element->count == ELEMENT_TERMS)
    return false;
  element->terms[element->count++] = (ElementTerm){value, times, extents, 0};
  return true;
}

static bool has_name(LLVMValueRef value) {
  bool certain;
  char *name = nb_value_source_name(value, &certain);
  if (name)
    LLVMDisposeMessage(name);
  return name != NULL;
}

/* The first dimension of that size which is no factor yet; the rank: none. */
static unsigned dimension_of_size(const Element *element, LLVMValueRef value, unsigned extents) {
  unsigned i = 0;
  bool local = LLVMIsAInstruction(value) || LLVMIsAArgument(value);
  while (i < element->rank &&
         ((extents >> i & 1) || !local || !nb_debug_is_extent(element->array, i, value)))
    i++;
  return i;
}

static bool add_product(Reading *reading, LLVMValueRef left, LLVMValueRef right, int64_t times,
                        unsigned extents, unsigned depth) {
  if (LLVMIsAConstantInt(right))
    return add(reading, left, times * LLVMConstIntGetSExtValue(right), extents, depth);
  unsigned dimension = dimension_of_size(reading->element, right, extents);
  return dimension < reading->element->rank &&
         add(reading, left, times, extents | 1U << dimension, depth);
}

static bool add_instruction(Reading *reading, LLVMValueRef value, int64_t times, unsigned extents,
                            unsigned depth) {
  LLVMValueRef left = LLVMGetOperand(value, 0);
  LLVMValueRef right = LLVMGetNumOperands(value) > 1 ? LLVMGetOperand(value, 1) : NULL;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMSExt:
  case LLVMZExt:
  case LLVMFreeze:
    return add(reading, left, times, extents, depth);
  case LLVMAdd:
    return add(reading, left, times, extents, depth) && add(reading, right, times, extents, depth);
  case LLVMSub:
    return add(reading, left, times, extents, depth) && add(reading, right, -times, extents, depth);
  case LLVMMul:
    return add_product(reading, left, right, times, extents, depth) ||
           add_product(reading, right, left, times, extents, depth) ||
           add_term(reading->element, value, times, extents);
  case LLVMShl:
    if (LLVMIsAConstantInt(right) && LLVMConstIntGetZExtValue(right) < BITS_MAX)
      return add(reading, left, times * (INT64_C(1) << LLVMConstIntGetZExtValue(right)), extents,
                 depth);
    return add_term(reading->element, value, times, extents);
  default:
    return add_term(reading->element, value, times, extents);
  }
}

/* So many times the value. */
static bool add(Reading *reading, LLVMValueRef value, int64_t times, unsigned extents,
                unsigned depth) {
  Element *element = reading->element;
  if (depth > DEPTH_MAX)
    return false;
  if (LLVMIsAConstantInt(value))
    return add_term(element, NULL, times * LLVMConstIntGetSExtValue(value), extents);
  unsigned dimension = dimension_of_size(element, value, extents);
  if (dimension < element->rank)
    return add_term(element, NULL, times, extents | 1U << dimension);
  if (!LLVMIsAInstruction(value) || has_name(value))
    return add_term(element, value, times, extents);
  return add_instruction(reading, value, times, extents, depth + 1);
}

static bool add_address(Reading *reading, LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned count = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < count; i++) {
    if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
      return false;
    type = i > 1 ? LLVMGetElementType(type) : type;
    int64_t size = (int64_t)LLVMABISizeOfType(reading->layout, type);
    if (!add(reading, LLVMGetOperand(gep, i), size, 0, 0))
      return false;
  }
  return true;
}

/* --- Dimensions ------------------------------------------------------------------------------ */

typedef struct {
  int64_t stride, lower;
  unsigned extents; /* by which the stride is to be multiplied */
} Dimension;

static void read_dimensions(const Reading *reading, Dimension dimensions[ELEMENT_RANK]) {
  Dimension next = {reading->size, 1, 0};
  for (unsigned i = 0; i < reading->element->rank; i++) {
    dimensions[i] = next;
    int64_t count = nb_debug_bound(reading->element->array, i, &dimensions[i].lower);
    next.stride *= count > 0 ? count : 1;
    next.extents |= count < 0 ? 1U << i : 0;
  }
}

/* The one with the largest stride of which the term has a multiple. */
static bool place_term(const Element *element, const Dimension *dimensions, ElementTerm *term) {
  for (unsigned i = element->rank; i-- > 0;)
    if (dimensions[i].extents == term->extents && term->times % dimensions[i].stride == 0) {
      term->dimension = i;
      term->times /= dimensions[i].stride;
      return true;
    }
  return false;
}

static int64_t divide_down(int64_t value, int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

static bool has_terms_below(const Element *element, unsigned dimension) {
  bool any = false;
  for (unsigned i = 0; i < element->count; i++)
    any = any || (element->terms[i].value && element->terms[i].dimension < dimension);
  return any;
}

/* How often the stride is in what is left: the least rest is that of an index such as `i - 1`; a
 * constant index is one that there is. */
static int64_t part_of(const Element *element, const Dimension *dimensions, unsigned own,
                       int64_t left) {
  int64_t stride = dimensions[own].stride;
  if (own && has_terms_below(element, own))
    return divide_down(left + stride / 2, stride);
  for (unsigned i = 0; i < own; i++)
    left -= dimensions[i].extents == dimensions[own].extents
                ? dimensions[i].lower * dimensions[i].stride
                : 0;
  return divide_down(left, stride);
}

/* Gives the constant bytes of those dimensions that have the same sizes as factors to these. */
static bool place_constants(Element *element, const Dimension *dimensions, unsigned extents) {
  int64_t left = 0;
  for (unsigned i = 0; i < element->count; i++)
    if (!element->terms[i].value && element->terms[i].extents == extents)
      left += element->terms[i].times;
  for (unsigned i = 0; i < element->rank; i++)
    left += dimensions[i].extents == extents ? dimensions[i].lower * dimensions[i].stride : 0;
  for (unsigned i = element->rank; i-- > 0;) {
    if (dimensions[i].extents != extents)
      continue;
    element->constants[i] = part_of(element, dimensions, i, left);
    left -= element->constants[i] * dimensions[i].stride;
  }
  return left == 0;
}

static bool place(Element *element, const Dimension *dimensions) {
  for (unsigned i = 0; i < element->count; i++)
    if (element->terms[i].value && !place_term(element, dimensions, &element->terms[i]))
      return false;
  for (unsigned i = 0; i < element->count; i++) {
    bool known = false;
    for (unsigned j = 0; j < element->rank; j++)
      known = known || dimensions[j].extents == element->terms[i].extents;
    if (!known)
      return false;
  }
  for (unsigned i = 0; i < element->rank; i++)
    if (!place_constants(element, dimensions, dimensions[i].extents))
      return false;
  return true;
}

bool element_at(Element *element, LLVMTargetDataRef layout, LLVMValueRef pointer) {
  Reading reading = {element, layout, 0};
  Dimension dimensions[ELEMENT_RANK];
  memset(element, 0, sizeof *element);
  element->array = pointer;
  while (LLVMIsAGetElementPtrInst(element->array))
    element->array = LLVMGetOperand(element->array, 0);
  element->rank = nb_debug_rank(element->array, &reading.size);
  if (!element->rank || element->rank > ELEMENT_RANK)
    return false;
  for (; pointer != element->array; pointer = LLVMGetOperand(pointer, 0))
    if (!add_address(&reading, pointer))
      return false;
  read_dimensions(&reading, dimensions);
  return place(element, dimensions);
}
