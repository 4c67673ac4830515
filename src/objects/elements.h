// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Elements of structs that are asked for one by one, and sets of them. */
#ifndef NABLA_OBJECTS_ELEMENTS_H
#define NABLA_OBJECTS_ELEMENTS_H

#include "base/map.h"

#include <llvm-c/Core.h>
#include <stdint.h>

/* Any of them, or one further behind; of a value that is no struct, the value. */
enum { NB_ANY_ELEMENT = 31 };

static inline unsigned nb_element_bit(unsigned element) { return 1U << element; }

/* The element of the struct that the extractvalue or insertvalue is about. */
static inline unsigned nb_element_of(LLVMValueRef inst) {
  unsigned index = LLVMGetIndices(inst)[0];
  return index < NB_ANY_ELEMENT ? index : NB_ANY_ELEMENT;
}

/* Does the set have the element, or one that it may be? */
static inline bool nb_elements_have(unsigned set, unsigned element) {
  return element >= NB_ANY_ELEMENT
             ? set != 0
             : (set & (nb_element_bit(element) | nb_element_bit(NB_ANY_ELEMENT))) != 0;
}

/* False where the element of the value was seen before. */
static inline bool nb_element_see(NbMap *seen, LLVMValueRef value, unsigned element) {
  uintptr_t old = (uintptr_t)nb_map_get(seen, value);
  nb_map_set(seen, value, (void *)(old | nb_element_bit(element)));
  return !(old & nb_element_bit(element));
}

#endif
