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

MODEL_HELPER bool is_text(const Descriptor *array) {
  return array->type == TYPE_TEXT1 || array->type == TYPE_TEXT2 || array->type == TYPE_TEXT4;
}

/* Cut where it is too long, and followed by blanks where it is too short. */
MODEL_HELPER void copy_text(char *to, const char *from, const Descriptor *like, int64_t size) {
  int64_t common = size < like->size ? size : like->size;
  int64_t unit = like->type == TYPE_TEXT1 ? 1 : like->type == TYPE_TEXT2 ? 2 : 4;
  memcpy(to, from, (size_t)common);
  for (int64_t i = common; i < like->size; i++)
    to[i] = i % unit ? 0 : ' ';
}

MODEL_HELPER bool are_text(const Descriptor *one, const Descriptor *other) {
  return is_text(one) && is_text(other);
}

/* An element of an array of the same type, of `size` bytes, which only those of text may differ
 * from. */
MODEL_HELPER void assign_element(char *to, const char *from, const Descriptor *like,
                                 const Descriptor *other, int64_t size) {
  if (are_text(like, other) && like->size != size)
    copy_text(to, from, like, size);
  else
    copy_between(to, from, like, other);
}

MODEL_HELPER void copy_elements(const Descriptor *to, const Descriptor *from) {
  int64_t count = element_count(to);
  for (int64_t i = 0; i < count; i++)
    assign_element(element_at(to, i), element_at(from, i), to, from, from->size);
}

/* The elements of the array, from where they lie one behind the other. */
MODEL_HELPER void take_elements(const Descriptor *to, const char *from, const Descriptor *like,
                                int64_t count, int64_t size) {
  for (int64_t i = 0; i < count; i++)
    assign_element(element_at(to, i), from + i * size, to, like, size);
}

/* Copies what may be changed while it is read. */
MODEL_HELPER void copy_through(const Descriptor *to, const Descriptor *from) {
  int64_t count = element_count(to);
  char *kept = malloc(count > 0 ? (size_t)(count * from->size) : 1);
  for (int64_t i = 0; i < count; i++)
    copy_between(kept + i * from->size, element_at(from, i), from, to);
  take_elements(to, kept, from, count, from->size);
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

/* Where the description of a derived type says that its values need nothing done when they come to
 * be (no component has a value of its own), that they may be copied as bytes (nothing in them is
 * allocated), and that no assignment is defined by the program. */
enum { NOTHING_INITIAL = 429, NOTHING_ALLOCATED = 430, NOTHING_DEFINED = 432 };
enum { DESCRIPTION_OF = 22 };

/* The description of the derived type of an array's elements; NULL for other types. */
MODEL_HELPER const char *type_of(const Descriptor *array) {
  const char *type = NULL;
#pragma clang loop unroll(full)
  for (int i = 0; i <= MOST_DIMENSIONS; i++)
    if ((array->extra & HAS_ADDENDUM) && i == array->rank)
      type = *(const char *const *)((const char *)array->dimensions + i * sizeof(Dimension));
  return type;
}

/* Does the description of the derived type, if it is one, say so? */
MODEL_HELPER bool type_says(const Descriptor *array, int fact) {
  if (!(array->extra & HAS_ADDENDUM))
    return true;
  const char *type = type_of(array);
  return __clang_major__ == DESCRIPTION_OF && type && type[fact];
}

MODEL_HELPER void check_copied_as_bytes(const Descriptor *array) {
  if (!type_says(array, NOTHING_ALLOCATED) || !type_says(array, NOTHING_DEFINED))
    __nabla_unmodelled("assignment of a derived type with allocatable components");
}

/* Gives so many elements of a derived type the values that the type gives its components. */
void __nabla_initial(char *elements, int64_t bytes, int64_t count, const char *type,
                     const char *file, int line);

MODEL_HELPER void start_elements(const Descriptor *array, const char *file, int line) {
  int64_t count = element_count(array);
  if (!type_says(array, NOTHING_INITIAL))
    __nabla_initial(array->base, count * array->size, count, type_of(array), file, line);
}

/* A new variable, whose elements need not lie one behind the other where it is a dummy. */
INLINED_MODEL void _FortranAInitialize(const Descriptor *array, const char *file, int line) {
  int64_t count = element_count(array);
  if (type_says(array, NOTHING_INITIAL))
    return;
  for (int64_t i = 0; i < count; i++)
    __nabla_initial(element_at(array, i), array->size, 1, type_of(array), file, line);
}

/* `any_length`: text of a length that the assignment sets, as in character(:). */
MODEL_HELPER void assign(Descriptor *to, const Descriptor *from, bool any_length) {
  check_copied_as_bytes(to);
  bool allocatable = to->attribute == ATTRIBUTE_ALLOCATABLE;
  bool longer = any_length && are_text(to, from) && to->size != from->size;
  if (!allocatable || (to->base && !longer && same_shape(to, from))) {
    assign_elements(to, from);
    return;
  }
  char *old = to->base;
  if (longer)
    to->size = from->size;
  take_shape(to, from);
  allocate_elements(to);
  copy_elements(to, from);
  free(old);
}

INLINED_MODEL void _FortranAAssign(Descriptor *to, const Descriptor *from, PLACE) {
  assign(to, from, true);
}

INLINED_MODEL void _FortranAAssignExplicitLengthCharacter(Descriptor *to, const Descriptor *from,
                                                          PLACE) {
  assign(to, from, false);
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
  start_elements(array, file, line);
  return 0;
}

/* Shape and bounds for the allocation that follows; those that differ from the mold's are set then.
 */
MODEL_HELPER void take_mold(Descriptor *array, const Descriptor *mold, int rank) {
  if (type_of(array) != type_of(mold))
    __nabla_unmodelled("allocation of an object of another type than the declared one");
  array->size = mold->size;
  array->type = mold->type;
  array->rank = (uint8_t)rank;
  take_shape(array, mold);
}

INLINED_MODEL void _FortranAAllocatableApplyMold(Descriptor *array, const Descriptor *mold,
                                                 int rank) {
  take_mold(array, mold, rank);
}

/* Each element is that of the source, or its single value. */
MODEL_HELPER void allocate_copy(Descriptor *array, const Descriptor *source) {
  check_copied_as_bytes(source);
  if (type_of(array) != type_of(source))
    __nabla_unmodelled("allocation of an object of another type than the declared one");
  copy_elements(array, source);
}

INLINED_MODEL int _FortranAAllocatableAllocateSource(Descriptor *array, const Descriptor *source,
                                                     UNUSED bool status,
                                                     UNUSED const Descriptor *message, PLACE) {
  allocate_elements(array);
  allocate_copy(array, source);
  return 0;
}

INLINED_MODEL int _FortranAAllocatableDeallocate(Descriptor *array, UNUSED bool status,
                                                 UNUSED const Descriptor *message, PLACE) {
  free(array->base);
  array->base = NULL;
  return 0;
}

/* What `to` had is gone; it has what `from` had, which has nothing then. */
INLINED_MODEL int _FortranAMoveAlloc(Descriptor *to, Descriptor *from, UNUSED const void *type,
                                     UNUSED bool status, UNUSED const Descriptor *message, PLACE) {
  if (type_of(to) != type_of(from))
    __nabla_unmodelled("move_alloc to an object of another type");
  free(to->base);
  to->base = from->base;
  to->size = from->size;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if (i < from->rank)
      to->dimensions[i] = from->dimensions[i];
  from->base = NULL;
  return 0;
}

/* --- Pointers --------------------------------------------------------------------------------- */

/* The library marks the end of what it allocates for pointers. */
void *AllocateValidatedPointerPayload(size_t bytes, int place);

MODEL_HELPER void allocate_payload(Descriptor *pointer) {
  int64_t bytes = element_count(pointer) * pointer->size;
  pointer->base = AllocateValidatedPointerPayload(bytes > 0 ? (size_t)bytes : 1, 0);
}

INLINED_MODEL void _FortranAPointerSetBounds(Descriptor *pointer, int dimension, int64_t lower,
                                             int64_t upper) {
  set_extent(pointer, dimension, lower, upper - lower + 1);
}

INLINED_MODEL int _FortranAPointerAllocate(Descriptor *pointer, UNUSED bool status,
                                           UNUSED const Descriptor *message, PLACE,
                                           UNUSED void *copy) {
  allocate_payload(pointer);
  start_elements(pointer, file, line);
  return 0;
}

INLINED_MODEL void _FortranAPointerApplyMold(Descriptor *pointer, const Descriptor *mold,
                                             int rank) {
  take_mold(pointer, mold, rank);
}

INLINED_MODEL int _FortranAPointerAllocateSource(Descriptor *pointer, const Descriptor *source,
                                                 UNUSED bool status,
                                                 UNUSED const Descriptor *message, PLACE) {
  allocate_payload(pointer);
  allocate_copy(pointer, source);
  return 0;
}

INLINED_MODEL int _FortranAPointerDeallocate(Descriptor *pointer, UNUSED bool status,
                                             UNUSED const Descriptor *message, PLACE) {
  free(pointer->base);
  pointer->base = NULL;
  return 0;
}

/* Do both have the same elements, of which there are some? */
INLINED_MODEL bool _FortranAPointerIsAssociatedWith(const Descriptor *pointer,
                                                    const Descriptor *target) {
  if (!target || !target->base)
    return !target && pointer->base;
  bool same = pointer->base == target->base && pointer->size == target->size &&
              pointer->rank == target->rank && target->size != 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++) {
    const Dimension *a = &pointer->dimensions[i], *b = &target->dimensions[i];
    if (i < pointer->rank)
      same &=
          a->extent != 0 && a->extent == b->extent && (a->extent == 1 || a->stride == b->stride);
  }
  return same;
}

/* --- Lists of values, as in [a, b(1:3)] ------------------------------------------------------- */

/* What stands in the room that the library wants for its own. */
typedef struct Values {
  Descriptor *to;
  int64_t used, room;
  int64_t sized; /* is the length of text that of the first value? */
} Values;

INLINED_MODEL void _FortranAInitArrayConstructorVector(Values *values, Descriptor *to, bool sized,
                                                       PLACE) {
  *values = (Values){to, 0, to->base ? to->dimensions[0].extent : 0, sized};
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
  if (values->sized && !values->used)
    values->to->size = from->size;
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

/* --- Random numbers --------------------------------------------------------------------------- */

void __nabla_random(void *elements, int64_t bytes, int64_t count, int type, const char *file,
                    int line);

/* The library fills memory of ours, so that the rest is a copy of constants. */
INLINED_MODEL void _FortranARandomNumber(const Descriptor *array, const char *file, int line) {
  int64_t count = element_count(array), bytes = count > 0 ? count * array->size : 0;
  char *numbers = malloc(bytes ? (size_t)bytes : 1);
  __nabla_random(numbers, bytes, count, array->type, file, line);
  take_elements(array, numbers, array, count, array->size);
  free(numbers);
}
