// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions of arrays whose results are arrays, under the names of flang's runtime library. A
 * result is allocated; the caller frees it. */
#include "fortran_dimension.h"

/* --- One dimension among the others ----------------------------------------------------------- */

/* Gives `result` the shape of `like` with one more dimension, of `copies`. */
MODEL_HELPER void shape_with(Descriptor *result, const Descriptor *like, int added,
                             int64_t copies) {
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++) {
    if (i == added)
      set_extent(result, i, 1, copies);
    else if (i <= like->rank)
      set_extent(result, i, 1, like->dimensions[i < added ? i : i - 1].extent);
  }
}

MODEL_HELPER void same_as(Descriptor *result, const Descriptor *like) {
  start_result(result, like, like->rank);
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if (i < like->rank)
      set_extent(result, i, 1, like->dimensions[i].extent);
  allocate_elements(result);
}

INLINED_MODEL void _FortranASpread(Descriptor *result, const Descriptor *source, int dimension,
                                   int64_t copies, PLACE) {
  start_result(result, source, source->rank + 1);
  shape_with(result, source, dimension - 1, copies);
  allocate_elements(result);
  int64_t count = element_count(source);
  for (int64_t i = 0; i < count; i++) {
    char *to = result->base + offset_without(result, dimension - 1, i);
    for (int64_t k = 0; k < result->dimensions[dimension - 1].extent; k++)
      copy_element(to + k * result->dimensions[dimension - 1].stride, element_at(source, i),
                   result);
  }
}

/* Elements move along a dimension; what comes from beyond the ends is taken from the other one. */
MODEL_HELPER void shift_round(Descriptor *result, const Descriptor *source, int along,
                              const Descriptor *shifts, int64_t shift) {
  same_as(result, source);
  int64_t extent = source->dimensions[along].extent;
  int64_t count = count_without(source, along);
  for (int64_t i = 0; i < count; i++) {
    const char *from = source->base + offset_without(source, along, i);
    char *to = result->base + offset_without(result, along, i);
    int64_t by = shifts ? integer_at(shifts, i) : shift;
    for (int64_t k = 0; k < extent; k++) {
      int64_t there = ((k + by) % extent + extent) % extent;
      copy_element(to + k * result->dimensions[along].stride,
                   from + there * source->dimensions[along].stride, source);
    }
  }
}

INLINED_MODEL void _FortranACshift(Descriptor *result, const Descriptor *source,
                                   const Descriptor *shifts, int dimension, PLACE) {
  shift_round(result, source, dimension - 1, shifts, 0);
}

INLINED_MODEL void _FortranACshiftVector(Descriptor *result, const Descriptor *source,
                                         int64_t shift, PLACE) {
  shift_round(result, source, 0, NULL, shift);
}

/* The same, where zeros or elements of `boundary` come from beyond the ends. */
MODEL_HELPER void shift_out(Descriptor *result, const Descriptor *source, int along,
                            const Descriptor *shifts, int64_t shift, const Descriptor *boundary) {
  same_as(result, source);
  int64_t extent = source->dimensions[along].extent;
  int64_t count = count_without(source, along);
  for (int64_t i = 0; i < count; i++) {
    const char *from = source->base + offset_without(source, along, i);
    char *to = result->base + offset_without(result, along, i);
    int64_t by = shifts ? integer_at(shifts, i) : shift;
    for (int64_t k = 0; k < extent; k++) {
      char *at = to + k * result->dimensions[along].stride;
      if (k + by >= 0 && k + by < extent)
        copy_element(at, from + (k + by) * source->dimensions[along].stride, source);
      else if (boundary)
        copy_element(at, element_at(boundary, i), source);
      else
        memset(at, 0, (size_t)source->size);
    }
  }
}

INLINED_MODEL void _FortranAEoshift(Descriptor *result, const Descriptor *source,
                                    const Descriptor *shifts, const Descriptor *boundary,
                                    int dimension, PLACE) {
  shift_out(result, source, dimension - 1, shifts, 0, boundary);
}

INLINED_MODEL void _FortranAEoshiftVector(Descriptor *result, const Descriptor *source,
                                          int64_t shift, const Descriptor *boundary, PLACE) {
  shift_out(result, source, 0, NULL, shift, boundary);
}

/* --- Other orders ----------------------------------------------------------------------------- */

INLINED_MODEL void _FortranATranspose(Descriptor *result, const Descriptor *matrix, PLACE) {
  int64_t rows = matrix->dimensions[0].extent, columns = matrix->dimensions[1].extent;
  start_result(result, matrix, 2);
  set_extent(result, 0, 1, columns);
  set_extent(result, 1, 1, rows);
  allocate_elements(result);
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < rows; i++)
      copy_element(entry_at(result, j, i), entry_at(matrix, i, j), matrix);
}

/* Where in `result` the element goes that comes at `index` when the dimensions vary in `order`. */
MODEL_HELPER int64_t ordered_offset(const Descriptor *result, const Descriptor *order,
                                    int64_t index) {
  if (!order || !order->base)
    return element_offset(result, index);
  int64_t offset = 0;
  for (int i = 0; i < result->rank; i++) {
    const Dimension *dimension = &result->dimensions[integer_at(order, i) - 1];
    offset += index % dimension->extent * dimension->stride;
    index /= dimension->extent;
  }
  return offset;
}

INLINED_MODEL void _FortranAReshape(Descriptor *result, const Descriptor *source,
                                    const Descriptor *shape, const Descriptor *pad,
                                    const Descriptor *order, PLACE) {
  start_result(result, source, (int)shape->dimensions[0].extent);
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if (i < result->rank)
      set_extent(result, i, 1, integer_at(shape, i));
  allocate_elements(result);
  int64_t count = element_count(result), given = element_count(source);
  for (int64_t i = 0; i < count && i < given; i++)
    copy_element(result->base + ordered_offset(result, order, i), element_at(source, i), source);
  if (!pad || !pad->base)
    return;
  int64_t period = element_count(pad);
  for (int64_t i = given; i < count; i++)
    copy_element(result->base + ordered_offset(result, order, i),
                 element_at(pad, (i - given) % period), source);
}

/* --- Chosen elements -------------------------------------------------------------------------- */

INLINED_MODEL void _FortranAPack(Descriptor *result, const Descriptor *source,
                                 const Descriptor *mask, const Descriptor *vector, PLACE) {
  int64_t count = element_count(source), chosen = 0;
  for (int64_t i = 0; i < count; i++)
    chosen += is_chosen(mask, i);
  bool more = vector && vector->base;
  start_result(result, source, 1);
  set_extent(result, 0, 1, more ? vector->dimensions[0].extent : chosen);
  allocate_elements(result);
  int64_t used = 0;
  for (int64_t i = 0; i < count; i++)
    if (is_chosen(mask, i))
      copy_element(result->base + used++ * source->size, element_at(source, i), source);
  for (int64_t i = chosen; more && i < result->dimensions[0].extent; i++)
    copy_element(result->base + i * source->size, element_at(vector, i), source);
}

INLINED_MODEL void _FortranAUnpack(Descriptor *result, const Descriptor *vector,
                                   const Descriptor *mask, const Descriptor *field, PLACE) {
  start_result(result, vector, mask->rank);
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if (i < mask->rank)
      set_extent(result, i, 1, mask->dimensions[i].extent);
  allocate_elements(result);
  int64_t count = element_count(mask), used = 0;
  for (int64_t i = 0; i < count; i++)
    copy_element(result->base + i * vector->size,
                 is_chosen(mask, i) ? element_at(vector, used++) : element_at(field, i), vector);
}

/* --- Reductions along a dimension ------------------------------------------------------------- */

typedef enum Reduction { SUM, PRODUCT, MAXVAL, MINVAL } Reduction;

#define REAL double
#define ALONG(name) name##_real8
#define MOST __DBL_MAX__
#define LEAST (-MOST)
#include "fortran_along.inc"
#undef REAL
#undef ALONG
#undef MOST

#define REAL float
#define ALONG(name) name##_real4
#define MOST __FLT_MAX__
#include "fortran_along.inc"
#undef REAL
#undef ALONG
#undef MOST
#undef LEAST

#define REAL int32_t
#define ALONG(name) name##_integer4
#define MOST INT32_MAX
#define LEAST INT32_MIN
#include "fortran_along.inc"
#undef REAL
#undef ALONG
#undef MOST
#undef LEAST

#define REAL int64_t
#define ALONG(name) name##_integer8
#define MOST INT64_MAX
#define LEAST INT64_MIN
#include "fortran_along.inc"

MODEL_HELPER void reduce_along(Reduction what, Descriptor *result, const Descriptor *array,
                               int dimension, const Descriptor *mask) {
  start_result(result, array, array->rank - 1);
  shape_without(result, array, dimension - 1);
  allocate_elements(result);
  if (array->type == TYPE_REAL8)
    reduce_real8(what, result, array, dimension - 1, mask);
  else if (array->type == TYPE_REAL4)
    reduce_real4(what, result, array, dimension - 1, mask);
  else if (array->type == TYPE_INTEGER4)
    reduce_integer4(what, result, array, dimension - 1, mask);
  else if (array->type == TYPE_INTEGER8)
    reduce_integer8(what, result, array, dimension - 1, mask);
  else
    __nabla_unmodelled("a reduction of this type along a dimension");
}

INLINED_MODEL void _FortranASumDim(Descriptor *result, const Descriptor *array, int dimension,
                                   PLACE, const Descriptor *mask) {
  reduce_along(SUM, result, array, dimension, mask);
}

INLINED_MODEL void _FortranAProductDim(Descriptor *result, const Descriptor *array, int dimension,
                                       PLACE, const Descriptor *mask) {
  reduce_along(PRODUCT, result, array, dimension, mask);
}

INLINED_MODEL void _FortranAMaxvalDim(Descriptor *result, const Descriptor *array, int dimension,
                                      PLACE, const Descriptor *mask) {
  reduce_along(MAXVAL, result, array, dimension, mask);
}

INLINED_MODEL void _FortranAMinvalDim(Descriptor *result, const Descriptor *array, int dimension,
                                      PLACE, const Descriptor *mask) {
  reduce_along(MINVAL, result, array, dimension, mask);
}
