// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Assignments and allocations of Fortran's arrays, under the names of flang's runtime library. */
#include "fortran.h"

/* The bytes from the first to the last that an array touches. */
typedef struct Range {
  const char *first, *last;
} Range;

MODEL_HELPER Range range_of(const Descriptor *array) {
  Range range = {array->base, array->base + array->size};
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++) {
    int64_t reach =
        i < array->rank ? (array->dimensions[i].extent - 1) * array->dimensions[i].stride : 0;
    range.first += reach < 0 ? reach : 0;
    range.last += reach > 0 ? reach : 0;
  }
  return range;
}

MODEL_HELPER bool overlap(const Descriptor *to, const Descriptor *from) {
  Range a = range_of(to), b = range_of(from);
  return a.first < b.last && b.first < a.last;
}

MODEL_HELPER void copy_elements(const Descriptor *to, const Descriptor *from) {
  int64_t count = element_count(to);
  for (int64_t i = 0; i < count; i++)
    copy_element(element_at(to, i), element_at(from, i), to);
}

/* Copies what may be changed while it is read. */
MODEL_HELPER void copy_through(const Descriptor *to, const Descriptor *from) {
  int64_t count = element_count(to);
  char *kept = malloc(count > 0 ? (size_t)(count * to->size) : 1);
  for (int64_t i = 0; i < count; i++)
    copy_element(kept + i * to->size, element_at(from, i), to);
  for (int64_t i = 0; i < count; i++)
    copy_element(element_at(to, i), kept + i * to->size, to);
  free(kept);
}

MODEL_HELPER bool same_shape(const Descriptor *to, const Descriptor *from) {
  bool same = true;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    same &= i >= from->rank || to->dimensions[i].extent == from->dimensions[i].extent;
  return same;
}

MODEL_HELPER void take_shape(Descriptor *to, const Descriptor *from) {
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++) {
    if (i < from->rank)
      set_extent(to, i, from->dimensions[i].lower, from->dimensions[i].extent);
  }
}

MODEL_HELPER void assign_elements(const Descriptor *to, const Descriptor *from) {
  if (from->rank && overlap(to, from))
    copy_through(to, from);
  else
    copy_elements(to, from);
}

/* Where the description of a derived type says that its values may be copied as bytes: nothing in
 * them is allocated, and no assignment is defined by the program. */
enum { NOTHING_ALLOCATED = 430, NOTHING_DEFINED = 432, DESCRIPTION_OF = 22 };

MODEL_HELPER bool is_plain(const Descriptor *array) {
  const char *type = NULL;
  if (!(array->extra & HAS_ADDENDUM))
    return true;
#pragma clang loop unroll(full)
  for (int i = 0; i <= MOST_DIMENSIONS; i++)
    if (i == array->rank)
      type = *(const char *const *)((const char *)array->dimensions + i * sizeof(Dimension));
  return __clang_major__ == DESCRIPTION_OF && type && type[NOTHING_ALLOCATED] &&
         type[NOTHING_DEFINED];
}

INLINED_MODEL void _FortranAAssign(Descriptor *to, const Descriptor *from, PLACE) {
  if (!is_plain(to))
    __nabla_unmodelled("assignment of a derived type with allocatable components");
  bool allocatable = to->attribute == ATTRIBUTE_ALLOCATABLE;
  if (!allocatable || (to->base && same_shape(to, from))) {
    assign_elements(to, from);
    return;
  }
  char *old = to->base;
  take_shape(to, from);
  allocate_elements(to);
  copy_elements(to, from);
  free(old);
}

INLINED_MODEL void _FortranAAssignTemporary(Descriptor *to, const Descriptor *from, PLACE) {
  copy_elements(to, from);
}

/* A copy without gaps, for a call. */
INLINED_MODEL void _FortranACopyInAssign(Descriptor *copy, const Descriptor *from, PLACE) {
  start_result(copy, from, from->rank);
  take_shape(copy, from);
  allocate_elements(copy);
  copy_elements(copy, from);
}

INLINED_MODEL void _FortranACopyOutAssign(Descriptor *to, Descriptor *copy, PLACE) {
  if (to)
    copy_elements(to, copy);
  free(copy->base);
  copy->base = NULL;
}

INLINED_MODEL bool _FortranAIsContiguous(const Descriptor *array) {
  int64_t bytes = array->size;
  bool contiguous = true;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++) {
    int64_t extent = i < array->rank ? array->dimensions[i].extent : 1;
    contiguous &= extent == 1 || array->dimensions[i].stride == bytes;
    bytes *= extent;
  }
  return contiguous || element_count(array) == 0;
}

/* --- allocate and deallocate ------------------------------------------------------------------ */

INLINED_MODEL void _FortranAAllocatableSetBounds(Descriptor *array, int dimension, int64_t lower,
                                                 int64_t upper) {
  set_extent(array, dimension, lower, upper - lower + 1);
}

INLINED_MODEL int _FortranAAllocatableAllocate(Descriptor *array, UNUSED int64_t *where,
                                               UNUSED bool status, UNUSED const Descriptor *message,
                                               PLACE, UNUSED void *copy) {
  allocate_elements(array);
  return 0;
}

INLINED_MODEL int _FortranAAllocatableDeallocate(Descriptor *array, UNUSED bool status,
                                                 UNUSED const Descriptor *message, PLACE) {
  free(array->base);
  array->base = NULL;
  return 0;
}

/* --- Pointers --------------------------------------------------------------------------------- */

/* The library marks the end of what it allocates for pointers. */
void *AllocateValidatedPointerPayload(size_t bytes, int place);

INLINED_MODEL void _FortranAPointerSetBounds(Descriptor *pointer, int dimension, int64_t lower,
                                             int64_t upper) {
  set_extent(pointer, dimension, lower, upper - lower + 1);
}

INLINED_MODEL int _FortranAPointerAllocate(Descriptor *pointer, UNUSED bool status,
                                           UNUSED const Descriptor *message, PLACE,
                                           UNUSED void *copy) {
  int64_t bytes = element_count(pointer) * pointer->size;
  pointer->base = AllocateValidatedPointerPayload(bytes > 0 ? (size_t)bytes : 1, 0);
  return 0;
}

INLINED_MODEL int _FortranAPointerDeallocate(Descriptor *pointer, UNUSED bool status,
                                             UNUSED const Descriptor *message, PLACE) {
  free(pointer->base);
  pointer->base = NULL;
  return 0;
}

/* --- Lists of values, as in [a, b(1:3)] ------------------------------------------------------- */

/* What stands in the room that the library wants for its own. */
typedef struct Values {
  Descriptor *to;
  int64_t used, room;
} Values;

INLINED_MODEL void _FortranAInitArrayConstructorVector(Values *values, Descriptor *to,
                                                       UNUSED bool lengths, PLACE) {
  *values = (Values){to, 0, to->base ? to->dimensions[0].extent : 0};
}

MODEL_HELPER void make_room(Values *values, int64_t count) {
  enum { FIRST_ROOM = 32 };
  Descriptor *to = values->to;
  if (values->used + count > values->room) {
    int64_t room = 2 * (values->used + count);
    values->room = room < FIRST_ROOM ? FIRST_ROOM : room;
    to->base = realloc(to->base, (size_t)(values->room * to->size));
  }
  if (to->attribute == ATTRIBUTE_ALLOCATABLE && values->used + count > to->dimensions[0].extent)
    set_extent(to, 0, 1, values->used + count);
}

INLINED_MODEL void _FortranAPushArrayConstructorValue(Values *values, const Descriptor *from) {
  int64_t count = element_count(from), size = values->to->size;
  make_room(values, count);
  for (int64_t i = 0; i < count; i++)
    copy_element(values->to->base + (values->used + i) * size, element_at(from, i), values->to);
  values->used += count;
}

INLINED_MODEL void _FortranAPushArrayConstructorSimpleScalar(Values *values, const void *from) {
  int64_t size = values->to->size;
  make_room(values, 1);
  copy_element(values->to->base + values->used++ * size, from, values->to);
}
