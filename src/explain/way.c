// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The distance from the variable is a sum of bytes. The types of debug information are gone through
 * from outside, and each array takes its index from the sum. */
#include "explain/way.h"

#include <string.h>

typedef struct Distance {
  NbDebugBytes bytes;
  Sum sum;
  ExplainIndex *write;
  void *data;
} Distance;

static int64_t divide_down(int64_t value, int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

/* Where terms are left, the constant may be that of an index further in, such as `k - 1`: the least
 * rest is taken for it. */
static const char *take_index(NbDebugBytes *bytes, int64_t size) {
  Distance *distance = (Distance *)bytes;
  Sum index = {.known = true}, *sum = &distance->sum;
  unsigned left = 0;
  for (unsigned i = 0; i < sum->count; i++) {
    SumTerm term = sum->terms[i];
    if (term.times % size)
      sum->terms[left++] = term;
    else
      index.terms[index.count++] = (SumTerm){term.value, term.times / size};
  }
  sum->count = bytes->terms = left;
  index.constant = divide_down(bytes->constant + (left ? size / 2 : 0), size);
  bytes->constant -= index.constant * size;
  return distance->write(distance->data, &index);
}

const char *explain_way(const NbLinear *linear, LLVMValueRef pointer, bool whole,
                        ExplainIndex *write, void *data, LLVMValueRef *base) {
  Distance distance = {{0, 0, whole, take_index}, {.known = true}, write, data};
  *base = explain_start(linear, pointer, &distance.sum);
  distance.bytes.constant = distance.sum.constant;
  distance.bytes.terms = distance.sum.count;
  char *way = distance.sum.known ? nb_debug_element(*base, &distance.bytes) : NULL;
  const char *text = way ? nb_arena_copy(linear->work->context->arena, way, strlen(way)) : NULL;
  LLVMDisposeMessage(way);
  return text;
}
