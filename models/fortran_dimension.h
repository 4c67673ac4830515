// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One dimension (counted from 0) of an array, among the others. */
#ifndef NABLA_MODELS_FORTRAN_DIMENSION_H
#define NABLA_MODELS_FORTRAN_DIMENSION_H

#include "fortran.h"

/* How many elements there are when one dimension is left out. */
MODEL_HELPER int64_t count_without(const Descriptor *array, int left_out) {
  int64_t count = 1;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    count *= i < array->rank && i != left_out ? array->dimensions[i].extent : 1;
  return count;
}

/* As element_offset, where the dimension that is left out has its first index. */
MODEL_HELPER int64_t offset_without(const Descriptor *array, int left_out, int64_t index) {
  int64_t offset = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++) {
    bool counts = i < array->rank && i != left_out;
    int64_t extent = counts ? array->dimensions[i].extent : 1;
    offset += counts ? index % extent * array->dimensions[i].stride : 0;
    index /= extent;
  }
  return offset;
}

/* Gives `result` the shape of `like` without one dimension. */
MODEL_HELPER void shape_without(Descriptor *result, const Descriptor *like, int left_out) {
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++)
    if (i < like->rank && i != left_out)
      set_extent(result, i < left_out ? i : i - 1, 1, like->dimensions[i].extent);
}

/* Does the mask, if there is one, choose the k-th element along the dimension? `index` counts the
 * others. */
MODEL_HELPER bool is_chosen_along(const Descriptor *mask, int along, int64_t index, int64_t k) {
  if (!mask || !mask->base || mask->rank == 0)
    return is_chosen(mask, 0);
  Descriptor here = *mask;
  here.rank = 0;
  here.base += offset_without(mask, along, index) + k * mask->dimensions[along].stride;
  return is_chosen(&here, 0);
}

#endif
