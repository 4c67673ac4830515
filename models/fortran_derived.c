// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is done with one component of a derived type when a value is assigned or ends. The functions
 * for a type call these one after the other (src/models/derived.c), with constants for all but the
 * addresses, and are inlined there. */
#include "fortran.h"

/* The functions for the type of a component; for one that is allocatable the description is that of
 * what is allocated. */
typedef void Assign(char *to, const char *from, const char *type);
typedef void Destroy(char *value, const char *type);

/* One number, or any other value of so many bytes. */
MODEL_HELPER void copy_value(char *to, const char *from, int type, int64_t size) {
  if (type == TYPE_REAL8 || type == TYPE_COMPLEX8)
    *(double *)to = *(const double *)from;
  else if (type == TYPE_REAL4 || type == TYPE_COMPLEX4)
    *(float *)to = *(const float *)from;
  else if (type == TYPE_LONG_REAL)
    *(long double *)to = *(const long double *)from;
  else if (size == sizeof(int32_t))
    *(int32_t *)to = *(const int32_t *)from;
  else if (size == sizeof(int64_t))
    *(int64_t *)to = *(const int64_t *)from;
  else
    memcpy(to, from, (size_t)size);
}

/* `size` is that of one number, two of which are a complex one. */
INLINED_MODEL void __nabla_derived_values(char *to, const char *from, int64_t count, int type,
                                          int64_t size) {
  if (count == 1)
    copy_value(to, from, type, size);
  else
    for (int64_t i = 0; i < count; i++)
      copy_value(to + i * size, from + i * size, type, size);
}

INLINED_MODEL void __nabla_derived_copies(char *to, const char *from, int64_t count, int64_t size,
                                          Assign *assign, const char *type) {
  if (count == 1)
    assign(to, from, type);
  else
    for (int64_t i = 0; i < count; i++)
      assign(to + i * size, from + i * size, type);
}

/* The descriptor of a component of so many dimensions, which may describe a derived type. */
MODEL_HELPER void copy_descriptor(Descriptor *to, const Descriptor *from, int rank,
                                  bool described) {
  to->size = from->size;
  to->version = from->version;
  to->rank = from->rank;
  to->type = from->type;
  to->attribute = from->attribute;
  to->extra = from->extra;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if (i < rank)
      to->dimensions[i] = from->dimensions[i];
  if (described)
    *place_of_type(to, rank) = *place_of_type(from, rank);
}

INLINED_MODEL void __nabla_derived_pointer(Descriptor *to, const Descriptor *from, int rank,
                                           int described) {
  to->base = from->base;
  copy_descriptor(to, from, rank, described != 0);
}

/* The extents of a component are those of its own descriptor. */
MODEL_HELPER int64_t count_of(const Descriptor *array, int rank) {
  int64_t count = 1;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    count *= i < rank ? array->dimensions[i].extent : 1;
  return count;
}

MODEL_HELPER bool have_one_shape(const Descriptor *to, const Descriptor *from, int rank) {
  bool same = to->size == from->size;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    same &= i >= rank || to->dimensions[i].extent == from->dimensions[i].extent;
  return same;
}

INLINED_MODEL void __nabla_derived_end_allocated(Descriptor *array) {
  free(array->base);
  array->base = NULL;
}

/* `numbers` of `size` bytes are one element; a `size` of 0 is one that the run tells, of text. */
INLINED_MODEL void __nabla_derived_allocatable(Descriptor *to, const Descriptor *from, int rank,
                                               int type, int64_t numbers, int64_t size) {
  if (!from->base) {
    __nabla_derived_end_allocated(to);
    copy_descriptor(to, from, rank, false);
    return;
  }
  int64_t count = count_of(from, rank), bytes = count * from->size;
  if (!to->base || !have_one_shape(to, from, rank)) {
    free(to->base);
    to->base = malloc(bytes > 0 ? (size_t)bytes : 1);
  }
  copy_descriptor(to, from, rank, false);
  if (size)
    __nabla_derived_values(to->base, from->base, count * numbers, type, size);
  else
    memcpy(to->base, from->base, (size_t)bytes);
}

INLINED_MODEL void __nabla_derived_end_nested(Descriptor *array, int rank, Destroy *destroy) {
  if (!array->base)
    return;
  int64_t count = count_of(array, rank);
  for (int64_t i = 0; i < count; i++)
    destroy(array->base + i * array->size, *place_of_type(array, rank));
  __nabla_derived_end_allocated(array);
}

/* The old elements end last: what is assigned may be a part of them. */
INLINED_MODEL void __nabla_derived_nested(Descriptor *to, const Descriptor *from, int rank,
                                          Assign *assign, Destroy *destroy) {
  char *made = NULL;
  if (from->base) {
    int64_t count = count_of(from, rank), bytes = count * from->size;
    made = calloc(1, bytes > 0 ? (size_t)bytes : 1);
    for (int64_t i = 0; i < count; i++)
      assign(made + i * from->size, from->base + i * from->size, *place_of_type(from, rank));
  }
  Descriptor like;
  copy_descriptor(&like, from, rank, true);
  __nabla_derived_end_nested(to, rank, destroy);
  copy_descriptor(to, &like, rank, true);
  to->base = made;
}

INLINED_MODEL void __nabla_derived_end(char *values, int64_t count, int64_t size, Destroy *destroy,
                                       const char *type) {
  if (count == 1)
    destroy(values, type);
  else
    for (int64_t i = 0; i < count; i++)
      destroy(values + i * size, type);
}

/* A type of which this module has no description, or one that is not followed. */
INLINED_MODEL void __nabla_derived_elsewhere(char *to, const char *from, const char *type) {
  if (!description_says(type, NOTHING_ALLOCATED) || !description_says(type, NOTHING_DEFINED))
    __nabla_unmodelled("assignment of a derived type that is described in another file, or has "
                       "an assignment of its own");
  memcpy(to, from, *(const size_t *)(type + SIZE_OF_VALUE));
}

INLINED_MODEL void __nabla_derived_end_elsewhere(UNUSED char *value, const char *type) {
  if (!description_says(type, NOTHING_ALLOCATED) || !description_says(type, NOTHING_FINAL))
    __nabla_unmodelled("the end of a value of a derived type that is described in another file, "
                       "or has a final procedure");
}
