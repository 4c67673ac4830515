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
  char *kept = room_for(from, count);
  for (int64_t i = 0; i < count; i++)
    copy_between(kept + i * from->size, element_at(from, i), from, to);
  take_elements(to, kept, from, count, from->size);
  if (!type_says(from, NOTHING_ALLOCATED))
    for (int64_t i = 0; i < count; i++)
      __nabla_derived_destroy(kept + i * from->size, type_of(from));
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

/* What follows is a first value for each element. */
MODEL_HELPER void start_copies(const Descriptor *array) {
  int64_t count = element_count(array);
  if (!type_says(array, NOTHING_ALLOCATED))
    for (int64_t i = 0; i < count; i++)
      start_element(element_at(array, i), array);
}

MODEL_HELPER void assign_elements(const Descriptor *to, const Descriptor *from) {
  if (from->rank && overlap(to, from))
    copy_through(to, from);
  else
    copy_elements(to, from);
}

/* Gives so many elements of a derived type the values that the type gives its components. */
void __nabla_initial(char *elements, int64_t bytes, int64_t count, const char *type,
                     const char *file, int line);

MODEL_HELPER void start_elements(const Descriptor *array, const char *file, int line) {
  int64_t count = element_count(array);
  if (!type_says(array, NOTHING_INITIAL))
    __nabla_initial(array->base, count * array->size, count, type_of(array), file, line);
}

/* A variable whose scope ends. */
INLINED_MODEL void _FortranADestroy(const Descriptor *array) { destroy_elements(array); }

/* Where the end of such a variable is no end of a value of the program. */
INLINED_MODEL void _FortranADestroyWithoutFinalization(const Descriptor *array) {
  destroy_elements(array);
}

/* A new variable, whose elements need not lie one behind the other where it is a dummy. */
INLINED_MODEL void _FortranAInitialize(const Descriptor *array, const char *file, int line) {
  int64_t count = element_count(array);
  if (type_says(array, NOTHING_INITIAL))
    return;
  for (int64_t i = 0; i < count; i++)
    __nabla_initial(element_at(array, i), array->size, 1, type_of(array), file, line);
}

/* A variable as it is before an assignment. A program's descriptor has room for its own dimensions
 * alone; often more is known of what is assigned, which has as many unless it is a single value,
 * and is of a derived type where the variable is. */
MODEL_HELPER void see(Descriptor *seen, const Descriptor *to, const Descriptor *from, int rank) {
  seen->base = to->base;
  seen->size = is_text(from) ? to->size : from->size;
  seen->rank = (uint8_t)rank;
  seen->type = to->type;
  seen->extra = from->type == TYPE_DERIVED ? to->extra : 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if (i < seen->rank)
      seen->dimensions[i] = to->dimensions[i];
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if ((seen->extra & HAS_ADDENDUM) && i == seen->rank)
      *place_of_type(seen, i) = *place_of_type(to, i);
}

/* New elements, of the shape of what is assigned, in the place of those of `old`. */
MODEL_HELPER void replace_elements(Descriptor *to, const Descriptor *from, Descriptor *old,
                                   const char *type) {
  Descriptor made = *old;
  made.size = to->size;
  set_type(&made, type);
  take_shape(&made, from);
  allocate_elements(&made);
  copy_elements(&made, from);
  deallocate_elements(old);
  to->base = made.base;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if (i < from->rank)
      to->dimensions[i] = made.dimensions[i];
}

/* `any_length`: text of a length that the assignment sets, as in character(:). */
MODEL_HELPER void assign(Descriptor *to, const Descriptor *from, bool any_length) {
  Descriptor seen;
  see(&seen, to, from, from->rank ? from->rank : to->rank);
  bool allocatable = to->attribute == ATTRIBUTE_ALLOCATABLE;
  bool longer = any_length && are_text(to, from) && to->size != from->size;
  if (!allocatable || (seen.base && !longer && same_shape(&seen, from))) {
    assign_elements(&seen, from);
    return;
  }
  if (longer)
    to->size = from->size;
  replace_elements(to, from, &seen, type_of(&seen));
}

INLINED_MODEL void _FortranAAssign(Descriptor *to, const Descriptor *from, PLACE) {
  assign(to, from, true);
}

INLINED_MODEL void _FortranAAssignExplicitLengthCharacter(Descriptor *to, const Descriptor *from,
                                                          PLACE) {
  assign(to, from, false);
}

INLINED_MODEL void _FortranAAssignTemporary(Descriptor *to, const Descriptor *from, PLACE) {
  start_copies(to);
  copy_elements(to, from);
}

/* Does a variable that takes the type of what it is given have a place for it? Values of types that
 * are not derived are told by what models do not set. */
MODEL_HELPER void check_described(const Descriptor *array, const Descriptor *given) {
  if (!(array->extra & HAS_ADDENDUM) || !(given->extra & HAS_ADDENDUM) ||
      given->type != TYPE_DERIVED)
    __nabla_unmodelled("an object of any type that is given a value of a type that is not derived");
}

MODEL_HELPER void take_type(Descriptor *array, const Descriptor *given) {
  check_described(array, given);
  array->size = given->size;
  array->type = given->type;
  set_type(array, type_of(given));
}

/* The variable has the type of its value. */
INLINED_MODEL void _FortranAAssignPolymorphic(Descriptor *to, const Descriptor *from, PLACE) {
  check_described(to, from);
  if (to->rank != from->rank)
    __nabla_unmodelled("a single value that is assigned to the elements of a polymorphic array");
  Descriptor old;
  see(&old, to, from, from->rank);
  if (old.base && type_of(&old) == type_of(from) && same_shape(&old, from)) {
    assign_elements(&old, from);
    return;
  }
  to->size = from->size;
  to->type = from->type;
  *place_of_type(to, from->rank) = type_of(from);
  replace_elements(to, from, &old, type_of(from));
}

/* Copies for a call share what their elements have allocated. */
MODEL_HELPER void move_elements(const Descriptor *to, const Descriptor *from) {
  if (type_says(from, NOTHING_ALLOCATED)) {
    copy_elements(to, from);
    return;
  }
  int64_t count = element_count(to);
  for (int64_t i = 0; i < count; i++)
    memcpy(element_at(to, i), element_at(from, i), (size_t)from->size);
}

/* A copy without gaps. */
INLINED_MODEL void _FortranACopyInAssign(Descriptor *copy, const Descriptor *from, PLACE) {
  start_result(copy, from, from->rank);
  take_shape(copy, from);
  allocate_elements(copy);
  move_elements(copy, from);
}

INLINED_MODEL void _FortranACopyOutAssign(Descriptor *to, Descriptor *copy, PLACE) {
  if (to)
    move_elements(to, copy);
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

/* Shape, bounds and type for the allocation that follows; bounds that differ from the mold's are
 * set then. */
MODEL_HELPER void take_mold(Descriptor *array, const Descriptor *mold, int rank) {
  array->rank = (uint8_t)rank;
  if (type_of(array) != type_of(mold))
    take_type(array, mold);
  array->size = mold->size;
  array->type = mold->type;
  take_shape(array, mold);
}

/* The object is to be of that type. */
MODEL_HELPER void start_derived(Descriptor *array, const char *type, int rank) {
  array->base = NULL;
  array->size = *(const int64_t *)(type + SIZE_OF_VALUE);
  array->rank = (uint8_t)rank;
  array->type = TYPE_DERIVED;
  array->extra |= HAS_ADDENDUM;
  set_type(array, type);
}

INLINED_MODEL void _FortranAAllocatableInitDerivedForAllocate(Descriptor *array, const char *type,
                                                              int rank, UNUSED int corank) {
  if (!array->base)
    start_derived(array, type, rank);
}

INLINED_MODEL void _FortranAPointerNullifyDerived(Descriptor *pointer, const char *type, int rank,
                                                  UNUSED int corank) {
  start_derived(pointer, type, rank);
}

INLINED_MODEL void _FortranAAllocatableApplyMold(Descriptor *array, const Descriptor *mold,
                                                 int rank) {
  take_mold(array, mold, rank);
}

/* Each element is that of the source, or its single value. */
MODEL_HELPER void allocate_copy(Descriptor *array, const Descriptor *source) {
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
  deallocate_elements(array);
  return 0;
}

/* What is not allocated has its declared type. */
MODEL_HELPER void end_polymorphic(Descriptor *array, const char *type) {
  deallocate_elements(array);
  set_type(array, type);
}

INLINED_MODEL int _FortranAAllocatableDeallocatePolymorphic(Descriptor *array, const char *type,
                                                            UNUSED bool status,
                                                            UNUSED const Descriptor *message,
                                                            PLACE) {
  end_polymorphic(array, type);
  return 0;
}

/* What `to` had is gone; it has what `from` had, which has nothing then, and is of its declared
 * type.
 */
INLINED_MODEL int _FortranAMoveAlloc(Descriptor *to, Descriptor *from, const char *type,
                                     UNUSED bool status, UNUSED const Descriptor *message, PLACE) {
  deallocate_elements(to);
  if (type_of(to) != type_of(from))
    take_type(to, from);
  to->base = from->base;
  to->size = from->size;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if (i < from->rank)
      to->dimensions[i] = from->dimensions[i];
  from->base = NULL;
  if (type)
    set_type(from, type);
  return 0;
}

/* --- Pointers --------------------------------------------------------------------------------- */

/* The library marks the end of what it allocates for pointers. */
void *AllocateValidatedPointerPayload(size_t bytes, int place);

MODEL_HELPER void allocate_payload(Descriptor *pointer) {
  int64_t bytes = element_count(pointer) * pointer->size;
  pointer->base = AllocateValidatedPointerPayload(bytes > 0 ? (size_t)bytes : 1, 0);
  start_copies(pointer);
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
  deallocate_elements(pointer);
  return 0;
}

INLINED_MODEL int _FortranAPointerDeallocatePolymorphic(Descriptor *pointer, const char *type,
                                                        UNUSED bool status,
                                                        UNUSED const Descriptor *message, PLACE) {
  end_polymorphic(pointer, type);
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
  for (int64_t i = 0; i < count; i++) {
    char *element = values->to->base + (values->used + i) * size;
    start_element(element, from);
    copy_between(element, element_at(from, i), values->to, from);
  }
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
