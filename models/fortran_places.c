// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where something is in Fortran's arrays, and of how many elements it is true, under the names of
 * flang's runtime library. The results are integers. */
#include "fortran_dimension.h"

/* What is looked for: which value, and of equal ones the last. */
typedef struct Search {
  bool least, last;
} Search;

/* Of equal values, and of those that are no numbers, as the library has it. */
MODEL_HELPER bool wins_real(Search search, double value, double best) {
  if (best != best)
    return search.last || value == value;
  if (value == best)
    return search.last;
  return search.least ? value < best : value > best;
}

MODEL_HELPER bool wins_integer(Search search, int64_t value, int64_t best) {
  if (value == best)
    return search.last;
  return search.least ? value < best : value > best;
}

/* Does the element take the place of the best so far? */
MODEL_HELPER bool wins(Search search, const Descriptor *like, const char *value, const char *best) {
  switch (like->type) {
  case TYPE_REAL8:
    return wins_real(search, *(const double *)value, *(const double *)best);
  case TYPE_REAL4:
    return wins_real(search, *(const float *)value, *(const float *)best);
  case TYPE_INTEGER4:
    return wins_integer(search, *(const int32_t *)value, *(const int32_t *)best);
  case TYPE_INTEGER8:
    return wins_integer(search, *(const int64_t *)value, *(const int64_t *)best);
  default:
    __nabla_unmodelled("the place of a value that is neither real(4), real(8), nor integer");
  }
}

MODEL_HELPER void start_integers(Descriptor *result, const Descriptor *like, int kind, int rank) {
  start_result(result, like, rank);
  result->size = kind;
  result->type = kind == 8 ? TYPE_INTEGER8 : TYPE_INTEGER4;
  if (kind != 4 && kind != 8)
    __nabla_unmodelled("an integer(1) or integer(2) for a place or a count");
}

MODEL_HELPER void set_integer(const Descriptor *result, int64_t index, int64_t value) {
  if (result->size == 8)
    ((int64_t *)result->base)[index] = value;
  else
    ((int32_t *)result->base)[index] = (int32_t)value;
}

/* One number a dimension, from 1 on; zeros where nothing is chosen. */
MODEL_HELPER void find_whole(Descriptor *result, const Descriptor *array, int kind,
                             const Descriptor *mask, Search search) {
  int64_t best = -1, count = element_count(array);
  start_integers(result, array, kind, 1);
  set_extent(result, 0, 1, array->rank);
  allocate_elements(result);
  for (int64_t i = 0; i < count; i++)
    if (is_chosen(mask, i) &&
        (best < 0 || wins(search, array, element_at(array, i), element_at(array, best))))
      best = i;
  int64_t rest = best;
#pragma clang loop unroll(full)
  for (int i = 0; i < MOST_DIMENSIONS; i++) {
    if (i < array->rank) {
      int64_t extent = array->dimensions[i].extent;
      set_integer(result, i, best < 0 ? 0 : 1 + rest % extent);
      rest = best < 0 ? 0 : rest / extent;
    }
  }
}

MODEL_HELPER void find_along(Descriptor *result, const Descriptor *array, int kind, int along,
                             const Descriptor *mask, Search search) {
  start_integers(result, array, kind, array->rank - 1);
  shape_without(result, array, along);
  allocate_elements(result);
  int64_t count = count_without(array, along), stride = array->dimensions[along].stride;
  for (int64_t i = 0; i < count; i++) {
    const char *from = array->base + offset_without(array, along, i);
    int64_t best = -1;
    for (int64_t k = 0; k < array->dimensions[along].extent; k++)
      if (is_chosen_along(mask, along, i, k) &&
          (best < 0 || wins(search, array, from + k * stride, from + best * stride)))
        best = k;
    set_integer(result, i, best + 1);
  }
}

INLINED_MODEL void _FortranAMaxlocDim(Descriptor *result, const Descriptor *array, int kind,
                                      int dimension, PLACE, const Descriptor *mask, bool last) {
  find_along(result, array, kind, dimension - 1, mask, (Search){false, last});
}

INLINED_MODEL void _FortranAMinlocDim(Descriptor *result, const Descriptor *array, int kind,
                                      int dimension, PLACE, const Descriptor *mask, bool last) {
  find_along(result, array, kind, dimension - 1, mask, (Search){true, last});
}

#define WHOLE(name, least)                                                                         \
  INLINED_MODEL void name(Descriptor *result, const Descriptor *array, int kind, PLACE,            \
                          const Descriptor *mask, bool last) {                                     \
    find_whole(result, array, kind, mask, (Search){least, last});                                  \
  }
WHOLE(_FortranAMaxlocReal8, false)
WHOLE(_FortranAMaxlocReal4, false)
WHOLE(_FortranAMaxlocInteger4, false)
WHOLE(_FortranAMaxlocInteger8, false)
WHOLE(_FortranAMinlocReal8, true)
WHOLE(_FortranAMinlocReal4, true)
WHOLE(_FortranAMinlocInteger4, true)
WHOLE(_FortranAMinlocInteger8, true)

/* --- Of how many it is true ------------------------------------------------------------------- */

INLINED_MODEL int64_t _FortranACount(const Descriptor *mask, PLACE, UNUSED int dimension) {
  int64_t chosen = 0, count = element_count(mask);
  for (int64_t i = 0; i < count; i++)
    chosen += is_chosen(mask, i);
  return chosen;
}

INLINED_MODEL bool _FortranAAny(const Descriptor *mask, PLACE, int dimension) {
  return _FortranACount(mask, file, line, dimension) > 0;
}

INLINED_MODEL bool _FortranAAll(const Descriptor *mask, PLACE, int dimension) {
  return _FortranACount(mask, file, line, dimension) == element_count(mask);
}

MODEL_HELPER int64_t count_along(const Descriptor *mask, int along, int64_t index) {
  int64_t chosen = 0;
  for (int64_t k = 0; k < mask->dimensions[along].extent; k++)
    chosen += is_chosen_along(mask, along, index, k);
  return chosen;
}

INLINED_MODEL void _FortranACountDim(Descriptor *result, const Descriptor *mask, int dimension,
                                     int kind, PLACE) {
  start_integers(result, mask, kind, mask->rank - 1);
  shape_without(result, mask, dimension - 1);
  allocate_elements(result);
  int64_t count = element_count(result);
  for (int64_t i = 0; i < count; i++)
    set_integer(result, i, count_along(mask, dimension - 1, i));
}

/* Logical values of the mask's kind: where at least so many are true. */
MODEL_HELPER void compare_along(Descriptor *result, const Descriptor *mask, int along,
                                int64_t least) {
  start_result(result, mask, mask->rank - 1);
  shape_without(result, mask, along);
  allocate_elements(result);
  int64_t count = element_count(result);
  for (int64_t i = 0; i < count; i++) {
    char *to = result->base + i * result->size;
    memset(to, 0, (size_t)result->size);
    *to = count_along(mask, along, i) >= least;
  }
}

INLINED_MODEL void _FortranAAnyDim(Descriptor *result, const Descriptor *mask, int dimension,
                                   PLACE) {
  compare_along(result, mask, dimension - 1, 1);
}

INLINED_MODEL void _FortranAAllDim(Descriptor *result, const Descriptor *mask, int dimension,
                                   PLACE) {
  compare_along(result, mask, dimension - 1, mask->dimensions[dimension - 1].extent);
}
