// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What flang's runtime library works on: descriptors of arrays, in the form that
 * ISO_Fortran_binding.h gives them. Its functions are differentiated as the loops that they are.
 *
 * A descriptor is made just before the call, so that most of what a model asks of it is known where
 * it is called: there the models are inlined (src/direct). */
#ifndef NABLA_MODELS_FORTRAN_H
#define NABLA_MODELS_FORTRAN_H

#include "model.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DIMENSIONS = 15 };
enum { ATTRIBUTE_OTHER, ATTRIBUTE_POINTER, ATTRIBUTE_ALLOCATABLE };
enum { HAS_ADDENDUM = 1 };
enum {
  TYPE_INTEGER1 = 7,
  TYPE_INTEGER2 = 8,
  TYPE_INTEGER4 = 9,
  TYPE_INTEGER8 = 10,
  TYPE_REAL4 = 27,
  TYPE_REAL8 = 28
};
enum { TYPE_COMPLEX4 = 34, TYPE_COMPLEX8 = 35 };
enum { TYPE_TEXT1 = 40, TYPE_DERIVED = 42, TYPE_TEXT2 = 43, TYPE_TEXT4 = 44 };
enum { TYPE_LONG_REAL = 29, TYPE_LONG_COMPLEX = 36 };

typedef struct Dimension {
  int64_t lower, extent, stride; /* the stride in bytes */
} Dimension;

/* An array, or with no dimension a single value. */
typedef struct Descriptor {
  char *base;
  int64_t size; /* of an element, in bytes */
  int32_t version;
  uint8_t rank;
  int8_t type;
  uint8_t attribute, extra;
  Dimension dimensions[MOST_DIMENSIONS];
} Descriptor;

/* Ends the program with a message, where only the run tells that something is not modelled. */
_Noreturn void __nabla_unmodelled(const char *what);

#define INLINED_MODEL __attribute__((always_inline))
#define MODEL_HELPER static inline __attribute__((always_inline))

/* Where in the program the call stands. */
#define PLACE const char *file __attribute__((unused)), int line __attribute__((unused))
/* What a call without an optional argument gives, and what only messages need. */
#define UNUSED __attribute__((unused))

MODEL_HELPER int64_t element_count(const Descriptor *array) {
  int64_t count = 1;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    count *= i < array->rank ? array->dimensions[i].extent : 1;
  return count;
}

/* How far behind the first element the one lies that comes at `index` in the array's order. */
MODEL_HELPER int64_t element_offset(const Descriptor *array, int64_t index) {
  int64_t offset = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++) {
    bool last = i + 1 >= array->rank;
    int64_t extent = array->dimensions[i].extent;
    if (i < array->rank)
      offset += (last ? index : index % extent) * array->dimensions[i].stride;
    index = last ? 0 : index / extent;
  }
  return offset;
}

/* The element that comes at `index`; a single value comes at all of them. */
MODEL_HELPER char *element_at(const Descriptor *array, int64_t index) {
  return array->base + element_offset(array, index);
}

/* The element of a vector or matrix. */
MODEL_HELPER char *entry_at(const Descriptor *array, int64_t row, int64_t column) {
  int64_t offset = row * array->dimensions[0].stride;
  if (array->rank > 1)
    offset += column * array->dimensions[1].stride;
  return array->base + offset;
}

/* Have the elements of both, which are of one type, that type? What is known of one is enough. */
MODEL_HELPER bool both_are(const Descriptor *one, const Descriptor *other, int type) {
  return one->type == type || other->type == type;
}

/* Where the description of a derived type says how long its values are, that they need nothing done
 * when they come to be (no component has a value of its own), that they may be copied as bytes
 * (nothing in them is allocated), that nothing is called when they end, and that no assignment is
 * defined by the program. */
enum {
  SIZE_OF_VALUE = 88,
  NOTHING_INITIAL = 429,
  NOTHING_ALLOCATED = 430,
  NOTHING_FINAL = 431,
  NOTHING_DEFINED = 432
};
enum { DESCRIPTION_OF = 22 };

/* Where behind the dimensions a descriptor has the description of a derived type. */
MODEL_HELPER const char **place_of_type(const Descriptor *array, int rank) {
  return (const char **)((char *)array->dimensions + rank * sizeof(Dimension));
}

/* The description of the derived type of an array's elements; NULL for other types. */
MODEL_HELPER const char *type_of(const Descriptor *array) {
  const char *type = NULL;
#pragma clang loop unroll(full)
  for (int i = 0; i <= MOST_DIMENSIONS; i++)
    if ((array->extra & HAS_ADDENDUM) && i == array->rank)
      type = *place_of_type(array, i);
  return type;
}

MODEL_HELPER const char *type_of_either(const Descriptor *one, const Descriptor *other) {
  const char *type = type_of(one);
  return type ? type : type_of(other);
}

MODEL_HELPER void set_type(Descriptor *array, const char *type) {
#pragma clang loop unroll(full)
  for (int i = 0; i <= MOST_DIMENSIONS; i++)
    if ((array->extra & HAS_ADDENDUM) && i == array->rank)
      *place_of_type(array, i) = type;
}

/* Does the description of a derived type say so? */
MODEL_HELPER bool description_says(const char *type, int fact) {
  return __clang_major__ == DESCRIPTION_OF && type && type[fact];
}

/* The same of the type of an array's elements, if it is derived. */
MODEL_HELPER bool type_says(const Descriptor *array, int fact) {
  return !(array->extra & HAS_ADDENDUM) || description_says(type_of(array), fact);
}

/* Written for each program (src/models/derived.c): the assignment of a value of that derived type,
 * component by component, and the end of one, whose allocated components are freed. */
void __nabla_derived_assign(char *to, const char *from, const char *type);
void __nabla_derived_destroy(char *value, const char *type);

/* Copies an element between arrays of one type as what it is: of mere bytes not everything is known
 * that is known of numbers. */
MODEL_HELPER void copy_between(char *to, const char *from, const Descriptor *one,
                               const Descriptor *other) {
  if (both_are(one, other, TYPE_REAL8) || both_are(one, other, TYPE_COMPLEX8))
    *(double *)to = *(const double *)from;
  else if (both_are(one, other, TYPE_REAL4) || both_are(one, other, TYPE_COMPLEX4))
    *(float *)to = *(const float *)from;
  else if (one->type == TYPE_DERIVED && other->type == TYPE_DERIVED)
    __nabla_derived_assign(to, from, type_of_either(one, other));
  else
    memcpy(to, from, (size_t)one->size);
  if (one->type == TYPE_COMPLEX8 && other->type == TYPE_COMPLEX8)
    ((double *)to)[1] = ((const double *)from)[1];
  else if (one->type == TYPE_COMPLEX4 && other->type == TYPE_COMPLEX4)
    ((float *)to)[1] = ((const float *)from)[1];
}

MODEL_HELPER void copy_element(char *to, const char *from, const Descriptor *like) {
  copy_between(to, from, like, like);
}

/* A value that comes to be where there was none holds no allocated memory yet. */
MODEL_HELPER void start_element(char *to, const Descriptor *like) {
  if (!type_says(like, NOTHING_ALLOCATED))
    memset(to, 0, (size_t)like->size);
}

/* Is the element of the mask, if there is one, true? Logical values of all kinds are integers. */
MODEL_HELPER bool is_chosen(const Descriptor *mask, int64_t index) {
  if (!mask || !mask->base)
    return true;
  const char *value = element_at(mask, index);
  switch (mask->size) {
  case 1:
    return *(const int8_t *)value != 0;
  case 2:
    return *(const int16_t *)value != 0;
  case 4:
    return *(const int32_t *)value != 0;
  default:
    return *(const int64_t *)value != 0;
  }
}

/* An integer of any kind, of an array of such. */
MODEL_HELPER int64_t integer_at(const Descriptor *array, int64_t index) {
  const char *value = element_at(array, index);
  switch (array->size) {
  case 1:
    return *(const int8_t *)value;
  case 2:
    return *(const int16_t *)value;
  case 4:
    return *(const int32_t *)value;
  default:
    return *(const int64_t *)value;
  }
}

/* The bounds of one dimension, behind those before it. */
MODEL_HELPER void set_extent(Descriptor *array, int dimension, int64_t lower, int64_t extent) {
  int64_t stride = array->size;
  if (dimension > 0)
    stride = array->dimensions[dimension - 1].stride * array->dimensions[dimension - 1].extent;
  array->dimensions[dimension].lower = lower;
  array->dimensions[dimension].extent = extent < 0 ? 0 : extent;
  array->dimensions[dimension].stride = stride;
}

/* Room for elements; those of a derived type that holds allocated memory hold none yet. */
MODEL_HELPER char *room_for(const Descriptor *like, int64_t count) {
  int64_t bytes = count * like->size;
  size_t size = bytes > 0 ? (size_t)bytes : 1;
  return type_says(like, NOTHING_ALLOCATED) ? malloc(size) : calloc(1, size);
}

MODEL_HELPER void allocate_elements(Descriptor *array) {
  array->base = room_for(array, element_count(array));
}

MODEL_HELPER void destroy_elements(const Descriptor *array) {
  if (type_says(array, NOTHING_ALLOCATED) && type_says(array, NOTHING_FINAL))
    return;
  int64_t count = element_count(array);
  for (int64_t i = 0; i < count; i++)
    __nabla_derived_destroy(element_at(array, i), type_of(array));
}

MODEL_HELPER void deallocate_elements(Descriptor *array) {
  if (array->base)
    destroy_elements(array);
  free(array->base);
  array->base = NULL;
}

/* Makes `result`, which says nothing yet, an allocated array of elements like those of `like`. */
MODEL_HELPER void start_result(Descriptor *result, const Descriptor *like, int rank) {
  result->base = NULL;
  result->size = like->size;
  result->version = like->version;
  result->rank = (uint8_t)rank;
  result->type = like->type;
  result->attribute = ATTRIBUTE_ALLOCATABLE;
  result->extra = like->extra & HAS_ADDENDUM;
  set_type(result, type_of(like));
}

#endif
